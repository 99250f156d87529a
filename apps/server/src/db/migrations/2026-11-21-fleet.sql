-- What looking after the fleet needs beyond the baseline.

-- A node whose core is to be ended: set when a node is disabled, cleared when its agent has done so.
alter table "nodeStates" add column "stopRequestedAt" timestamptz(3);
-- Counts requests of starts, stops and compares, so that finishing one never clears a later one of the same instant.
alter table "nodeStates" add column "requestTicket" bigint not null default 0;
-- When this month's traffic of the node passed the share that its administrator wants to hear of.
alter table "nodeStates" add column "trafficNotifiedAt" timestamptz(3);

-- Tells a task from one queued again while it was being worked on.
alter table "deliveries" add column "ticket" bigint not null default 0;

-- Whom the traffic of a name is charged to. A row whose tags are empty says that the node has nothing of this name any
-- more, while connections that were open then may still count; it goes when the core's run ends.
alter table "acknowledgedUsers" add column "userId" bigint not null;

-- Runs of a core whose last counters are booked, so that a repeated or late last sample changes nothing.
create table "bookedCores" (
  "nodeId" bigint not null references "nodes" on delete cascade,
  "coreId" text not null,
  "bookedAt" timestamptz(3) not null default now(),
  primary key ("nodeId", "coreId")
);

-- The server processes that look after nodes, so that each takes its fair share.
create table "fleetServers" (
  "owner" text primary key,
  "expiresAt" timestamptz(3) not null
);
