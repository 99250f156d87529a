-- The outbox. A domain event is a row written by the transaction that made it true. Triggers write it, so that no path is
-- forgotten: single edits, jobs, the traffic ledger, undo and hand-written SQL are alike. They are deferred to the commit: a
-- snapshot shows what the transaction leaves behind. The row lock is held until then, so ids of one thing rise in the order of
-- commits. Nothing is written while there is no reader.
create table "outbox" (
  "id" bigint generated always as identity primary key,
  "event" text not null,
  "thing" text not null,
  "at" timestamptz(3) not null,
  -- Rows as they were: {"users": {...}, "userUsage": {...}, ...}. Null where the event is about no user and no node.
  "snapshot" jsonb,
  "facts" jsonb not null,
  "transaction" xid8 not null default pg_current_xact_id()
);
create index "outboxThing" on "outbox" ("thing");

-- Published events. One publisher at a time numbers what was committed, so that a cursor over "position" skips nothing: a
-- sequence alone is drawn before the commit, and a lower number could become visible later.
create table "domainEvents" (
  "position" bigint generated always as identity primary key,
  "uuid" uuid not null unique default gen_random_uuid(),
  "event" text not null,
  "thing" text not null,
  "at" timestamptz(3) not null,
  -- The member `data` of a webhook's body: text, as it is signed.
  "data" text not null,
  "facts" jsonb not null
);
create index "domainEventsAt" on "domainEvents" ("at");

create table "webhooks" (
  "id" bigint generated always as identity primary key,
  "uuid" uuid not null unique default gen_random_uuid(),
  "name" text not null,
  "url" text not null,
  -- Names of events; null: all.
  "events" jsonb,
  "expiryNames" text not null check ("expiryNames" in ('old', 'new')),
  "isPaused" boolean not null default false,
  "isFromEnvironment" boolean not null default false,
  -- Wrapped by the master key.
  "secret" text not null,
  "previousSecret" text,
  "previousSecretEndsAt" timestamptz(3),
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now()
);

-- What changes with every delivery.
create table "webhookStates" (
  "webhookId" bigint primary key references "webhooks" on delete cascade,
  -- The cursor: events up to this one have become deliveries.
  "position" bigint not null,
  "missed" bigint not null default 0,
  "lastSuccessAt" timestamptz(3),
  -- Attempts that failed since the last success, and since when.
  "failures" integer not null default 0,
  "failingSince" timestamptz(3),
  "lastError" text,
  -- Stopped by itself after a day without success.
  "stoppedAt" timestamptz(3),
  -- During the overlap of a rotation: the receiver has accepted the new secret.
  "hasNewSecret" boolean not null default false
);

create table "webhookDeliveries" (
  "id" bigint generated always as identity primary key,
  "uuid" uuid not null unique default gen_random_uuid(),
  "webhookId" bigint not null references "webhooks" on delete cascade,
  "position" bigint not null references "domainEvents" on delete cascade,
  "thing" text not null,
  "event" text not null,
  "state" text not null default 'waiting' check ("state" in ('waiting', 'delivered', 'failed')),
  "attempts" integer not null default 0,
  "firstAttemptAt" timestamptz(3),
  "nextAttemptAt" timestamptz(3) not null,
  "endedAt" timestamptz(3),
  "status" integer,
  "error" text,
  unique ("webhookId", "position")
);
create index "webhookDeliveriesWaiting" on "webhookDeliveries" ("webhookId", "id") where "state" = 'waiting';
create index "webhookDeliveriesFailed" on "webhookDeliveries" ("webhookId", "id") where "state" = 'failed';
create index "webhookDeliveriesPosition" on "webhookDeliveries" ("position");

create table "webhookAttempts" (
  "deliveryId" bigint not null references "webhookDeliveries" on delete cascade,
  "number" integer not null,
  "at" timestamptz(3) not null,
  "durationMs" integer not null,
  "status" integer,
  -- The first 2 kB.
  "answer" text,
  "error" text,
  primary key ("deliveryId", "number")
);

