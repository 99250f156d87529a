-- The whole data model. Columns carry the words of the API (camelCase), so that no layer renames anything.
create extension if not exists pg_trgm;

-- Who may sign in, and what they did ------------------------------------------------------------------------------

create table "admins" (
  "id" bigint generated always as identity primary key,
  "uuid" uuid not null default gen_random_uuid() unique,
  "username" text not null unique,
  "passwordHash" text not null,
  "role" text not null default 'ADMIN',
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now()
);
-- One administrator only: two registrations at once cannot both succeed.
create unique index "adminsOnlyOne" on "admins" ((true));

create table "sessions" (
  "uuid" uuid primary key default gen_random_uuid(),
  "adminId" bigint not null references "admins" on delete cascade,
  "address" text,
  "userAgent" text,
  "createdAt" timestamptz(3) not null default now(),
  "expiresAt" timestamptz(3) not null,
  "revokedAt" timestamptz(3)
);
create index "sessionsExpiry" on "sessions" ("expiresAt");

-- The token's text is not stored: it is signed anew from the record, so a leaked database leaks no token.
create table "apiTokens" (
  "uuid" uuid primary key default gen_random_uuid(),
  "tokenName" text not null,
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now()
);

create table "signInAttempts" (
  "id" bigint generated always as identity primary key,
  "address" text not null,
  "account" text not null,
  "at" timestamptz(3) not null default now()
);
create index "signInAttemptsByAddress" on "signInAttempts" ("address", "at");
create index "signInAttemptsByAccount" on "signInAttempts" ("account", "at");

create table "oauth2States" (
  "stateHash" text primary key,
  "provider" text not null,
  "browserHash" text not null,
  "expiresAt" timestamptz(3) not null
);

-- Wrapped by the master key, which is not in the database.
create table "secrets" (
  "name" text primary key,
  "wrapped" bytea not null,
  "createdAt" timestamptz(3) not null default now()
);

create table "auditLog" (
  "id" bigint generated always as identity primary key,
  "at" timestamptz(3) not null default now(),
  "actorKind" text not null,
  "actorUuid" uuid,
  "actorName" text,
  "address" text,
  "action" text not null,
  "target" text,
  "before" jsonb,
  "after" jsonb
);
create index "auditLogByTime" on "auditLog" ("at");
create index "auditLogByTarget" on "auditLog" ("target", "at");

-- Config profiles and squads ---------------------------------------------------------------------------------------

-- json, not jsonb: administrators get their configuration back in the order they wrote it.
create table "configProfiles" (
  "id" bigint generated always as identity primary key,
  "uuid" uuid not null default gen_random_uuid() unique,
  "name" text not null unique,
  "config" json not null,
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now()
);

create table "configProfileInbounds" (
  "id" bigint generated always as identity primary key,
  "uuid" uuid not null default gen_random_uuid() unique,
  "profileId" bigint not null references "configProfiles" on delete cascade,
  "tag" text not null unique,
  "type" text not null,
  "network" text,
  "security" text,
  "port" integer,
  "rawInbound" json
);
create index "configProfileInboundsByProfile" on "configProfileInbounds" ("profileId");

create table "internalSquads" (
  "id" bigint generated always as identity primary key,
  "uuid" uuid not null default gen_random_uuid() unique,
  "name" text not null unique,
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now()
);

create table "internalSquadInbounds" (
  "squadId" bigint not null references "internalSquads" on delete cascade,
  "inboundId" bigint not null references "configProfileInbounds" on delete cascade,
  primary key ("squadId", "inboundId")
);
create index "internalSquadInboundsByInbound" on "internalSquadInbounds" ("inboundId");

-- Infrastructure ---------------------------------------------------------------------------------------------------

create table "infraProviders" (
  "id" bigint generated always as identity primary key,
  "uuid" uuid not null default gen_random_uuid() unique,
  "name" text not null unique,
  "faviconLink" text,
  "loginUrl" text,
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now()
);

create table "nodes" (
  "id" bigint generated always as identity primary key,
  "uuid" uuid not null default gen_random_uuid() unique,
  "name" text not null unique,
  "address" text not null unique,
  "port" integer,
  "isDisabled" boolean not null default false,
  "isTrafficTrackingActive" boolean not null default false,
  "trafficLimitBytes" bigint not null default 0,
  "notifyPercent" integer not null default 0,
  "trafficResetDay" integer not null default 1,
  "countryCode" text not null default 'XX',
  "consumptionMultiplier" double precision not null default 1,
  "activeConfigProfileId" bigint references "configProfiles" on delete set null,
  "providerId" bigint references "infraProviders" on delete set null,
  "viewPosition" integer generated by default as identity,
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now()
);
create index "nodesByProfile" on "nodes" ("activeConfigProfileId");

