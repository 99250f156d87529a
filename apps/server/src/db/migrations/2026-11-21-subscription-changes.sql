-- Servers keep what subscriptions are made of in memory. Whoever changes any of it, by whatever path, tells them all when
-- the change is committed; a notice repeated within a transaction is sent once.
create function "tellSubscriptionChange"() returns trigger language plpgsql as $$
begin
  perform pg_notify('subscriptionChange', '');
  return null;
end $$;

create trigger "tellSubscriptionChange" after insert or update or delete or truncate on "hosts"
  for each statement execute function "tellSubscriptionChange"();
create trigger "tellSubscriptionChange" after insert or update or delete or truncate on "configProfileInbounds"
  for each statement execute function "tellSubscriptionChange"();
create trigger "tellSubscriptionChange" after insert or update or delete or truncate on "internalSquadInbounds"
  for each statement execute function "tellSubscriptionChange"();
create trigger "tellSubscriptionChange" after insert or update or delete or truncate on "subscriptionSettings"
  for each statement execute function "tellSubscriptionChange"();
create trigger "tellSubscriptionChange" after insert or update or delete or truncate on "subscriptionTemplates"
  for each statement execute function "tellSubscriptionChange"();
