-- Users without a value are listed apart (list.queries.ts), so these indexes hold only those with one, each ending in what
-- keeps pages apart. Texts of any length are indexed by their beginning.
drop index "usersTag";
create index "usersTag" on "users" ("tag", "id") where "tag" is not null;
create index "usersRevoked" on "users" ("subRevokedAt", "id") where "subRevokedAt" is not null;
create index "usersReset" on "users" ("lastTrafficResetAt", "id") where "lastTrafficResetAt" is not null;
create index "usersDescription" on "users" (left("description", 100), "id") where "description" is not null;
create index "userAccessesAgent" on "userAccesses" (left("subLastUserAgent", 100), "userId") where "subLastUserAgent" is not null;

-- Does not slow the polls down: PostgreSQL touches it only for users who moved to another node.
create index "userUsageNode" on "userUsage" ("lastConnectedNodeId");

-- Room in each page, so that edits and resets of columns without an index need not touch the indexes.
alter table "users" set (fillfactor = 85);