create table "nodeInbounds" (
  "nodeId" bigint not null references "nodes" on delete cascade,
  "inboundId" bigint not null references "configProfileInbounds" on delete cascade,
  primary key ("nodeId", "inboundId")
);
create index "nodeInboundsByInbound" on "nodeInbounds" ("inboundId");

-- What the fleet finds out about a node; apart from what an administrator edits.
create table "nodeStates" (
  "nodeId" bigint primary key references "nodes" on delete cascade,
  "isConnected" boolean not null default false,
  "isConnecting" boolean not null default false,
  "isNodeOnline" boolean not null default false,
  "isXrayRunning" boolean not null default false,
  "lastStatusChange" timestamptz(3),
  "lastStatusMessage" text,
  "xrayVersion" text,
  "nodeVersion" text,
  "xrayUptime" text not null default '0',
  "usersOnline" integer not null default 0,
  "cpuCount" integer,
  "cpuModel" text,
  "totalRam" text,
  "trafficUsedBytes" bigint not null default 0,
  -- When this month's traffic of the node passed the share that its administrator wants to hear of.
  "trafficNotifiedAt" timestamptz(3),
  "warning" text,
  -- A start is wanted: set by changes, cleared when the node has acknowledged a start asked for later.
  "startRequestedAt" timestamptz(3),
  "isRestartForced" boolean not null default false,
  -- The core is to be ended: set when the node is disabled, cleared when its agent has done so.
  "stopRequestedAt" timestamptz(3),
  -- The node's users are to be compared in full before single changes are delivered again.
  "compareRequestedAt" timestamptz(3),
  -- Hash of the configuration that the running core was started with.
  "runningConfigHash" text,
  -- Counts requests of starts, stops and compares, so that finishing one never clears a later one of the same instant.
  "requestTicket" bigint not null default 0,
  -- The traffic ledger: which run of the core the baselines belong to, and the newest sample booked.
  "coreEpoch" text,
  "coreStartedAt" timestamptz(3),
  "sampleSequence" bigint not null default 0,
  "accountedThroughAt" timestamptz(3)
) with (fillfactor = 50);

-- Each node is looked after by one server at a time; a generation never comes back.
create table "nodeLeases" (
  "nodeId" bigint primary key references "nodes" on delete cascade,
  "owner" text not null,
  "generation" bigint not null,
  "expiresAt" timestamptz(3) not null
) with (fillfactor = 50);

create table "nodeTrafficResets" (
  "id" bigint generated always as identity primary key,
  "nodeId" bigint not null references "nodes" on delete cascade,
  "trafficBytes" bigint not null,
  "resetAt" timestamptz(3) not null default now()
);
create index "nodeTrafficResetsByNode" on "nodeTrafficResets" ("nodeId", "resetAt");

-- Users --------------------------------------------------------------------------------------------------------------

create table "users" (
  "id" bigint generated always as identity primary key,
  "uuid" uuid not null default gen_random_uuid() unique,
  "shortUuid" text not null unique,
  "username" text not null,
  "status" text not null default 'ACTIVE',
  "trafficLimitBytes" bigint not null default 0,
  "trafficLimitStrategy" text not null default 'NO_RESET',
  "expireAt" timestamptz(3) not null,
  "description" text,
  "tag" text,
  "telegramId" bigint,
  "email" text,
  "hwidDeviceLimit" integer,
  "trojanPassword" text not null,
  "vlessUuid" uuid not null,
  "ssPassword" text not null,
  "subRevokedAt" timestamptz(3),
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now()
);
-- Xray compares client names without regard to case and refuses a configuration that holds two such names.
create unique index "usersUsername" on "users" (lower("username"));
create index "usersCreated" on "users" ("createdAt", "id");
create index "usersStatusCreated" on "users" ("status", "createdAt", "id");
create index "usersExpire" on "users" ("expireAt");
-- Only users who can still expire: the check every few seconds does not wade through those who have.
create index "usersExpiring" on "users" ("expireAt") where "status" in ('ACTIVE', 'LIMITED');
-- The rest of what users can be sorted by. Writing these costs little beside the text indexes, which every new version of a
-- row pays for anyway; without them each sort reads all users.
create index "usersLimit" on "users" ("trafficLimitBytes", "id");
create index "usersStrategy" on "users" ("trafficLimitStrategy", "id");
create index "usersUpdated" on "users" ("updatedAt", "id");
-- Users without a value are listed apart (list.queries.ts), so these hold only those with one, each ending in what keeps
-- pages apart. Texts of any length are indexed by their beginning.
create index "usersTag" on "users" ("tag", "id") where "tag" is not null;
create index "usersRevoked" on "users" ("subRevokedAt", "id") where "subRevokedAt" is not null;
create index "usersDeviceLimit" on "users" ("hwidDeviceLimit", "id") where "hwidDeviceLimit" is not null;
create index "usersDescription" on "users" (left("description", 100), "id") where "description" is not null;
create index "usersTelegram" on "users" ("telegramId") where "telegramId" is not null;
create index "usersEmail" on "users" ("email") where "email" is not null;
create index "usersUsernameText" on "users" using gin ("username" gin_trgm_ops);
create index "usersShortUuidText" on "users" using gin ("shortUuid" gin_trgm_ops);
create index "usersDescriptionText" on "users" using gin ("description" gin_trgm_ops);
create index "usersEmailText" on "users" using gin ("email" gin_trgm_ops);