-- Up to when moments such as "expires in 24 hours" have been looked for.
create table "eventLooks" ("name" text primary key, "throughAt" timestamptz(3) not null);

-- A migration is no domain event, and sets `causeway.quiet`.
create function "hasEventReaders"() returns boolean language sql stable as $$
  select coalesce(current_setting('causeway.quiet', true), '') <> 'on' and exists (select from "webhooks")
$$;

create function "emitEvent"("event" text, "thing" text, "snapshot" jsonb, "facts" jsonb default '{}') returns void language sql as $$
  insert into "outbox" ("event", "thing", "at", "snapshot", "facts") values ($1, $2, clock_timestamp(), $3, $4)
$$;

-- A transaction may touch a thing in several statements; it has been modified once, and not at all where it is new.
create function "emitModified"("event" text, "created" text, "thing" text, "snapshot" jsonb) returns void language sql as $$
  select "emitEvent"($1, $3, $4) where not exists (
    select from "outbox" where "outbox"."thing" = $3 and "outbox"."event" in ($1, $2) and "outbox"."transaction" = pg_current_xact_id())
$$;

create function "userSnapshot"("userId" bigint) returns jsonb language sql stable as $$
  select jsonb_build_object('users', to_jsonb("user"), 'userUsage', to_jsonb("usage"), 'userAccesses', to_jsonb("access"),
    'internalSquadMembers', coalesce((
      select jsonb_agg(to_jsonb("member")) from "internalSquadMembers" as "member" where "member"."userId" = "user"."id"), '[]'))
  from "users" as "user"
  left join "userUsage" as "usage" on "usage"."userId" = "user"."id"
  left join "userAccesses" as "access" on "access"."userId" = "user"."id"
  where "user"."id" = $1
$$;

create function "nodeSnapshot"("nodeId" bigint) returns jsonb language sql stable as $$
  select jsonb_build_object('nodes', to_jsonb("node"), 'nodeStates', to_jsonb("state"),
    'nodeInbounds', coalesce((select jsonb_agg(to_jsonb("link")) from "nodeInbounds" as "link" where "link"."nodeId" = "node"."id"), '[]'))
  from "nodes" as "node" join "nodeStates" as "state" on "state"."nodeId" = "node"."id" where "node"."id" = $1
$$;

create function "emitUserEvents"() returns trigger language plpgsql as $$
declare
  "snapshot" jsonb;
  "thing" text := 'user ' || new."uuid";
  -- What has an event of its own.
  "other" text[] := array['status', 'updatedAt', 'subRevokedAt'];
begin
  if not "hasEventReaders"() then return null; end if;
  "snapshot" := "userSnapshot"(new."id");
  if "snapshot" is null then return null; end if; -- deleted by the same transaction
  if tg_op = 'INSERT' then
    perform "emitEvent"('user.created', "thing", "snapshot");
    return null;
  end if;
  if new."subRevokedAt" is not null and new."subRevokedAt" is distinct from old."subRevokedAt" then
    perform "emitEvent"('user.revoked', "thing", "snapshot");
    "other" := "other" || array['shortUuid', 'trojanPassword', 'vlessUuid', 'ssPassword'];
  end if;
  -- An edit that leaves everything as it was is an edit; a reset of the traffic touches the user too, and has its own event.
  if to_jsonb(old) - "other" is distinct from to_jsonb(new) - "other" or (new."status" = old."status"
    and new."subRevokedAt" is not distinct from old."subRevokedAt"
    and ("snapshot"->'userUsage'->>'lastTrafficResetAt')::timestamptz is distinct from new."updatedAt") then
    perform "emitModified"('user.modified', 'user.created', "thing", "snapshot");
  end if;
  if new."status" <> old."status" then
    perform "emitEvent"(case new."status" when 'ACTIVE' then 'user.enabled' when 'DISABLED' then 'user.disabled'
      when 'LIMITED' then 'user.limited' else 'user.expired' end, "thing", "snapshot");
  end if;
  return null;
end $$;

