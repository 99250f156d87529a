-- The order that is kept of many users (decision 024) is one by their usage as well. It is made anew with it.
truncate "userTraffic", "trafficOrder";
alter table "userTraffic"
  add column "usedTrafficBytes" bigint not null default 0,
  add column "lifetimeUsedTrafficBytes" bigint not null default 0;
create index "userTrafficUsed" on "userTraffic" ("usedTrafficBytes", "userId");
create index "userTrafficLifetimeUsed" on "userTraffic" ("lifetimeUsedTrafficBytes", "userId");