-- What changes with every poll: small rows, few indexes. The node is not a foreign key, as checking it would cost
-- every poll a look-up per user; a deleted node simply is not found.
create table "userUsage" (
  "userId" bigint primary key references "users" on delete cascade,
  "usedTrafficBytes" bigint not null default 0,
  "lifetimeUsedTrafficBytes" bigint not null default 0,
  "onlineAt" timestamptz(3),
  "firstConnectedAt" timestamptz(3),
  "lastConnectedNodeId" bigint,
  -- A reset changes the usage, not what an administrator edits: resetting a million users rewrites only these small rows.
  "lastTrafficResetAt" timestamptz(3),
  "lastTriggeredThreshold" integer not null default 0
) with (fillfactor = 70);
-- Does not slow the polls down: PostgreSQL touches it only for users who moved to another node.
create index "userUsageNode" on "userUsage" ("lastConnectedNodeId");

-- What changes with every fetch of the subscription.
create table "userAccesses" (
  "userId" bigint primary key references "users" on delete cascade,
  "subLastOpenedAt" timestamptz(3),
  "subLastUserAgent" text
) with (fillfactor = 70);
create index "userAccessesAgent" on "userAccesses" (left("subLastUserAgent", 100), "userId") where "subLastUserAgent" is not null;

-- Kept counts: each statement that changes users adds its difference, so that no two of them wait for one row.
-- A job folds the rows together; the count of a status is the sum of its rows.
create table "userCounts" (
  "id" bigint generated always as identity primary key,
  "status" text not null,
  "delta" bigint not null
);

create function "countUsers"() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into "userCounts" ("status", "delta") select "status", count(*) from added group by "status";
  elsif tg_op = 'DELETE' then
    insert into "userCounts" ("status", "delta") select "status", -count(*) from removed group by "status";
  else
    insert into "userCounts" ("status", "delta")
      select "status", sum("delta") from (
        select "status", count(*) as "delta" from added group by "status"
        union all
        select "status", -count(*) from removed group by "status"
      ) as changes group by "status" having sum("delta") <> 0;
  end if;
  return null;
end $$;
create trigger "countInsertedUsers" after insert on "users"
  referencing new table as added for each statement execute function "countUsers"();
create trigger "countDeletedUsers" after delete on "users"
  referencing old table as removed for each statement execute function "countUsers"();
create trigger "countUpdatedUsers" after update on "users"
  referencing old table as removed new table as added for each statement execute function "countUsers"();

create table "internalSquadMembers" (
  "squadId" bigint not null references "internalSquads" on delete cascade,
  "userId" bigint not null references "users" on delete cascade,
  primary key ("squadId", "userId")
);
create index "internalSquadMembersByUser" on "internalSquadMembers" ("userId");

create table "hwidDevices" (
  "userId" bigint not null references "users" on delete cascade,
  "hwid" text not null,
  "platform" text,
  "osVersion" text,
  "deviceModel" text,
  "userAgent" text,
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now(),
  primary key ("userId", "hwid")
);

create table "userTrafficResets" (
  "id" bigint generated always as identity primary key,
  "userId" bigint not null references "users" on delete cascade,
  "usedBytes" bigint not null,
  "resetAt" timestamptz(3) not null default now()
);
create index "userTrafficResetsByUser" on "userTrafficResets" ("userId", "resetAt");

-- Traffic ------------------------------------------------------------------------------------------------------------

