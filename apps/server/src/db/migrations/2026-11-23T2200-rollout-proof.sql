-- A roll-out counts the users of the last minutes, also right after a restart, and waits where no user proves the revision.
-- The most users online at a time: since "usersPeakSince", and in the five minutes before it.
alter table "nodeStates"
  add column "usersPeak" integer not null default 0,
  add column "usersPeakBefore" integer not null default 0,
  add column "usersPeakSince" timestamptz(3);

alter table "configProfileRollouts" add column "isProofWaived" boolean not null default false;
alter table "configProfileRolloutNodes"
  drop constraint "configProfileRolloutNodes_state_check",
  add constraint "configProfileRolloutNodes_state_check"
    check ("state" in ('waiting', 'skipped', 'starting', 'watched', 'unproven', 'good', 'failed'));

create or replace view "nodesAhead" as
  select ahead."nodeId", rollout."id" as "rolloutId", rollout."config"
  from "configProfileRollouts" rollout
  join "configProfileRolloutNodes" ahead on ahead."rolloutId" = rollout."id"
  join "nodes" node on node."id" = ahead."nodeId" and node."activeConfigProfileId" = rollout."profileId"
  where rollout."endedAt" is null and ahead."state" in ('starting', 'watched', 'unproven', 'good');