-- Before: usage, squads and devices go with the user.
create function "emitUserDeleted"() returns trigger language plpgsql as $$
begin
  if "hasEventReaders"() then
    perform "emitEvent"('user.deleted', 'user ' || old."uuid", "userSnapshot"(old."id"));
  end if;
  return old;
end $$;

create function "emitUsageEvents"() returns trigger language plpgsql as $$
declare
  "snapshot" jsonb;
  "thing" text;
begin
  if not "hasEventReaders"() then return null; end if;
  "snapshot" := "userSnapshot"(new."userId");
  if "snapshot" is null then return null; end if;
  "thing" := 'user ' || ("snapshot"->'users'->>'uuid');
  if old."firstConnectedAt" is null and new."firstConnectedAt" is not null then
    perform "emitEvent"('user.first_connected', "thing", "snapshot");
  end if;
  if new."lastTriggeredThreshold" > old."lastTriggeredThreshold" then
    perform "emitEvent"('user.bandwidth_usage_threshold_reached', "thing", "snapshot");
  end if;
  if new."lastTrafficResetAt" > coalesce(old."lastTrafficResetAt", '-infinity') then
    perform "emitEvent"('user.traffic_reset', "thing", "snapshot");
  end if;
  return null;
end $$;

create function "emitMemberEvents"() returns trigger language plpgsql as $$
declare
  "snapshot" jsonb;
begin
  if not "hasEventReaders"() then return null; end if;
  "snapshot" := "userSnapshot"(case tg_op when 'DELETE' then old."userId" else new."userId" end);
  if "snapshot" is not null then
    perform "emitModified"('user.modified', 'user.created', 'user ' || ("snapshot"->'users'->>'uuid'), "snapshot");
  end if;
  return null;
end $$;

create function "emitDeviceEvents"() returns trigger language plpgsql as $$
declare
  "snapshot" jsonb;
  "device" jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  if not "hasEventReaders"() then return null; end if;
  "snapshot" := "userSnapshot"(("device"->>'userId')::bigint);
  if "snapshot" is not null then -- a user that is deleted says so once
    perform "emitEvent"(case tg_op when 'DELETE' then 'user_hwid_devices.deleted' else 'user_hwid_devices.added' end,
      'user ' || ("snapshot"->'users'->>'uuid'), "snapshot", jsonb_build_object('device', "device"));
  end if;
  return null;
end $$;

create function "emitNodeEvents"() returns trigger language plpgsql as $$
declare
  "snapshot" jsonb;
  "thing" text := 'node ' || new."uuid";
  "other" constant text[] := array['isDisabled', 'updatedAt', 'viewPosition'];
begin
  if not "hasEventReaders"() then return null; end if;
  "snapshot" := "nodeSnapshot"(new."id");
  if "snapshot" is null then return null; end if;
  if tg_op = 'INSERT' then
    perform "emitEvent"('node.created', "thing", "snapshot");
    return null;
  end if;
  if to_jsonb(old) - "other" is distinct from to_jsonb(new) - "other" then
    perform "emitModified"('node.modified', 'node.created', "thing", "snapshot");
  end if;
  if new."isDisabled" <> old."isDisabled" then
    perform "emitEvent"(case when new."isDisabled" then 'node.disabled' else 'node.enabled' end, "thing", "snapshot");
  end if;
  return null;
end $$;

create function "emitNodeDeleted"() returns trigger language plpgsql as $$
begin
  if "hasEventReaders"() then
    perform "emitEvent"('node.deleted', 'node ' || old."uuid", "nodeSnapshot"(old."id"));
  end if;
  return old;
end $$;

create function "emitNodeInboundEvents"() returns trigger language plpgsql as $$
declare
  "snapshot" jsonb;
begin
  if not "hasEventReaders"() then return null; end if;
  "snapshot" := "nodeSnapshot"(case tg_op when 'DELETE' then old."nodeId" else new."nodeId" end);
  if "snapshot" is not null then
    perform "emitModified"('node.modified', 'node.created', 'node ' || ("snapshot"->'nodes'->>'uuid'), "snapshot");
  end if;
  return null;