-- Raw bytes per user, node and UTC day. Partitioned by month and dropped by age. No foreign keys: they would cost
-- every booking two look-ups per row; deleting a user or a node deletes its rows.
create table "userNodeUsage" (
  "day" date not null,
  "nodeId" bigint not null,
  "userId" bigint not null,
  "uploadBytes" bigint not null default 0,
  "downloadBytes" bigint not null default 0,
  primary key ("day", "nodeId", "userId")
) partition by range ("day");
-- Rows of today are updated with every poll, in place where there is room.
create table "userNodeUsageDefault" partition of "userNodeUsage" default with (fillfactor = 70);
create index "userNodeUsageByUser" on "userNodeUsage" ("userId", "day");

create table "nodeUsageHours" (
  "nodeId" bigint not null references "nodes" on delete cascade,
  "hour" timestamptz(3) not null,
  "uploadBytes" bigint not null default 0,
  "downloadBytes" bigint not null default 0,
  "updatedAt" timestamptz(3) not null default now(),
  primary key ("nodeId", "hour")
);
create index "nodeUsageHoursByHour" on "nodeUsageHours" ("hour");

-- Bytes per inbound and outbound tag of a node, for the metrics.
create table "nodeTagUsage" (
  "nodeId" bigint not null references "nodes" on delete cascade,
  "direction" text not null,
  "tag" text not null,
  "uploadBytes" bigint not null default 0,
  "downloadBytes" bigint not null default 0,
  primary key ("nodeId", "direction", "tag")
);

-- The last value booked of each of a core's counters. A baseline outlives its user until the core's run ends, because Xray
-- keeps counting under the name. In chunks instead of a row per counter: a poll of a hundred thousand counters rewrites 32
-- texts, not as many rows.
create table "counterBaselines" (
  "nodeId" bigint not null references "nodes" on delete cascade,
  "chunk" smallint not null,
  -- JSON: counter name ('user>>>alice', 'inbound>>>VLESS') to [uplink, downlink]
  "counters" text not null,
  primary key ("nodeId", "chunk")
) with (fillfactor = 50);
-- Rewritten all the time: compressing would cost more than it saves.
alter table "counterBaselines" alter column "counters" set storage external;

-- Runs of a core whose last counters are booked, so that a repeated or late last sample changes nothing.
create table "bookedCores" (
  "nodeId" bigint not null references "nodes" on delete cascade,
  "coreId" text not null,
  "bookedAt" timestamptz(3) not null default now(),
  primary key ("nodeId", "coreId")
);

-- Delivery -----------------------------------------------------------------------------------------------------------

-- Users whose state a node is still to be told, keyed by name because that is how Xray knows them.
create table "deliveries" (
  "nodeId" bigint not null references "nodes" on delete cascade,
  "username" text not null,
  "queuedAt" timestamptz(3) not null default now(),
  "attempts" integer not null default 0,
  "nextAttemptAt" timestamptz(3) not null default now(),
  "lastError" text,
  -- Tells a task from one queued again while it was being worked on.
  "ticket" bigint not null default 0,
  primary key ("nodeId", "username")
);
create index "deliveriesDue" on "deliveries" ("nodeId", "nextAttemptAt");

-- What a node last acknowledged of a user, and whom the traffic of that name is charged to. A row stays after its user is
-- deleted until the removal is acknowledged. One whose tags are empty says that the node has nothing of this name any more,
-- while connections that were open then may still count; it goes when the core's run ends.
create table "acknowledgedUsers" (
  "nodeId" bigint not null references "nodes" on delete cascade,
  "username" text not null,
  "userId" bigint not null,
  "vlessUuid" uuid not null,
  "tags" text[] not null,
  primary key ("nodeId", "username")
);

-- Hosts and subscriptions --------------------------------------------------------------------------------------------

create table "hosts" (
  "id" bigint generated always as identity primary key,
  "uuid" uuid not null default gen_random_uuid() unique,
  "viewPosition" integer generated by default as identity,
  "remark" text not null,
  "address" text not null,
  "port" integer not null,
  "path" text,
  "sni" text,
  "host" text,
  "alpn" text,
  "fingerprint" text,
  "isDisabled" boolean not null default false,
  "securityLayer" text not null default 'DEFAULT',
  "xHttpExtraParams" json,
  "muxParams" json,
  "sockoptParams" json,
  "serverDescription" text,
  "tag" text,
  "isHidden" boolean not null default false,
  "overrideSniFromAddress" boolean not null default false,
  "vlessRouteId" integer,
  "configProfileId" bigint references "configProfiles" on delete set null,
  "configProfileInboundId" bigint references "configProfileInbounds" on delete set null
);
create index "hostsByInbound" on "hosts" ("configProfileInboundId");
create index "hostsByProfile" on "hosts" ("configProfileId");

