-- Whoever changes something that screens show, by whatever path, tells the servers of it at the commit, by the word of the
-- domain; each server passes it on to the tabs that are open. A word repeated within a transaction is sent once.
create function "tellEvent"() returns trigger language plpgsql as $$
begin
  perform pg_notify('events', tg_argv[0]);
  return null;
end $$;

-- Periodic work updates what it finds, which mostly is nothing.
create function "tellUpdate"() returns trigger language plpgsql as $$
begin
  if exists (select from "changed") then perform pg_notify('events', tg_argv[0]); end if;
  return null;
end $$;

do $$
declare
  "told" constant text[] := array[
    'users', 'users', 'internalSquads', 'squads', 'internalSquadInbounds', 'squads', 'internalSquadMembers', 'squads',
    'configProfiles', 'profiles', 'configProfileInbounds', 'profiles', 'hosts', 'hosts', 'hostNodes', 'hosts', 'nodes', 'nodes',
    'infraProviders', 'billing', 'infraBillingNodes', 'billing', 'infraBillingRecords', 'billing', 'installation', 'settings',
    'subscriptionSettings', 'settings', 'subscriptionPages', 'settings', 'subscriptionTemplates', 'templates'];
begin
  for "i" in 1 .. array_length("told", 1) by 2 loop
    execute format('create trigger "tellEvent" after insert or delete or truncate on %I for each statement execute function "tellEvent"(%L)',
      "told"["i"], "told"["i" + 1]);
    execute format('create trigger "tellUpdate" after update on %I referencing new table as "changed" for each statement execute function "tellUpdate"(%L)',
      "told"["i"], "told"["i" + 1]);
  end loop;
end $$;

-- Devices are noted anew with every visit, tokens with every use: only that they come and go is told.
create trigger "tellEvent" after insert or delete or truncate on "hwidDevices" for each statement execute function "tellEvent"('devices');
create trigger "tellEvent" after insert or delete or truncate on "apiTokens" for each statement execute function "tellEvent"('tokens');
-- Figures of nodes and jobs change every few seconds, and are asked for.
create trigger "tellEvent" after insert or truncate on "jobs" for each statement execute function "tellEvent"('jobs');
create trigger "tellUpdate" after update on "jobs" for each row
  when (old."finishedAt" is distinct from new."finishedAt" and not new."isRecurring") execute function "tellEvent"('jobs');
create trigger "tellUpdate" after update on "nodeStates" for each row
  when (old."isConnected" is distinct from new."isConnected" or old."isConnecting" is distinct from new."isConnecting"
    or old."lastStatusMessage" is distinct from new."lastStatusMessage" or old."warning" is distinct from new."warning")
  execute function "tellEvent"('nodes');
-- Who may listen: open streams are looked at again.
create trigger "tellEvent" after update or delete or truncate on "sessions" for each statement execute function "tellEvent"('access');
create trigger "tellAccess" after delete or truncate on "apiTokens" for each statement execute function "tellEvent"('access');
create trigger "tellEvent" after update or delete or truncate on "admins" for each statement execute function "tellEvent"('access');
