-- An update of the agent or of Xray goes from node to node as a roll-out without a profile.
alter table "configProfileRollouts"
  alter column "profileId" drop not null,
  alter column "config" drop not null,
  add column "part" text check ("part" in ('agent', 'core')),
  add column "version" text,
  -- Nothing is begun before.
  add column "beginsAt" timestamptz(3),
  add constraint "configProfileRollouts_what_check" check (
    ("part" is null) = ("profileId" is not null) and ("part" is null) = ("config" is not null)
    and ("part" is null) = ("version" is null));
create unique index "configProfileRollouts_openUpdate_key" on "configProfileRollouts" ((true))
  where "part" is not null and "endedAt" is null;

alter table "configProfileRolloutNodes"
  drop constraint "configProfileRolloutNodes_failure_check",
  add constraint "configProfileRolloutNodes_failure_check"
    check ("failure" in ('core', 'away', 'restarted', 'users', 'bytes', 'update'));

-- What the fleet is to do with a part of a node, until it is done; then the release that it came from, or why it was refused.
alter table "nodeStates"
  add column "isUpdatable" boolean not null default false,
  add column "partWanted" text check ("partWanted" in ('agent', 'core')),
  add column "isPartReturned" boolean not null default false,
  add column "partDigest" text,
  add column "partError" text;