create table "subscriptionSettings" (
  "uuid" uuid primary key default gen_random_uuid(),
  "profileTitle" text not null,
  "supportLink" text not null,
  "profileUpdateInterval" integer not null,
  "isProfileWebpageUrlEnabled" boolean not null default true,
  "serveJsonAtBaseSubscription" boolean not null default false,
  "addUsernameToBaseSubscription" boolean not null default false,
  "isShowCustomRemarks" boolean not null default true,
  "happAnnounce" text,
  "happRouting" text,
  "expiredUsersRemarks" json not null,
  "limitedUsersRemarks" json not null,
  "disabledUsersRemarks" json not null,
  "customResponseHeaders" json,
  "randomizeHosts" boolean not null default false,
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now()
);
create unique index "subscriptionSettingsOnlyOne" on "subscriptionSettings" ((true));

create table "subscriptionTemplates" (
  "uuid" uuid primary key default gen_random_uuid(),
  "templateType" text not null unique,
  "templateYaml" text,
  "templateJson" json,
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now()
);

-- Billing ------------------------------------------------------------------------------------------------------------

create table "infraBillingNodes" (
  "id" bigint generated always as identity primary key,
  "uuid" uuid not null default gen_random_uuid() unique,
  "nodeId" bigint not null references "nodes" on delete cascade,
  "providerId" bigint not null references "infraProviders" on delete cascade,
  "nextBillingAt" timestamptz(3) not null,
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now(),
  unique ("nodeId", "providerId")
);
create index "infraBillingNodesNext" on "infraBillingNodes" ("nextBillingAt");

create table "infraBillingRecords" (
  "id" bigint generated always as identity primary key,
  "uuid" uuid not null default gen_random_uuid() unique,
  "providerId" bigint not null references "infraProviders" on delete cascade,
  "amount" numeric(14, 2) not null,
  "billedAt" timestamptz(3) not null
);
create index "infraBillingRecordsBilled" on "infraBillingRecords" ("billedAt");

-- Long work ------------------------------------------------------------------------------------------------------------

-- Each batch commits its changes together with `cursor` and `done`, so that work cut off goes on where it was.
create table "jobs" (
  "id" uuid primary key default gen_random_uuid(),
  "kind" text not null,
  "status" text not null default 'queued',
  "payload" jsonb not null default '{}',
  "cursor" bigint not null default 0,
  "done" bigint not null default 0,
  "total" bigint not null default 0,
  "error" text,
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now(),
  "finishedAt" timestamptz(3)
);
create index "jobsOpen" on "jobs" ("createdAt") where "finishedAt" is null;
-- Resets by strategy find the job of a period, and the newest of a strategy.
create index "jobsByKind" on "jobs" ("kind", "createdAt");

create table "jobTargets" (
  "jobId" uuid not null references "jobs" on delete cascade,
  "userId" bigint not null,
  primary key ("jobId", "userId")
);

-- The servers themselves ------------------------------------------------------------------------------------------------

-- The server processes that look after nodes, so that each takes its fair share.
create table "fleetServers" (
  "owner" text primary key,
  "expiresAt" timestamptz(3) not null
);

-- The server processes that share this database tell each other that they live. Lost with a crash, as they are themselves.
create unlogged table "serverProcesses" (
  "id" uuid primary key,
  "role" text not null,
  "startedAt" timestamptz(3) not null,
  "seenAt" timestamptz(3) not null,
  "memoryBytes" bigint not null,
  "cpuPercent" double precision not null
);

-- Servers keep what subscriptions are made of in memory. Whoever changes any of it, by whatever path, tells them all when
-- the change is committed; a notice repeated within a transaction is sent once.
create function "tellSubscriptionChange"() returns trigger language plpgsql as $$
begin
  perform pg_notify('subscriptionChange', '');
  return null;
end $$;

create trigger "tellSubscriptionChange" after insert or update or delete or truncate on "hosts"
  for each statement execute function "tellSubscriptionChange"();
create trigger "tellSubscriptionChange" after insert or update or delete or truncate on "configProfileInbounds"
  for each statement execute function "tellSubscriptionChange"();
create trigger "tellSubscriptionChange" after insert or update or delete or truncate on "internalSquadInbounds"
  for each statement execute function "tellSubscriptionChange"();
create trigger "tellSubscriptionChange" after insert or update or delete or truncate on "subscriptionSettings"
  for each statement execute function "tellSubscriptionChange"();
create trigger "tellSubscriptionChange" after insert or update or delete or truncate on "subscriptionTemplates"
  for each statement execute function "tellSubscriptionChange"();
