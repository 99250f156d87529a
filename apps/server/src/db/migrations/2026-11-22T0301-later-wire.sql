-- What panels 2.1.5 to 2.1.19 added: more fields of hosts, and who fetched which subscription when.

alter table "hosts" add "shuffleHost" boolean not null default false;
alter table "hosts" add "mihomoX25519" boolean not null default false;

-- Which nodes an administrator means a host to be served by.
create table "hostNodes" (
  "hostId" bigint not null references "hosts" on delete cascade,
  "nodeId" bigint not null references "nodes" on delete cascade,
  primary key ("hostId", "nodeId")
);
create index "hostNodesByNode" on "hostNodes" ("nodeId");

-- The newest few of each user are kept.
create table "subscriptionRequests" (
  "id" bigint generated always as identity primary key,
  "userId" bigint not null references "users" on delete cascade,
  "requestIp" text,
  "userAgent" text,
  "requestAt" timestamptz(3) not null
);
create index "subscriptionRequestsByUser" on "subscriptionRequests" ("userId", "id");
create index "subscriptionRequestsByTime" on "subscriptionRequests" ("requestAt");

-- All devices are listed by when they were added.
create index "hwidDevicesByTime" on "hwidDevices" ("createdAt", "hwid");
