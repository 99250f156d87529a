-- Baselines in chunks instead of a row per counter: a poll of a hundred thousand counters rewrites 32 texts, not as many rows.
drop table "counterBaselines";
create table "counterBaselines" (
  "nodeId" bigint not null references "nodes" on delete cascade,
  "chunk" smallint not null,
  -- JSON: [name, uplink, downlink] of each counter
  "counters" text not null,
  primary key ("nodeId", "chunk")
) with (fillfactor = 50);
-- Rewritten all the time: compressing would cost more than it saves.
alter table "counterBaselines" alter column "counters" set storage external;

-- Rows of today are updated with every poll, in place where there is room.
alter table "userNodeUsageDefault" set (fillfactor = 70);
