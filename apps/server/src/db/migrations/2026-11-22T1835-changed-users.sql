-- Users who have changed, by name: who of them concerns which node is worked out behind the change (decision 037).
create table "changedUsers" (
  "id" bigint generated always as identity primary key,
  "username" text not null
);

-- Everything the node has is being compared with everything it should have, so that any change may concern it.
alter table "nodeStates" add column "isSettling" boolean not null default false;

-- Notices that are sent right after a commit instead of with it: commits with a notice wait for each other, each for a flush of
-- its own. Lost with a crash, as are those who would have heard them.
create unlogged table "untold" (
  "channel" text not null,
  "payload" text not null
);

create function "tellSoon"() returns trigger language plpgsql as $$
begin
  insert into "untold" values (tg_argv[0], tg_argv[1]);
  return null;
end $$;

create function "tellUpdateSoon"() returns trigger language plpgsql as $$
begin
  if exists (select from "changed") then insert into "untold" values (tg_argv[0], tg_argv[1]); end if;
  return null;
end $$;

drop trigger "tellEvent" on "users";
drop trigger "tellUpdate" on "users";
drop trigger "tellEvent" on "internalSquadMembers";
drop trigger "tellUpdate" on "internalSquadMembers";
create trigger "tellEvent" after insert or delete or truncate on "users" for each statement execute function "tellSoon"('events', 'users');
create trigger "tellUpdate" after update on "users" referencing new table as "changed" for each statement
  execute function "tellUpdateSoon"('events', 'users');
create trigger "tellEvent" after insert or delete or truncate on "internalSquadMembers" for each statement
  execute function "tellSoon"('events', 'squads');
create trigger "tellUpdate" after update on "internalSquadMembers" referencing new table as "changed" for each statement
  execute function "tellUpdateSoon"('events', 'squads');
create trigger "tellEvent" after insert on "changedUsers" for each statement execute function "tellSoon"('deliveries', '');
