-- What the list of hosts is made of has changed: a list that is kept is good as long as these rows are the same (decision 034).
-- Each change adds one of its own and takes older ones away, so that the same rows never come back. None is waited for.
create table "hostChanges" (
  "token" uuid primary key default gen_random_uuid(),
  "at" timestamptz(3) not null default now()
);

create function "noteHostChange"() returns trigger language plpgsql as $$
begin
  insert into "hostChanges" default values;
  delete from "hostChanges" where "token" in (
    select "token" from "hostChanges" where "at" < now() - interval '1 minute' for update skip locked
  );
  return null;
end $$;

create trigger "noteChange" after insert or update or delete or truncate on "hosts" for each statement execute function "noteHostChange"();
create trigger "noteChange" after insert or update or delete or truncate on "hostNodes" for each statement execute function "noteHostChange"();
-- Nodes of a host stand in their order; those that are deleted leave "hostNodes".
create trigger "noteChange" after update of "viewPosition" on "nodes" for each statement execute function "noteHostChange"();
