-- Users without a value are listed apart (list.queries.ts), so these indexes hold only those with one, each ending in what
-- keeps pages apart. Texts of any length are indexed by their beginning.
drop index "usersTag";
create index "usersTag" on "users" ("tag", "id") where "tag" is not null;
create index "usersRevoked" on "users" ("subRevokedAt", "id") where "subRevokedAt" is not null;
create index "usersDeviceLimit" on "users" ("hwidDeviceLimit", "id") where "hwidDeviceLimit" is not null;
create index "usersDescription" on "users" (left("description", 100), "id") where "description" is not null;
create index "userAccessesAgent" on "userAccesses" (left("subLastUserAgent", 100), "userId") where "subLastUserAgent" is not null;

-- The rest of what users can be sorted by. Writing them costs little beside the text indexes, which every new version of a
-- row pays for anyway; without them each sort reads all users.
create index "usersLimit" on "users" ("trafficLimitBytes", "id");
create index "usersStrategy" on "users" ("trafficLimitStrategy", "id");
create index "usersUpdated" on "users" ("updatedAt", "id");

-- Does not slow the polls down: PostgreSQL touches it only for users who moved to another node.
create index "userUsageNode" on "userUsage" ("lastConnectedNodeId");