end $$;

create function "emitNodeStateEvents"() returns trigger language plpgsql as $$
declare
  "snapshot" jsonb;
  "thing" text;
begin
  if not "hasEventReaders"() then return null; end if;
  "snapshot" := "nodeSnapshot"(new."nodeId");
  if "snapshot" is null then return null; end if;
  "thing" := 'node ' || ("snapshot"->'nodes'->>'uuid');
  -- A node that is switched off is not lost.
  if old."isConnected" and not new."isConnected" and not ("snapshot"->'nodes'->>'isDisabled')::boolean then
    perform "emitEvent"('node.connection_lost', "thing", "snapshot");
  end if;
  if new."isConnected" and not old."isConnected" then
    perform "emitEvent"('node.connection_restored', "thing", "snapshot");
  end if;
  if old."trafficNotifiedAt" is null and new."trafficNotifiedAt" is not null then
    perform "emitEvent"('node.traffic_notify', "thing", "snapshot");
  end if;
  return null;
end $$;

create function "emitTokenEvents"() returns trigger language plpgsql as $$
declare
  "token" jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  if not "hasEventReaders"() then return null; end if;
  perform "emitEvent"(case tg_op when 'DELETE' then 'service.api_token_deleted' else 'service.api_token_created' end,
    'token ' || ("token"->>'uuid'), null, jsonb_build_object('token', "token"));
  return null;
end $$;

create function "emitSubscriptionPageEvents"() returns trigger language plpgsql as $$
begin
  if not "hasEventReaders"() then return null; end if;
  perform "emitEvent"('service.subpage_config_changed', 'subscription page', null, jsonb_build_object('action', tg_op,
    'uuid', case tg_op when 'DELETE' then old."uuid" else new."uuid" end));
  return null;
end $$;

create constraint trigger "emitCreated" after insert on "users" deferrable initially deferred
  for each row execute function "emitUserEvents"();
create constraint trigger "emitChanged" after update on "users" deferrable initially deferred
  for each row when (old.* is distinct from new.*) execute function "emitUserEvents"();
create trigger "emitDeleted" before delete on "users" for each row execute function "emitUserDeleted"();
create constraint trigger "emitChanged" after update on "userUsage" deferrable initially deferred
  for each row when ((old."firstConnectedAt" is null and new."firstConnectedAt" is not null)
    or new."lastTriggeredThreshold" > old."lastTriggeredThreshold"
    or new."lastTrafficResetAt" > coalesce(old."lastTrafficResetAt", '-infinity'::timestamptz))
  execute function "emitUsageEvents"();
create constraint trigger "emitChanged" after insert or delete on "internalSquadMembers" deferrable initially deferred
  for each row execute function "emitMemberEvents"();
create constraint trigger "emitChanged" after insert or delete on "hwidDevices" deferrable initially deferred
  for each row execute function "emitDeviceEvents"();
create constraint trigger "emitCreated" after insert on "nodes" deferrable initially deferred
  for each row execute function "emitNodeEvents"();
create constraint trigger "emitChanged" after update on "nodes" deferrable initially deferred
  for each row when (old.* is distinct from new.*) execute function "emitNodeEvents"();
create trigger "emitDeleted" before delete on "nodes" for each row execute function "emitNodeDeleted"();
create constraint trigger "emitChanged" after insert or delete on "nodeInbounds" deferrable initially deferred
  for each row execute function "emitNodeInboundEvents"();
create constraint trigger "emitChanged" after update on "nodeStates" deferrable initially deferred
  for each row when (old."isConnected" <> new."isConnected" or (old."trafficNotifiedAt" is null and new."trafficNotifiedAt" is not null))
  execute function "emitNodeStateEvents"();
create constraint trigger "emitChanged" after insert or delete on "apiTokens" deferrable initially deferred
  for each row execute function "emitTokenEvents"();
create constraint trigger "emitChanged" after insert or update or delete on "subscriptionPages" deferrable initially deferred
  for each row execute function "emitSubscriptionPageEvents"();
