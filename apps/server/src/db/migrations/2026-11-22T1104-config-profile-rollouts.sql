-- A new revision of a config profile that goes to one node first, is watched there, and then to the others in waves. Until it is
-- over the profile, its inbounds and what subscriptions tell of them stay as they were: only the nodes named here are ahead.

create table "configProfileRollouts" (
  "id" bigint generated always as identity primary key,
  "uuid" uuid not null unique default gen_random_uuid(),
  "profileId" bigint not null references "configProfiles" on delete cascade,
  "jobId" uuid,
  "config" json not null,
  "renamed" jsonb not null default '[]',
  "reason" text,
  "actorKind" text not null,
  "actorName" text,
  "state" text not null default 'running' check ("state" in ('running', 'done', 'failed', 'takenBack')),
  "isPaused" boolean not null default false,
  "error" text,
  "startedAt" timestamptz(3) not null default now(),
  "endedAt" timestamptz(3),
  check (("state" = 'running') = ("endedAt" is null))
);
create index on "configProfileRollouts" ("profileId", "id");
create unique index "configProfileRollouts_open_key" on "configProfileRollouts" ("profileId") where "endedAt" is null;

-- What each inbound of the profile becomes; one that is missing here is gone then.
create table "configProfileRolloutInbounds" (
  "rolloutId" bigint not null references "configProfileRollouts" on delete cascade,
  "inboundId" bigint not null references "configProfileInbounds" on delete cascade,
  "tag" text not null,
  "rawInbound" json not null,
  primary key ("rolloutId", "inboundId")
);
create index on "configProfileRolloutInbounds" ("inboundId");

create table "configProfileRolloutNodes" (
  "rolloutId" bigint not null references "configProfileRollouts" on delete cascade,
  "nodeId" bigint not null references "nodes" on delete cascade,
  "wave" integer not null,
  -- Of those from 'starting' on, the node has the new revision while the roll-out runs.
  "state" text not null default 'waiting' check ("state" in ('waiting', 'skipped', 'starting', 'watched', 'good', 'failed')),
  "since" timestamptz(3) not null default now(),
  "usersBefore" integer not null default 0,
  "usersBack" integer not null default 0,
  -- Numbers of the ledger's readings: the last before the core ran, and the first of the core that is watched.
  "firstReading" bigint,
  "baseReading" bigint,
  "coreEpoch" text,
  "downloadBytes" bigint not null default 0,
  "failure" text check ("failure" in ('core', 'away', 'restarted', 'users', 'bytes')),
  "said" text,
  primary key ("rolloutId", "nodeId")
);
create index on "configProfileRolloutNodes" ("nodeId");

-- The one place that says which nodes are ahead of their profile.
create view "nodesAhead" as
  select ahead."nodeId", rollout."id" as "rolloutId", rollout."config"
  from "configProfileRollouts" rollout
  join "configProfileRolloutNodes" ahead on ahead."rolloutId" = rollout."id"
  join "nodes" node on node."id" = ahead."nodeId" and node."activeConfigProfileId" = rollout."profileId"
  where rollout."endedAt" is null and ahead."state" in ('starting', 'watched', 'good');

-- Inbounds as nodes run them.
create view "runInbounds" as
  select link."nodeId", inbound."id" as "inboundId", coalesce(next."tag", inbound."tag") as "tag", inbound."type",
    coalesce(next."rawInbound", inbound."rawInbound") as "rawInbound"
  from "nodeInbounds" link
  join "nodes" node on node."id" = link."nodeId"
  join "configProfileInbounds" inbound on inbound."id" = link."inboundId" and inbound."profileId" = node."activeConfigProfileId"
  left join "nodesAhead" ahead on ahead."nodeId" = link."nodeId"
  left join "configProfileRolloutInbounds" next on next."rolloutId" = ahead."rolloutId" and next."inboundId" = inbound."id"
  where ahead."nodeId" is null or next."inboundId" is not null;

-- Its agent tries a configuration with the real core before it ends the one that runs; those of the 2.1 generation do not.
alter table "nodeStates" add column "testsConfig" boolean not null default false;

create trigger "tellEvent" after insert or delete or truncate on "configProfileRollouts"
  for each statement execute function "tellEvent"('profiles');
create trigger "tellUpdate" after update on "configProfileRollouts" referencing new table as "changed"
  for each statement execute function "tellUpdate"('profiles');
create trigger "tellUpdate" after update on "configProfileRolloutNodes" for each row
  when (old."state" is distinct from new."state" or old."usersBack" is distinct from new."usersBack")
  execute function "tellEvent"('profiles');
