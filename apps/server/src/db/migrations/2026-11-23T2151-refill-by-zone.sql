-- Subscriptions say when traffic is refilled, by the zone of the installation: a change of it is told like their other parts.
create trigger "tellSubscriptionChange" after insert or update or delete or truncate on "installation"
  for each statement execute function "tellSubscriptionChange"();
