-- The database as it is after all migrations; schema.test.ts writes and compares this file. Change a migration, not this.

-- functions

CREATE OR REPLACE FUNCTION public."countUsers"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public."dayOf"(timestamp with time zone)
 RETURNS date
 LANGUAGE sql
 STABLE
AS $function$
  select ($1 at time zone coalesce((select "timeZone" from "installation"), 'UTC'))::date
$function$
;

CREATE OR REPLACE FUNCTION public."emitDeviceEvents"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  "snapshot" jsonb;
  "device" jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  if not "hasEventReaders"('user_hwid_devices') then return null; end if;
  "snapshot" := "userSnapshot"(("device"->>'userId')::bigint);
  if "snapshot" is not null then -- a user that is deleted says so once
    perform "emitEvent"(case tg_op when 'DELETE' then 'user_hwid_devices.deleted' else 'user_hwid_devices.added' end,
      'user ' || ("snapshot"->'users'->>'uuid'), "snapshot", jsonb_build_object('device', "device"));
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public."emitEvent"(event text, thing text, snapshot jsonb, facts jsonb DEFAULT '{}'::jsonb)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into "outbox" ("event", "thing", "at", "snapshot", "facts") values ($1, $2, clock_timestamp(), $3, $4)
$function$
;

CREATE OR REPLACE FUNCTION public."emitMemberEvents"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  "snapshot" jsonb;
begin
  if not "hasEventReaders"('user') then return null; end if;
  "snapshot" := "userSnapshot"(case tg_op when 'DELETE' then old."userId" else new."userId" end);
  if "snapshot" is not null then
    perform "emitModified"('user.modified', 'user.created', 'user ' || ("snapshot"->'users'->>'uuid'), "snapshot");
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public."emitModified"(event text, created text, thing text, snapshot jsonb)
 RETURNS void
 LANGUAGE sql
AS $function$
  select "emitEvent"($1, $3, $4) where not exists (
    select from "outbox" where "outbox"."thing" = $3 and "outbox"."event" in ($1, $2) and "outbox"."transaction" = pg_current_xact_id())
$function$
;

CREATE OR REPLACE FUNCTION public."emitNodeDeleted"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if "hasEventReaders"('node') then
    perform "emitEvent"('node.deleted', 'node ' || old."uuid", "nodeSnapshot"(old."id"));
  end if;
  return old;
end $function$
;

CREATE OR REPLACE FUNCTION public."emitNodeEvents"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  "snapshot" jsonb;
  "thing" text := 'node ' || new."uuid";
  "other" constant text[] := array['isDisabled', 'updatedAt', 'viewPosition'];
begin
  if not "hasEventReaders"('node') then return null; end if;
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
end $function$
;

CREATE OR REPLACE FUNCTION public."emitNodeInboundEvents"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  "snapshot" jsonb;
begin
  if not "hasEventReaders"('node') then return null; end if;
  "snapshot" := "nodeSnapshot"(case tg_op when 'DELETE' then old."nodeId" else new."nodeId" end);
  if "snapshot" is not null then
    perform "emitModified"('node.modified', 'node.created', 'node ' || ("snapshot"->'nodes'->>'uuid'), "snapshot");
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public."emitNodeStateEvents"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  "snapshot" jsonb;
  "thing" text;
begin
  if not "hasEventReaders"('node') then return null; end if;
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
end $function$
;

CREATE OR REPLACE FUNCTION public."emitSubscriptionPageEvents"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not "hasEventReaders"('service') then return null; end if;
  perform "emitEvent"('service.subpage_config_changed', 'subscription page', null, jsonb_build_object('action', tg_op,
    'uuid', case tg_op when 'DELETE' then old."uuid" else new."uuid" end));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public."emitTokenEvents"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  "token" jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  if not "hasEventReaders"('service') then return null; end if;
  perform "emitEvent"(case tg_op when 'DELETE' then 'service.api_token_deleted' else 'service.api_token_created' end,
    'token ' || ("token"->>'uuid'), null, jsonb_build_object('token', "token"));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public."emitTorrentReport"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  "snapshot" jsonb;
begin
  if not "hasEventReaders"('torrent_blocker') then return null; end if;
  "snapshot" := "userSnapshot"(new."userId");
  if "snapshot" is not null then
    perform "emitEvent"('torrent_blocker.report', 'user ' || ("snapshot"->'users'->>'uuid'),
      "snapshot" || "nodeSnapshot"(new."nodeId"), jsonb_build_object('torrent', to_jsonb(new)));
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public."emitUsageEvents"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  "snapshot" jsonb;
  "thing" text;
begin
  if not "hasEventReaders"('user') then return null; end if;
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
end $function$
;

CREATE OR REPLACE FUNCTION public."emitUserDeleted"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if "hasEventReaders"('user') then
    perform "emitEvent"('user.deleted', 'user ' || old."uuid", "userSnapshot"(old."id"));
  end if;
  return old;
end $function$
;

CREATE OR REPLACE FUNCTION public."emitUserEvents"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  "snapshot" jsonb;
  "thing" text := 'user ' || new."uuid";
  -- What has an event of its own.
  "other" text[] := array['status', 'updatedAt', 'subRevokedAt'];
begin
  if not "hasEventReaders"('user') then return null; end if;
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
end $function$
;

CREATE OR REPLACE FUNCTION public."endHostDisabledUntil"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new."disabledUntil" = null;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public."hasEventReaders"(family text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(current_setting('causeway.quiet', true), '') <> 'on' and (exists (select from "webhooks") or exists (
    select from "noticeRules" where not "isPaused" and case $1
      when 'user' then "condition" in ('usersLimited', 'usersExpired', 'userEvents')
      when 'node' then "condition" in ('nodeDown', 'nodeTraffic', 'nodeEvents', 'weekSummary')
      when 'service' then "condition" in ('signIn', 'signInNew', 'signInFailed', 'serviceEvents')
      when 'crm' then "condition" = 'billEvents'
      when 'user_hwid_devices' then false
      else true end))
$function$
;

CREATE OR REPLACE FUNCTION public."keepBilledDay"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new."billedOn" := coalesce(new."billedOn", "dayOf"(new."billedAt"));
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public."keepBillingDay"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  "of" bigint;
begin
  if tg_op = 'INSERT' then
    new."nextBillingOn" := coalesce(new."nextBillingOn", "dayOf"(new."nextBillingAt"));
    new."billingDay" := coalesce(new."billingDay", extract(day from new."nextBillingOn"));
  elsif new."nextBillingAt" <> old."nextBillingAt" and new."nextBillingOn" = old."nextBillingOn" then
    new."nextBillingOn" := "dayOf"(new."nextBillingAt");
    "of" := extract(day from new."nextBillingOn");
    if "of" > old."billingDay" or extract(day from new."nextBillingOn" + 1) <> 1 then
      new."billingDay" := "of";
    end if;
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public."keepHostTags"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  former jsonb = case when tg_op = 'INSERT' then '[]'::jsonb else old."tags" end;
begin
  if new."tags" = former and (tg_op = 'INSERT' or new."tag" is distinct from old."tag") then
    new."tags" = case when new."tag" is null then '[]'::jsonb else jsonb_build_array(new."tag") || ((former - 0) - new."tag") end;
  end if;
  new."tag" = new."tags" ->> 0;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public."keepNodeUsageDays"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' then
    insert into "nodeUsageDays" as kept ("day", "nodeId", "uploadBytes", "downloadBytes")
      select "dayOf"("quarter"), "nodeId", sum("uploadBytes"), sum("downloadBytes") from (
        select "quarter", "nodeId", "uploadBytes", "downloadBytes" from added
        union all
        select "quarter", "nodeId", -"uploadBytes", -"downloadBytes" from removed
      ) as changes group by 1, 2 order by 1, 2
      on conflict ("day", "nodeId") do update set "uploadBytes" = kept."uploadBytes" + excluded."uploadBytes",
        "downloadBytes" = kept."downloadBytes" + excluded."downloadBytes";
  else
    insert into "nodeUsageDays" as kept ("day", "nodeId", "uploadBytes", "downloadBytes")
      select "dayOf"("quarter"), "nodeId", sum("uploadBytes"), sum("downloadBytes") from added
      group by 1, 2 order by 1, 2
      on conflict ("day", "nodeId") do update set "uploadBytes" = kept."uploadBytes" + excluded."uploadBytes",
        "downloadBytes" = kept."downloadBytes" + excluded."downloadBytes";
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public."keepTemplateLabel"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new."label" = case when new."name" = 'Default' then new."templateType" else new."templateType" || ' ' || new."name" end;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public."nodePhase"(state "nodeStates")
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when "state"."isConnected" and "state"."isConnecting" then 'restarting'
    when "state"."isConnected" then 'connected'
    when (select "isDisabled" from "nodes" where "id" = "state"."nodeId") then 'disabled'
    when "state"."isConnecting" then 'connecting'
    when "state"."isNodeOnline" then 'coreDown'
    else 'agentAway'
  end
$function$
;

CREATE OR REPLACE FUNCTION public."nodeSnapshot"("nodeId" bigint)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object('nodes', to_jsonb("node"), 'nodeStates', to_jsonb("state"),
    'nodeInbounds', coalesce((select jsonb_agg(to_jsonb("link")) from "nodeInbounds" as "link" where "link"."nodeId" = "node"."id"), '[]'))
  from "nodes" as "node" join "nodeStates" as "state" on "state"."nodeId" = "node"."id" where "node"."id" = $1
$function$
;

CREATE OR REPLACE FUNCTION public."noteHostChange"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into "hostChanges" default values;
  delete from "hostChanges" where "token" in (
    select "token" from "hostChanges" where "at" < now() - interval '1 minute' for update skip locked
  );
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public."noteNodePhase"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  "last" "nodePhases";
  "now" text := "nodePhase"(new);
  -- A new core under a node that serves: it ended by itself and was started again.
  "isNewCore" boolean := "now" = 'connected' and old."isConnected" and not old."isConnecting"
    and old."coreEpoch" is not null and new."coreEpoch" is distinct from old."coreEpoch";
begin
  select * into "last" from "nodePhases" where "nodeId" = new."nodeId" order by "beganAt" desc limit 1;
  -- Tries to reach a node that is away belong to its absence.
  if "now" = 'connecting' and "last"."phase" in ('agentAway', 'coreDown') then return null; end if;
  -- The core that a start brought is read soon after it.
  if "now" = "last"."phase" and not ("isNewCore" and "last"."beganAt" < clock_timestamp() - interval '1 minute') then return null; end if;
  insert into "nodePhases" ("nodeId", "beganAt", "phase", "reason")
  values (new."nodeId", clock_timestamp(), "now", new."lastStatusMessage")
  on conflict ("nodeId", "beganAt") do update set "phase" = excluded."phase", "reason" = excluded."reason";
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public."placeUsers"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from "trafficOrder") then
    if tg_op = 'INSERT' then
      insert into "userTraffic" ("userId") select "id" from added on conflict do nothing;
    else
      delete from "userTraffic" where "userId" in (select "id" from removed);
    end if;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public."tellEvent"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('events', tg_argv[0]);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public."tellJobs"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('jobs', '');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public."tellSoon"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into "untold" values (tg_argv[0], tg_argv[1]);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public."tellSubscriptionChange"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('subscriptionChange', '');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public."tellUpdate"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from "changed") then perform pg_notify('events', tg_argv[0]); end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public."tellUpdateSoon"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from "changed") then insert into "untold" values (tg_argv[0], tg_argv[1]); end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public."userSnapshot"("userId" bigint)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object('users', to_jsonb("user"), 'userUsage', to_jsonb("usage"), 'userAccesses', to_jsonb("access"),
    'internalSquadMembers', coalesce((
      select jsonb_agg(to_jsonb("member")) from "internalSquadMembers" as "member" where "member"."userId" = "user"."id"), '[]'))
  from "users" as "user"
  left join "userUsage" as "usage" on "usage"."userId" = "user"."id"
  left join "userAccesses" as "access" on "access"."userId" = "user"."id"
  where "user"."id" = $1
$function$
;
-- sequences


-- tables

create table "acknowledgedUsers" (
  "nodeId" bigint not null,
  username text not null,
  "userId" bigint not null,
  "vlessUuid" uuid not null,
  tags text[] not null,
  constraint "acknowledgedUsers_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "acknowledgedUsers_pkey" PRIMARY KEY ("nodeId", username)
) with ();

create table "adminIdentities" (
  uuid uuid default gen_random_uuid() not null,
  provider text not null,
  subject text not null,
  label text not null,
  "adminId" bigint not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  constraint "adminIdentities_adminId_fkey" FOREIGN KEY ("adminId") REFERENCES admins(id) ON DELETE CASCADE,
  constraint "adminIdentities_pkey" PRIMARY KEY (uuid),
  constraint "adminIdentities_provider_subject_key" UNIQUE (provider, subject)
) with ();

create table admins (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  username text not null,
  "passwordHash" text not null,
  role text default 'ADMIN'::text not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  "builtInRole" text default 'owner'::text,
  "roleId" bigint,
  "resellerId" bigint,
  constraint "adminsHaveOneRole" CHECK ((("builtInRole" IS NULL) <> ("roleId" IS NULL))),
  constraint "ownersSeeAll" CHECK ((("resellerId" IS NULL) OR ("builtInRole" IS DISTINCT FROM 'owner'::text))),
  constraint "admins_resellerId_fkey" FOREIGN KEY ("resellerId") REFERENCES resellers(id) ON DELETE RESTRICT,
  constraint "admins_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES roles(id) ON DELETE RESTRICT,
  constraint admins_pkey PRIMARY KEY (id),
  constraint admins_username_key UNIQUE (username),
  constraint admins_uuid_key UNIQUE (uuid)
) with ();

create table "apiTokenUses" (
  "tokenUuid" uuid not null,
  "lastUsedAt" timestamp(3) with time zone not null,
  "lastUsedFrom" text,
  "lastUserAgent" text,
  constraint "apiTokenUses_tokenUuid_fkey" FOREIGN KEY ("tokenUuid") REFERENCES "apiTokens"(uuid) ON DELETE CASCADE,
  constraint "apiTokenUses_pkey" PRIMARY KEY ("tokenUuid")
) with ();

create table "apiTokens" (
  uuid uuid default gen_random_uuid() not null,
  "tokenName" text not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  "expiresAt" timestamp(3) with time zone,
  permissions jsonb,
  "isShownOnce" boolean default false not null,
  generation text,
  scopes jsonb,
  "textHash" text,
  "madeBy" uuid,
  "resellerId" bigint,
  constraint "apiTokens_generation_check" CHECK ((generation = ANY (ARRAY['2.1'::text, '2.8'::text, '3.3'::text, '3.4'::text]))),
  constraint "apiTokens_resellerId_fkey" FOREIGN KEY ("resellerId") REFERENCES resellers(id) ON DELETE RESTRICT,
  constraint "apiTokens_pkey" PRIMARY KEY (uuid),
  constraint "emitChanged" TRIGGER DEFERRABLE INITIALLY DEFERRED
) with ();

create table "auditLog" (
  id bigint generated always as identity not null,
  at timestamp(3) with time zone default now() not null,
  "actorKind" text not null,
  "actorUuid" uuid,
  "actorName" text,
  address text,
  action text not null,
  target text,
  before jsonb,
  after jsonb,
  details jsonb,
  kind text,
  name text,
  count integer default 1 not null,
  "jobId" uuid,
  undoes bigint,
  "undoneBy" bigint,
  touched uuid[],
  "resellerId" bigint default (NULLIF(current_setting('causeway.reseller'::text, true), ''::text))::bigint,
  constraint "auditLog_pkey" PRIMARY KEY (id)
) with ();

create table authenticators (
  "adminId" bigint not null,
  secret text not null,
  "confirmedAt" timestamp(3) with time zone,
  "lastStep" bigint default 0 not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  constraint "authenticators_adminId_fkey" FOREIGN KEY ("adminId") REFERENCES admins(id) ON DELETE CASCADE,
  constraint authenticators_pkey PRIMARY KEY ("adminId")
) with ();

create table "bookedCores" (
  "nodeId" bigint not null,
  "coreId" text not null,
  "bookedAt" timestamp(3) with time zone default now() not null,
  constraint "bookedCores_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "bookedCores_pkey" PRIMARY KEY ("nodeId", "coreId")
) with ();

create table "changedUsers" (
  id bigint generated always as identity not null,
  username text not null,
  constraint "changedUsers_pkey" PRIMARY KEY (id)
) with ();

create table clock (
  "isOnly" boolean default true not null,
  "trustedAt" timestamp(3) with time zone not null,
  "doubtedAt" timestamp(3) with time zone,
  constraint "clock_isOnly_check" CHECK ("isOnly"),
  constraint clock_pkey PRIMARY KEY ("isOnly")
) with ();

create table "configProfileInbounds" (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  "profileId" bigint not null,
  tag text not null,
  type text not null,
  network text,
  security text,
  port integer,
  "rawInbound" json,
  constraint "configProfileInbounds_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "configProfiles"(id) ON DELETE CASCADE,
  constraint "configProfileInbounds_pkey" PRIMARY KEY (id),
  constraint "configProfileInbounds_tag_key" UNIQUE (tag),
  constraint "configProfileInbounds_uuid_key" UNIQUE (uuid)
) with ();

create table "configProfileRolloutInbounds" (
  "rolloutId" bigint not null,
  "inboundId" bigint not null,
  tag text not null,
  "rawInbound" json not null,
  constraint "configProfileRolloutInbounds_inboundId_fkey" FOREIGN KEY ("inboundId") REFERENCES "configProfileInbounds"(id) ON DELETE CASCADE,
  constraint "configProfileRolloutInbounds_rolloutId_fkey" FOREIGN KEY ("rolloutId") REFERENCES "configProfileRollouts"(id) ON DELETE CASCADE,
  constraint "configProfileRolloutInbounds_pkey" PRIMARY KEY ("rolloutId", "inboundId")
) with ();

create table "configProfileRolloutNodes" (
  "rolloutId" bigint not null,
  "nodeId" bigint not null,
  wave integer not null,
  state text default 'waiting'::text not null,
  since timestamp(3) with time zone default now() not null,
  "usersBefore" integer default 0 not null,
  "usersBack" integer default 0 not null,
  "firstReading" bigint,
  "baseReading" bigint,
  "coreEpoch" text,
  "downloadBytes" bigint default 0 not null,
  failure text,
  said text,
  "startsAsked" integer default 0 not null,
  "lastReading" bigint,
  constraint "configProfileRolloutNodes_failure_check" CHECK ((failure = ANY (ARRAY['core'::text, 'away'::text, 'restarted'::text, 'users'::text, 'bytes'::text, 'update'::text]))),
  constraint "configProfileRolloutNodes_state_check" CHECK ((state = ANY (ARRAY['waiting'::text, 'skipped'::text, 'starting'::text, 'watched'::text, 'unproven'::text, 'good'::text, 'failed'::text]))),
  constraint "configProfileRolloutNodes_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "configProfileRolloutNodes_rolloutId_fkey" FOREIGN KEY ("rolloutId") REFERENCES "configProfileRollouts"(id) ON DELETE CASCADE,
  constraint "configProfileRolloutNodes_pkey" PRIMARY KEY ("rolloutId", "nodeId")
) with ();

create table "configProfileRollouts" (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  "profileId" bigint,
  "jobId" uuid,
  config json,
  renamed jsonb default '[]'::jsonb not null,
  reason text,
  "actorKind" text not null,
  "actorName" text,
  state text default 'running'::text not null,
  "isPaused" boolean default false not null,
  error text,
  "startedAt" timestamp(3) with time zone default now() not null,
  "endedAt" timestamp(3) with time zone,
  "isProofWaived" boolean default false not null,
  "followingHosts" jsonb default '[]'::jsonb not null,
  part text,
  version text,
  "beginsAt" timestamp(3) with time zone,
  "snippetId" bigint,
  snippet json,
  constraint "configProfileRollouts_check" CHECK (((state = 'running'::text) = ("endedAt" IS NULL))),
  constraint "configProfileRollouts_part_check" CHECK ((part = ANY (ARRAY['agent'::text, 'core'::text, 'geo'::text]))),
  constraint "configProfileRollouts_state_check" CHECK ((state = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text, 'takenBack'::text]))),
  constraint "configProfileRollouts_what_check" CHECK (((num_nonnulls("profileId", "snippetId", part) = 1) AND (("profileId" IS NULL) = (config IS NULL)) AND (("snippetId" IS NULL) = (snippet IS NULL)) AND ((part IS NULL) = (version IS NULL)))),
  constraint "configProfileRollouts_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "configProfiles"(id) ON DELETE CASCADE,
  constraint "configProfileRollouts_snippetId_fkey" FOREIGN KEY ("snippetId") REFERENCES snippets(id) ON DELETE CASCADE,
  constraint "configProfileRollouts_pkey" PRIMARY KEY (id),
  constraint "configProfileRollouts_uuid_key" UNIQUE (uuid)
) with ();

create table "configProfiles" (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  name text not null,
  config json not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  "viewPosition" integer generated by default as identity not null,
  tags jsonb default '[]'::jsonb not null,
  constraint "configProfiles_pkey" PRIMARY KEY (id),
  constraint "configProfiles_name_key" UNIQUE (name),
  constraint "configProfiles_uuid_key" UNIQUE (uuid)
) with ();

create unlogged table "connectionReadings" (
  id uuid default gen_random_uuid() not null,
  kind text not null,
  "subjectId" bigint not null,
  done integer default 0 not null,
  total integer not null,
  result jsonb,
  "finishedAt" timestamp(3) with time zone,
  "expiresAt" timestamp(3) with time zone not null,
  constraint "connectionReadings_kind_check" CHECK ((kind = ANY (ARRAY['user'::text, 'node'::text]))),
  constraint "connectionReadings_pkey" PRIMARY KEY (id)
) with ();

create table "counterBaselines" (
  "nodeId" bigint not null,
  chunk smallint not null,
  names text not null,
  counted bytea not null,
  constraint "counterBaselines_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "counterBaselines_pkey" PRIMARY KEY ("nodeId", chunk)
) with (fillfactor=50);

create table deliveries (
  "nodeId" bigint not null,
  username text not null,
  "queuedAt" timestamp(3) with time zone default now() not null,
  attempts integer default 0 not null,
  "nextAttemptAt" timestamp(3) with time zone default now() not null,
  "lastError" text,
  ticket bigint default 0 not null,
  constraint "deliveries_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint deliveries_pkey PRIMARY KEY ("nodeId", username)
) with ();

create table "domainEvents" (
  "position" bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  event text not null,
  thing text not null,
  at timestamp(3) with time zone not null,
  data text not null,
  facts jsonb not null,
  constraint "domainEvents_pkey" PRIMARY KEY ("position"),
  constraint "domainEvents_uuid_key" UNIQUE (uuid)
) with ();

create table "eventLooks" (
  name text not null,
  "throughAt" timestamp(3) with time zone not null,
  constraint "eventLooks_pkey" PRIMARY KEY (name)
) with ();

create table "externalSquadTemplates" (
  "squadUuid" uuid not null,
  "templateType" text not null,
  "templateUuid" uuid not null,
  constraint "externalSquadTemplates_squadUuid_fkey" FOREIGN KEY ("squadUuid") REFERENCES "externalSquads"(uuid) ON DELETE CASCADE,
  constraint "externalSquadTemplates_templateUuid_fkey" FOREIGN KEY ("templateUuid") REFERENCES "subscriptionTemplates"(uuid) ON DELETE CASCADE,
  constraint "externalSquadTemplates_pkey" PRIMARY KEY ("squadUuid", "templateType")
) with ();

create table "externalSquads" (
  uuid uuid default gen_random_uuid() not null,
  name text not null,
  "subscriptionSettings" jsonb,
  "hostOverrides" jsonb,
  "responseHeadersAdd" jsonb default '{}'::jsonb not null,
  "responseHeadersRemove" jsonb default '[]'::jsonb not null,
  "hwidSettings" jsonb,
  "customRemarks" jsonb,
  "subpageConfigUuid" uuid,
  "viewPosition" integer generated by default as identity not null,
  tags jsonb default '[]'::jsonb not null,
  "createdAt" timestamp with time zone default now() not null,
  "updatedAt" timestamp with time zone default now() not null,
  constraint "externalSquads_subpageConfigUuid_fkey" FOREIGN KEY ("subpageConfigUuid") REFERENCES "subscriptionPageConfigs"(uuid) ON DELETE SET NULL,
  constraint "externalSquads_pkey" PRIMARY KEY (uuid),
  constraint "externalSquads_name_key" UNIQUE (name)
) with ();

create table "fleetServers" (
  owner text not null,
  "expiresAt" timestamp(3) with time zone not null,
  constraint "fleetServers_pkey" PRIMARY KEY (owner)
) with ();

create table "geoFilePieces" (
  name text not null,
  "offset" integer not null,
  content bytea not null,
  "receivedAt" timestamp(3) with time zone not null,
  constraint "geoFilePieces_pkey" PRIMARY KEY (name, "offset")
) with ();

create table "geoFiles" (
  name text not null,
  kind text not null,
  bytes integer not null,
  digest text not null,
  lists text[] not null,
  content bytea not null,
  revision integer not null,
  "uploadedAt" timestamp(3) with time zone not null,
  "uploadedBy" text,
  constraint "geoFiles_kind_check" CHECK ((kind = ANY (ARRAY['geoip'::text, 'geosite'::text]))),
  constraint "geoFiles_pkey" PRIMARY KEY (name)
) with ();

create table "hostChanges" (
  token uuid default gen_random_uuid() not null,
  at timestamp(3) with time zone default now() not null,
  constraint "hostChanges_pkey" PRIMARY KEY (token)
) with ();

create table "hostNodes" (
  "hostId" bigint not null,
  "nodeId" bigint not null,
  constraint "hostNodes_hostId_fkey" FOREIGN KEY ("hostId") REFERENCES hosts(id) ON DELETE CASCADE,
  constraint "hostNodes_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "hostNodes_pkey" PRIMARY KEY ("hostId", "nodeId")
) with ();

create table hosts (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  "viewPosition" integer generated by default as identity not null,
  remark text not null,
  address text not null,
  port integer not null,
  path text,
  sni text,
  host text,
  alpn text,
  fingerprint text,
  "isDisabled" boolean default false not null,
  "securityLayer" text default 'DEFAULT'::text not null,
  "xHttpExtraParams" json,
  "muxParams" json,
  "sockoptParams" json,
  "serverDescription" text,
  tag text,
  "isHidden" boolean default false not null,
  "overrideSniFromAddress" boolean default false not null,
  "vlessRouteId" integer,
  "configProfileId" bigint,
  "configProfileInboundId" bigint,
  "shuffleHost" boolean default false not null,
  "mihomoX25519" boolean default false not null,
  "allowInsecure" boolean default false not null,
  "disabledUntil" timestamp with time zone,
  tags jsonb default '[]'::jsonb not null,
  "keepSniBlank" boolean default false not null,
  "xrayJsonTemplateUuid" uuid,
  "excludedInternalSquads" jsonb default '[]'::jsonb not null,
  "excludeFromSubscriptionTypes" jsonb default '[]'::jsonb not null,
  "finalMask" json,
  "pinnedPeerCertSha256" text,
  "verifyPeerCertByName" text,
  "mihomoIpVersion" text,
  mapper json default '{}'::json not null,
  constraint "hosts_configProfileId_fkey" FOREIGN KEY ("configProfileId") REFERENCES "configProfiles"(id) ON DELETE SET NULL,
  constraint "hosts_configProfileInboundId_fkey" FOREIGN KEY ("configProfileInboundId") REFERENCES "configProfileInbounds"(id) ON DELETE SET NULL,
  constraint hosts_pkey PRIMARY KEY (id),
  constraint hosts_uuid_key UNIQUE (uuid)
) with ();

create table "hwidDevices" (
  "userId" bigint not null,
  hwid text not null,
  platform text,
  "osVersion" text,
  "deviceModel" text,
  "userAgent" text,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  constraint "hwidDevices_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON DELETE CASCADE,
  constraint "hwidDevices_pkey" PRIMARY KEY ("userId", hwid),
  constraint "emitChanged" TRIGGER DEFERRABLE INITIALLY DEFERRED
) with ();

create table "idempotencyKeys" (
  caller text not null,
  key text not null,
  "contentHash" text not null,
  answer text,
  at timestamp(3) with time zone default now() not null,
  constraint "idempotencyKeys_pkey" PRIMARY KEY (caller, key)
) with ();

create table "infraBillingNodes" (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  "nodeId" bigint not null,
  "providerId" bigint not null,
  "nextBillingAt" timestamp(3) with time zone not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  "nextBillingOn" date not null,
  "billingDay" bigint not null,
  constraint "infraBillingNodes_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "infraBillingNodes_providerId_fkey" FOREIGN KEY ("providerId") REFERENCES "infraProviders"(id) ON DELETE CASCADE,
  constraint "infraBillingNodes_pkey" PRIMARY KEY (id),
  constraint "infraBillingNodes_nodeId_providerId_key" UNIQUE ("nodeId", "providerId"),
  constraint "infraBillingNodes_uuid_key" UNIQUE (uuid)
) with ();

create table "infraBillingRecords" (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  "providerId" bigint not null,
  amount numeric(14,2) not null,
  "billedAt" timestamp(3) with time zone not null,
  "billedOn" date not null,
  constraint "infraBillingRecords_providerId_fkey" FOREIGN KEY ("providerId") REFERENCES "infraProviders"(id) ON DELETE CASCADE,
  constraint "infraBillingRecords_pkey" PRIMARY KEY (id),
  constraint "infraBillingRecords_uuid_key" UNIQUE (uuid)
) with ();

create table "infraProviders" (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  name text not null,
  "faviconLink" text,
  "loginUrl" text,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  constraint "infraProviders_pkey" PRIMARY KEY (id),
  constraint "infraProviders_name_key" UNIQUE (name),
  constraint "infraProviders_uuid_key" UNIQUE (uuid)
) with ();

create table installation (
  uuid uuid default '0f6f2f0e-6d0b-4f5e-8a55-93c1f3b1d3a7'::uuid not null,
  "timeZone" text not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  "sessionGeneration" text default '2.1'::text not null,
  "signInNetworks" text[] default '{}'::text[] not null,
  "backupHour" smallint,
  "keepDailyBackups" smallint default 7 not null,
  "keepWeeklyBackups" smallint default 4 not null,
  "keepMonthlyBackups" smallint default 12 not null,
  "isSecondFactorRequired" boolean default false not null,
  "backupRecipient" text,
  "backupLockedKey" text,
  "backupFolder" text,
  "backupStore" text,
  "isCutOffImmediate" boolean default true not null,
  "isBackupLogSent" boolean default false not null,
  accent text,
  constraint "installation_backupHour_check" CHECK ((("backupHour" >= 0) AND ("backupHour" <= 23))),
  constraint "installation_keepDailyBackups_check" CHECK ((("keepDailyBackups" >= 1) AND ("keepDailyBackups" <= 366))),
  constraint "installation_keepMonthlyBackups_check" CHECK ((("keepMonthlyBackups" >= 0) AND ("keepMonthlyBackups" <= 240))),
  constraint "installation_keepWeeklyBackups_check" CHECK ((("keepWeeklyBackups" >= 0) AND ("keepWeeklyBackups" <= 520))),
  constraint "installation_sessionGeneration_check" CHECK (("sessionGeneration" = ANY (ARRAY['2.1'::text, '2.8'::text, '3.3'::text, '3.4'::text]))),
  constraint installation_uuid_check CHECK ((uuid = '0f6f2f0e-6d0b-4f5e-8a55-93c1f3b1d3a7'::uuid)),
  constraint installation_pkey PRIMARY KEY (uuid)
) with ();

create table "internalSquadInbounds" (
  "squadId" bigint not null,
  "inboundId" bigint not null,
  constraint "internalSquadInbounds_inboundId_fkey" FOREIGN KEY ("inboundId") REFERENCES "configProfileInbounds"(id) ON DELETE CASCADE,
  constraint "internalSquadInbounds_squadId_fkey" FOREIGN KEY ("squadId") REFERENCES "internalSquads"(id) ON DELETE CASCADE,
  constraint "internalSquadInbounds_pkey" PRIMARY KEY ("squadId", "inboundId")
) with ();

create table "internalSquadMembers" (
  "squadId" bigint not null,
  "userId" bigint not null,
  constraint "internalSquadMembers_squadId_fkey" FOREIGN KEY ("squadId") REFERENCES "internalSquads"(id) ON DELETE CASCADE,
  constraint "internalSquadMembers_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON DELETE CASCADE,
  constraint "internalSquadMembers_pkey" PRIMARY KEY ("squadId", "userId"),
  constraint "emitChanged" TRIGGER DEFERRABLE INITIALLY DEFERRED
) with ();

create table "internalSquads" (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  name text not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  "viewPosition" integer generated by default as identity not null,
  tags jsonb default '[]'::jsonb not null,
  constraint "internalSquads_pkey" PRIMARY KEY (id),
  constraint "internalSquads_name_key" UNIQUE (name),
  constraint "internalSquads_uuid_key" UNIQUE (uuid)
) with ();

create table invitations (
  uuid uuid default gen_random_uuid() not null,
  "tokenHash" text not null,
  note text not null,
  "builtInRole" text,
  "roleId" bigint,
  "invitedBy" text not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  "expiresAt" timestamp(3) with time zone not null,
  "acceptedAt" timestamp(3) with time zone,
  "recalledAt" timestamp(3) with time zone,
  "resellerId" bigint,
  constraint "invitationsHaveOneRole" CHECK ((("builtInRole" IS NULL) <> ("roleId" IS NULL))),
  constraint "invitations_resellerId_fkey" FOREIGN KEY ("resellerId") REFERENCES resellers(id) ON DELETE CASCADE,
  constraint "invitations_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES roles(id) ON DELETE CASCADE,
  constraint invitations_pkey PRIMARY KEY (uuid),
  constraint "invitations_tokenHash_key" UNIQUE ("tokenHash")
) with ();

create table "jobTargets" (
  "jobId" uuid not null,
  "userId" bigint not null,
  constraint "jobTargets_jobId_fkey" FOREIGN KEY ("jobId") REFERENCES jobs(id) ON DELETE CASCADE,
  constraint "jobTargets_pkey" PRIMARY KEY ("jobId", "userId")
) with ();

create table jobs (
  id uuid default gen_random_uuid() not null,
  kind text not null,
  status text default 'queued'::text not null,
  payload jsonb default '{}'::jsonb not null,
  cursor bigint default 0 not null,
  done bigint default 0 not null,
  total bigint default 0 not null,
  error text,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  "finishedAt" timestamp(3) with time zone,
  number bigint generated always as identity not null,
  "group" text not null,
  attempts integer default 0 not null,
  "dueAt" timestamp(3) with time zone default now() not null,
  "startedAt" timestamp(3) with time zone,
  "isRecurring" boolean default false not null,
  constraint jobs_pkey PRIMARY KEY (id)
) with ();

create table "moveIn" (
  id integer default 1 not null,
  panel text,
  source text,
  report jsonb,
  "reportedAt" timestamp(3) with time zone,
  failure text,
  "stoppedAt" timestamp(3) with time zone,
  "importedAt" timestamp(3) with time zone,
  "isHeld" boolean default false not null,
  "startedAt" timestamp(3) with time zone,
  "bytesAtStart" jsonb,
  "endedAt" timestamp(3) with time zone,
  constraint "moveIn_id_check" CHECK ((id = 1)),
  constraint "moveIn_pkey" PRIMARY KEY (id)
) with ();

create table "nodeCertificates" (
  fingerprint text not null,
  "nodeUuid" uuid not null,
  "signedAt" timestamp(3) with time zone not null,
  "endsAt" timestamp(3) with time zone not null,
  "seenAt" timestamp(3) with time zone,
  "revokedAt" timestamp(3) with time zone,
  "isCalling" boolean default false not null,
  constraint "nodeCertificates_pkey" PRIMARY KEY (fingerprint)
) with ();

create table "nodeInbounds" (
  "nodeId" bigint not null,
  "inboundId" bigint not null,
  constraint "nodeInbounds_inboundId_fkey" FOREIGN KEY ("inboundId") REFERENCES "configProfileInbounds"(id) ON DELETE CASCADE,
  constraint "nodeInbounds_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "nodeInbounds_pkey" PRIMARY KEY ("nodeId", "inboundId"),
  constraint "emitChanged" TRIGGER DEFERRABLE INITIALLY DEFERRED
) with ();

create table "nodeJoins" (
  "nodeId" bigint not null,
  "codeHash" bytea not null,
  "madeAt" timestamp(3) with time zone not null,
  "expiresAt" timestamp(3) with time zone not null,
  "fetchedAt" timestamp(3) with time zone,
  "downloadedAt" timestamp(3) with time zone,
  "signedAt" timestamp(3) with time zone,
  "installedAt" timestamp(3) with time zone,
  "reachedAt" timestamp(3) with time zone,
  "startedAt" timestamp(3) with time zone,
  "servingAt" timestamp(3) with time zone,
  failure text,
  "failureDetail" text,
  "failedAt" timestamp(3) with time zone,
  unreached text,
  "isCalling" boolean default false not null,
  constraint "nodeJoins_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "nodeJoins_pkey" PRIMARY KEY ("nodeId"),
  constraint "nodeJoins_codeHash_key" UNIQUE ("codeHash")
) with ();

create table "nodeLeases" (
  "nodeId" bigint not null,
  owner text not null,
  generation bigint not null,
  "expiresAt" timestamp(3) with time zone not null,
  constraint "nodeLeases_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "nodeLeases_pkey" PRIMARY KEY ("nodeId")
) with (fillfactor=50);

create table "nodeMetadata" (
  "nodeId" bigint not null,
  metadata jsonb not null,
  constraint "nodeMetadata_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "nodeMetadata_pkey" PRIMARY KEY ("nodeId")
) with ();

create table "nodePhases" (
  "nodeId" bigint not null,
  "beganAt" timestamp(3) with time zone not null,
  phase text not null,
  reason text,
  constraint "nodePhases_phase_check" CHECK ((phase = ANY (ARRAY['connected'::text, 'restarting'::text, 'connecting'::text, 'agentAway'::text, 'coreDown'::text, 'disabled'::text, 'unwatched'::text]))),
  constraint "nodePhases_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "nodePhases_pkey" PRIMARY KEY ("nodeId", "beganAt")
) with ();

create table "nodePlugins" (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  name text not null,
  "viewPosition" integer generated by default as identity not null,
  config jsonb,
  tags jsonb default '[]'::jsonb not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  constraint "nodePlugins_pkey" PRIMARY KEY (id),
  constraint "nodePlugins_name_key" UNIQUE (name),
  constraint "nodePlugins_uuid_key" UNIQUE (uuid)
) with ();

create table "nodeStates" (
  "nodeId" bigint not null,
  "isConnected" boolean default false not null,
  "isConnecting" boolean default false not null,
  "isNodeOnline" boolean default false not null,
  "isXrayRunning" boolean default false not null,
  "lastStatusChange" timestamp(3) with time zone,
  "lastStatusMessage" text,
  "xrayVersion" text,
  "nodeVersion" text,
  "xrayUptime" text default '0'::text not null,
  "usersOnline" integer default 0 not null,
  "cpuCount" integer,
  "cpuModel" text,
  "totalRam" text,
  "trafficUsedBytes" bigint default 0 not null,
  "trafficNotifiedAt" timestamp(3) with time zone,
  warning text,
  "startRequestedAt" timestamp(3) with time zone,
  "isRestartForced" boolean default false not null,
  "stopRequestedAt" timestamp(3) with time zone,
  "compareRequestedAt" timestamp(3) with time zone,
  "runningConfigHash" text,
  "requestTicket" bigint default 0 not null,
  "coreEpoch" text,
  "coreStartedAt" timestamp(3) with time zone,
  "sampleSequence" bigint default 0 not null,
  "accountedThroughAt" timestamp(3) with time zone,
  "certificateExpiresAt" timestamp(3) with time zone,
  "testsConfig" boolean default false not null,
  "isSettling" boolean default false not null,
  "startsAsked" integer default 0 not null,
  "closedPorts" integer[],
  "usersPeak" integer default 0 not null,
  "usersPeakBefore" integer default 0 not null,
  "usersPeakSince" timestamp(3) with time zone,
  "isUpdatable" boolean default false not null,
  "partWanted" text,
  "isPartReturned" boolean default false not null,
  "partDigest" text,
  "partError" text,
  "filtersRequestedAt" timestamp(3) with time zone,
  "filtersAt" timestamp(3) with time zone,
  "filterProblem" text,
  "geoVersion" text,
  constraint "nodeStates_partWanted_check" CHECK (("partWanted" = ANY (ARRAY['agent'::text, 'core'::text, 'geo'::text]))),
  constraint "nodeStates_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "nodeStates_pkey" PRIMARY KEY ("nodeId"),
  constraint "emitChanged" TRIGGER DEFERRABLE INITIALLY DEFERRED
) with (fillfactor=50);

create table "nodeTagUsage" (
  "nodeId" bigint not null,
  direction text not null,
  tag text not null,
  "uploadBytes" bigint default 0 not null,
  "downloadBytes" bigint default 0 not null,
  constraint "nodeTagUsage_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "nodeTagUsage_pkey" PRIMARY KEY ("nodeId", direction, tag)
) with ();

create table "nodeTopUsers" (
  "nodeId" bigint not null,
  days bigint not null,
  "userId" bigint not null,
  bytes bigint not null,
  constraint "nodeTopUsers_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "nodeTopUsers_pkey" PRIMARY KEY ("nodeId", days, "userId")
) with ();

create table "nodeTrafficResets" (
  id bigint generated always as identity not null,
  "nodeId" bigint not null,
  "trafficBytes" bigint not null,
  "resetAt" timestamp(3) with time zone default now() not null,
  day date,
  constraint "nodeTrafficResets_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "nodeTrafficResets_pkey" PRIMARY KEY (id)
) with ();

create table "nodeUsageDays" (
  day date not null,
  "nodeId" bigint not null,
  "uploadBytes" bigint default 0 not null,
  "downloadBytes" bigint default 0 not null,
  constraint "nodeUsageDays_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "nodeUsageDays_pkey" PRIMARY KEY (day, "nodeId")
) with (fillfactor=70);

create table "nodeUsageQuarters" (
  "nodeId" bigint not null,
  quarter timestamp(3) with time zone not null,
  "uploadBytes" bigint default 0 not null,
  "downloadBytes" bigint default 0 not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  constraint "nodeUsageQuarters_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "nodeUsageQuarters_pkey" PRIMARY KEY ("nodeId", quarter)
) with ();

create table "nodeUserCounts" (
  "nodeId" bigint not null,
  days bigint not null,
  "countedThrough" date not null,
  users bigint not null,
  constraint "nodeUserCounts_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "nodeUserCounts_pkey" PRIMARY KEY ("nodeId", days)
) with ();

create table "nodeUserDays" (
  "nodeId" bigint not null,
  day date not null,
  users bigint not null,
  bytes bigint not null,
  constraint "nodeUserDays_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "nodeUserDays_pkey" PRIMARY KEY ("nodeId", day)
) with ();

create table nodes (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  name text not null,
  address text not null,
  port integer,
  "isDisabled" boolean default false not null,
  "isTrafficTrackingActive" boolean default false not null,
  "trafficLimitBytes" bigint default 0 not null,
  "notifyPercent" integer default 0 not null,
  "trafficResetDay" integer default 1 not null,
  "countryCode" text default 'XX'::text not null,
  "consumptionMultiplier" double precision default 1 not null,
  "activeConfigProfileId" bigint,
  "providerId" bigint,
  "viewPosition" integer generated by default as identity not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  tags jsonb default '[]'::jsonb not null,
  note text,
  ips jsonb default '[]'::jsonb not null,
  "pluginId" bigint,
  constraint "nodes_activeConfigProfileId_fkey" FOREIGN KEY ("activeConfigProfileId") REFERENCES "configProfiles"(id) ON DELETE SET NULL,
  constraint "nodes_pluginId_fkey" FOREIGN KEY ("pluginId") REFERENCES "nodePlugins"(id) ON DELETE SET NULL,
  constraint "nodes_providerId_fkey" FOREIGN KEY ("providerId") REFERENCES "infraProviders"(id) ON DELETE SET NULL,
  constraint nodes_pkey PRIMARY KEY (id),
  constraint "emitChanged" TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint "emitCreated" TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint nodes_address_key UNIQUE (address),
  constraint nodes_name_key UNIQUE (name),
  constraint nodes_uuid_key UNIQUE (uuid)
) with ();

create table "noticeMessages" (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  "wayId" bigint not null,
  "ruleId" bigint,
  title text not null,
  lines jsonb not null,
  state text default 'waiting'::text not null,
  attempts integer default 0 not null,
  at timestamp(3) with time zone not null,
  "nextAttemptAt" timestamp(3) with time zone not null,
  "endedAt" timestamp(3) with time zone,
  error text,
  answer text,
  constraint "noticeMessages_state_check" CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text]))),
  constraint "noticeMessages_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "noticeRules"(id) ON DELETE SET NULL,
  constraint "noticeMessages_wayId_fkey" FOREIGN KEY ("wayId") REFERENCES "noticeWays"(id) ON DELETE CASCADE,
  constraint "noticeMessages_pkey" PRIMARY KEY (id),
  constraint "noticeMessages_uuid_key" UNIQUE (uuid)
) with ();

create table "noticeReader" (
  "isOnly" boolean default true not null,
  "position" bigint default 0 not null,
  constraint "noticeReader_isOnly_check" CHECK ("isOnly"),
  constraint "noticeReader_pkey" PRIMARY KEY ("isOnly")
) with ();

create table "noticeRules" (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  condition text not null,
  amount integer,
  ways jsonb not null,
  "quietFrom" text,
  "quietTo" text,
  zone text,
  "mostPerHour" integer,
  digest text default 'none'::text not null,
  "isPaused" boolean default false not null,
  "isFromEnvironment" boolean default false not null,
  "madeWithWayId" bigint,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  constraint "noticeRules_digest_check" CHECK ((digest = ANY (ARRAY['none'::text, 'hourly'::text, 'daily'::text]))),
  constraint "noticeRules_pkey" PRIMARY KEY (id),
  constraint "noticeRules_uuid_key" UNIQUE (uuid)
) with ();

create table "noticeTroubles" (
  "ruleId" bigint not null,
  thing text not null,
  facts jsonb not null,
  "sinceAt" timestamp(3) with time zone not null,
  losses integer default 0 not null,
  "backAt" timestamp(3) with time zone,
  "toldAt" timestamp(3) with time zone,
  constraint "noticeTroubles_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "noticeRules"(id) ON DELETE CASCADE,
  constraint "noticeTroubles_pkey" PRIMARY KEY ("ruleId", thing)
) with ();

create table "noticeWayStates" (
  "wayId" bigint not null,
  "lastSuccessAt" timestamp(3) with time zone,
  failures integer default 0 not null,
  "failingSince" timestamp(3) with time zone,
  "lastError" text,
  "restsUntil" timestamp(3) with time zone,
  constraint "noticeWayStates_wayId_fkey" FOREIGN KEY ("wayId") REFERENCES "noticeWays"(id) ON DELETE CASCADE,
  constraint "noticeWayStates_pkey" PRIMARY KEY ("wayId")
) with ();

create table "noticeWays" (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  name text not null,
  kind text not null,
  settings jsonb not null,
  secret text,
  language text not null,
  origin text,
  "isPaused" boolean default false not null,
  "isFromEnvironment" boolean default false not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  constraint "noticeWays_kind_check" CHECK ((kind = ANY (ARRAY['telegram'::text, 'email'::text, 'webhook'::text]))),
  constraint "noticeWays_language_check" CHECK ((language = ANY (ARRAY['en'::text, 'ru'::text, 'fa'::text, 'zh'::text]))),
  constraint "noticeWays_pkey" PRIMARY KEY (id),
  constraint "noticeWays_uuid_key" UNIQUE (uuid)
) with ();

create table notices (
  id bigint generated always as identity not null,
  "ruleId" bigint not null,
  "wayId" bigint not null,
  occasion text not null,
  text text not null,
  facts jsonb not null,
  at timestamp(3) with time zone not null,
  "dueAt" timestamp(3) with time zone not null,
  "messageId" bigint,
  constraint "notices_messageId_fkey" FOREIGN KEY ("messageId") REFERENCES "noticeMessages"(id) ON DELETE CASCADE,
  constraint "notices_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "noticeRules"(id) ON DELETE CASCADE,
  constraint "notices_wayId_fkey" FOREIGN KEY ("wayId") REFERENCES "noticeWays"(id) ON DELETE CASCADE,
  constraint notices_pkey PRIMARY KEY (id),
  constraint "notices_wayId_ruleId_occasion_key" UNIQUE ("wayId", "ruleId", occasion)
) with ();

create table "oauth2States" (
  "stateHash" text not null,
  provider text not null,
  "browserHash" text not null,
  "expiresAt" timestamp(3) with time zone not null,
  constraint "oauth2States_pkey" PRIMARY KEY ("stateHash")
) with ();

create table "onlineQuarters" (
  quarter timestamp(3) with time zone not null,
  "usersOnline" bigint not null,
  constraint "onlineQuarters_pkey" PRIMARY KEY (quarter)
) with ();

create table outbox (
  id bigint generated always as identity not null,
  event text not null,
  thing text not null,
  at timestamp(3) with time zone not null,
  snapshot jsonb,
  facts jsonb not null,
  transaction xid8 default pg_current_xact_id() not null,
  constraint outbox_pkey PRIMARY KEY (id)
) with ();

create table "passkeyChallenges" (
  "challengeHash" text not null,
  purpose text not null,
  "adminId" bigint,
  "expiresAt" timestamp(3) with time zone not null,
  constraint "passkeyChallenges_adminId_fkey" FOREIGN KEY ("adminId") REFERENCES admins(id) ON DELETE CASCADE,
  constraint "passkeyChallenges_pkey" PRIMARY KEY ("challengeHash")
) with ();

create table passkeys (
  id text not null,
  "adminId" bigint not null,
  name text not null,
  "publicKey" bytea not null,
  counter bigint not null,
  transports text[] default '{}'::text[] not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  "lastUsedAt" timestamp(3) with time zone,
  constraint "passkeys_adminId_fkey" FOREIGN KEY ("adminId") REFERENCES admins(id) ON DELETE CASCADE,
  constraint passkeys_pkey PRIMARY KEY (id)
) with ();

create table "recoveryCodes" (
  "adminId" bigint not null,
  "codeHash" text not null,
  constraint "recoveryCodes_adminId_fkey" FOREIGN KEY ("adminId") REFERENCES admins(id) ON DELETE CASCADE,
  constraint "recoveryCodes_pkey" PRIMARY KEY ("adminId", "codeHash")
) with ();

create table resellers (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  name text not null,
  "squadUuids" uuid[] not null,
  "maxUsers" bigint,
  "maxBytes" bigint,
  "maxDays" integer,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  constraint resellers_pkey PRIMARY KEY (id),
  constraint resellers_name_key UNIQUE (name),
  constraint resellers_uuid_key UNIQUE (uuid)
) with ();

create table revisions (
  id bigint generated always as identity not null,
  kind text not null,
  "subjectUuid" uuid not null,
  number integer not null,
  at timestamp(3) with time zone default now() not null,
  "actorKind" text not null,
  "actorName" text,
  reason text,
  content text not null,
  constraint revisions_kind_check CHECK ((kind = ANY (ARRAY['profile'::text, 'template'::text, 'responseRules'::text, 'snippet'::text]))),
  constraint revisions_pkey PRIMARY KEY (id),
  constraint "revisions_kind_subjectUuid_number_key" UNIQUE (kind, "subjectUuid", number)
) with ();

create table roles (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  name text not null,
  permissions jsonb not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  constraint roles_pkey PRIMARY KEY (id),
  constraint roles_name_key UNIQUE (name),
  constraint roles_uuid_key UNIQUE (uuid)
) with ();

create table "savedViews" (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  page text not null,
  name text not null,
  search jsonb not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  constraint "savedViews_pkey" PRIMARY KEY (id),
  constraint "savedViews_uuid_key" UNIQUE (uuid)
) with ();

create table secrets (
  name text not null,
  wrapped bytea not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  constraint secrets_pkey PRIMARY KEY (name)
) with ();

create table "serverCertificates" (
  name text not null,
  directory text,
  chain text,
  "wrappedKey" text,
  "startsAt" timestamp(3) with time zone,
  "endsAt" timestamp(3) with time zone,
  attempts integer default 0 not null,
  failure text,
  detail text,
  "failedAt" timestamp(3) with time zone,
  "dueAt" timestamp(3) with time zone not null,
  "challengeToken" text,
  "challengeAnswer" text,
  constraint "serverCertificates_pkey" PRIMARY KEY (name)
) with ();

create unlogged table "serverProcesses" (
  id uuid not null,
  role text not null,
  "startedAt" timestamp(3) with time zone not null,
  "seenAt" timestamp(3) with time zone not null,
  "memoryBytes" bigint not null,
  "cpuPercent" double precision not null,
  constraint "serverProcesses_pkey" PRIMARY KEY (id)
) with ();

create table sessions (
  uuid uuid default gen_random_uuid() not null,
  "adminId" bigint not null,
  address text,
  "userAgent" text,
  "createdAt" timestamp(3) with time zone default now() not null,
  "expiresAt" timestamp(3) with time zone not null,
  "revokedAt" timestamp(3) with time zone,
  "provenAt" timestamp(3) with time zone default now(),
  constraint "sessions_adminId_fkey" FOREIGN KEY ("adminId") REFERENCES admins(id) ON DELETE CASCADE,
  constraint sessions_pkey PRIMARY KEY (uuid)
) with ();

create table "sharedLists" (
  id bigint generated always as identity not null,
  name text not null,
  items jsonb not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  constraint "sharedLists_pkey" PRIMARY KEY (id),
  constraint "sharedLists_name_key" UNIQUE (name)
) with ();

create table "signInAttempts" (
  id bigint generated always as identity not null,
  address text not null,
  account text not null,
  at timestamp(3) with time zone default now() not null,
  constraint "signInAttempts_pkey" PRIMARY KEY (id)
) with ();

create table snippets (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  name text not null,
  snippet json not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  constraint snippets_pkey PRIMARY KEY (id),
  constraint snippets_name_key UNIQUE (name),
  constraint snippets_uuid_key UNIQUE (uuid)
) with ();

create table "subscriptionPageConfigs" (
  uuid uuid default gen_random_uuid() not null,
  name text not null,
  config json not null,
  "viewPosition" integer generated by default as identity not null,
  tags jsonb default '[]'::jsonb not null,
  "createdAt" timestamp with time zone default now() not null,
  "updatedAt" timestamp with time zone default now() not null,
  constraint "subscriptionPageConfigs_pkey" PRIMARY KEY (uuid),
  constraint "subscriptionPageConfigs_name_key" UNIQUE (name)
) with ();

create table "subscriptionPages" (
  uuid uuid not null,
  config json not null,
  "publishedAt" timestamp(3) with time zone not null,
  constraint "subscriptionPages_uuid_check" CHECK ((uuid = '5b1d7a52-6a0e-4c8e-9f57-3d2a64c0e911'::uuid)),
  constraint "subscriptionPages_pkey" PRIMARY KEY (uuid),
  constraint "emitChanged" TRIGGER DEFERRABLE INITIALLY DEFERRED
) with ();

create table "subscriptionRequests" (
  id bigint generated always as identity not null,
  "userId" bigint not null,
  "requestIp" text,
  "userAgent" text,
  "requestAt" timestamp(3) with time zone not null,
  "ruleName" text,
  "responseType" text default 'UNKNOWN'::text not null,
  constraint "subscriptionRequests_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON DELETE CASCADE,
  constraint "subscriptionRequests_pkey" PRIMARY KEY (id)
) with ();

create table "subscriptionSettings" (
  uuid uuid default gen_random_uuid() not null,
  "profileTitle" text not null,
  "supportLink" text not null,
  "profileUpdateInterval" integer not null,
  "isProfileWebpageUrlEnabled" boolean default true not null,
  "serveJsonAtBaseSubscription" boolean default false not null,
  "addUsernameToBaseSubscription" boolean default false not null,
  "isShowCustomRemarks" boolean default true not null,
  "happAnnounce" text,
  "happRouting" text,
  "expiredUsersRemarks" json not null,
  "limitedUsersRemarks" json not null,
  "disabledUsersRemarks" json not null,
  "customResponseHeaders" json,
  "randomizeHosts" boolean default false not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  "responseRules" json,
  "hwidSettings" jsonb,
  "emptyHostsRemarks" jsonb default '[]'::jsonb not null,
  "emptySquadsRemarks" jsonb default '[]'::jsonb not null,
  "hwidExceededRemarks" jsonb default '[]'::jsonb not null,
  "hwidMissingRemarks" jsonb default '[]'::jsonb not null,
  constraint "subscriptionSettings_pkey" PRIMARY KEY (uuid)
) with ();

create table "subscriptionTemplates" (
  uuid uuid default gen_random_uuid() not null,
  "templateType" text not null,
  "templateYaml" text,
  "templateJson" json,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  "viewPosition" integer generated by default as identity not null,
  tags jsonb default '[]'::jsonb not null,
  name text not null,
  "isDefault" boolean not null,
  label text default ''::text not null,
  constraint "subscriptionTemplates_pkey" PRIMARY KEY (uuid),
  constraint "subscriptionTemplates_name_key" UNIQUE ("templateType", name),
  constraint "subscriptionTemplates_default" EXCLUDE USING btree ("templateType" WITH =) WHERE ("isDefault") DEFERRABLE INITIALLY DEFERRED
) with ();

create table "torrentReports" (
  id bigint generated always as identity not null,
  uuid uuid not null,
  "nodeId" bigint not null,
  "userId" bigint not null,
  ip text not null,
  "isBlocked" boolean not null,
  "blockSeconds" integer not null,
  match jsonb not null,
  at timestamp(3) with time zone not null,
  "createdAt" timestamp(3) with time zone default now() not null,
  constraint "torrentReports_nodeId_fkey" FOREIGN KEY ("nodeId") REFERENCES nodes(id) ON DELETE CASCADE,
  constraint "torrentReports_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON DELETE CASCADE,
  constraint "torrentReports_pkey" PRIMARY KEY (id),
  constraint "emitReport" TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint "torrentReports_uuid_key" UNIQUE (uuid)
) with ();

create unlogged table "trafficOrder" (
  "isOnly" boolean default true not null,
  day date,
  "madeAt" timestamp(3) with time zone,
  "tookMs" integer not null,
  "askedAt" timestamp(3) with time zone,
  constraint "trafficOrder_isOnly_check" CHECK ("isOnly"),
  constraint "trafficOrder_pkey" PRIMARY KEY ("isOnly")
) with ();

create table "trafficTurns" (
  "isOnly" boolean default true not null,
  day date not null,
  "throughUserId" bigint,
  constraint "trafficTurns_isOnly_check" CHECK ("isOnly"),
  constraint "trafficTurns_pkey" PRIMARY KEY ("isOnly")
) with ();

create unlogged table untold (
  channel text not null,
  payload text not null
) with ();

create table "userAccesses" (
  "userId" bigint not null,
  "subLastOpenedAt" timestamp(3) with time zone,
  "subLastUserAgent" text,
  constraint "userAccesses_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON DELETE CASCADE,
  constraint "userAccesses_pkey" PRIMARY KEY ("userId")
) with (fillfactor=70);

create table "userCounts" (
  id bigint generated always as identity not null,
  status text not null,
  delta bigint not null,
  constraint "userCounts_pkey" PRIMARY KEY (id)
) with ();

create table "userMetadata" (
  "userId" bigint not null,
  metadata jsonb not null,
  constraint "userMetadata_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON DELETE CASCADE,
  constraint "userMetadata_pkey" PRIMARY KEY ("userId")
) with ();

create table "userNodeUsage" (
  day date not null,
  "nodeId" bigint not null,
  "userId" bigint not null,
  "uploadBytes" bigint default 0 not null,
  "downloadBytes" bigint default 0 not null,
  constraint "userNodeUsage_pkey" PRIMARY KEY (day, "nodeId", "userId")
) partition by RANGE (day) with ();

create unlogged table "userTraffic" (
  "userId" bigint not null,
  "todayBytes" bigint default 0 not null,
  "weekBytes" bigint default 0 not null,
  "thirtyDaysBytes" bigint default 0 not null,
  "monthBytes" bigint default 0 not null,
  "usedTrafficBytes" bigint default 0 not null,
  "lifetimeUsedTrafficBytes" bigint default 0 not null,
  constraint "userTraffic_pkey" PRIMARY KEY ("userId")
) with ();

create table "userTrafficResets" (
  id bigint generated always as identity not null,
  "userId" bigint not null,
  "usedBytes" bigint not null,
  "resetAt" timestamp(3) with time zone default now() not null,
  constraint "userTrafficResets_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON DELETE CASCADE,
  constraint "userTrafficResets_pkey" PRIMARY KEY (id)
) with ();

create table "userUsage" (
  "userId" bigint not null,
  "usedTrafficBytes" bigint default 0 not null,
  "lifetimeUsedTrafficBytes" bigint default 0 not null,
  "onlineAt" timestamp(3) with time zone,
  "firstConnectedAt" timestamp(3) with time zone,
  "lastConnectedNodeId" bigint,
  "lastTrafficResetAt" timestamp(3) with time zone,
  "lastTriggeredThreshold" integer default 0 not null,
  "trafficDay" date,
  "dayBytes" bigint default 0 not null,
  "sumsDay" date,
  "weekBytes" bigint default 0 not null,
  "thirtyDaysBytes" bigint default 0 not null,
  "monthBytes" bigint default 0 not null,
  constraint "userUsage_userId_fkey" FOREIGN KEY ("userId") REFERENCES users(id) ON DELETE CASCADE,
  constraint "userUsage_pkey" PRIMARY KEY ("userId"),
  constraint "emitChanged" TRIGGER DEFERRABLE INITIALLY DEFERRED
) with (fillfactor=70);

create table users (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  "shortUuid" text not null,
  username text not null,
  status text default 'ACTIVE'::text not null,
  "trafficLimitBytes" bigint default 0 not null,
  "trafficLimitStrategy" text default 'NO_RESET'::text not null,
  "expireAt" timestamp(3) with time zone not null,
  description text,
  tag text,
  "telegramId" bigint,
  email text,
  "hwidDeviceLimit" integer,
  "trojanPassword" text not null,
  "vlessUuid" uuid not null,
  "ssPassword" text not null,
  "subRevokedAt" timestamp(3) with time zone,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  "extraTrafficBytes" bigint default 0 not null,
  "madeBy" uuid,
  "externalSquadUuid" uuid,
  constraint "users_extraTrafficBytes_check" CHECK (("extraTrafficBytes" >= 0)),
  constraint "users_externalSquadUuid_fkey" FOREIGN KEY ("externalSquadUuid") REFERENCES "externalSquads"(uuid) ON DELETE SET NULL,
  constraint users_pkey PRIMARY KEY (id),
  constraint "emitChanged" TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint "emitCreated" TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint "users_shortUuid_key" UNIQUE ("shortUuid"),
  constraint users_uuid_key UNIQUE (uuid)
) with ();

create table "webhookAttempts" (
  "deliveryId" bigint not null,
  number integer not null,
  at timestamp(3) with time zone not null,
  "durationMs" integer not null,
  status integer,
  answer text,
  error text,
  constraint "webhookAttempts_deliveryId_fkey" FOREIGN KEY ("deliveryId") REFERENCES "webhookDeliveries"(id) ON DELETE CASCADE,
  constraint "webhookAttempts_pkey" PRIMARY KEY ("deliveryId", number)
) with ();

create table "webhookDeliveries" (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  "webhookId" bigint not null,
  "position" bigint not null,
  thing text not null,
  event text not null,
  state text default 'waiting'::text not null,
  attempts integer default 0 not null,
  "firstAttemptAt" timestamp(3) with time zone,
  "nextAttemptAt" timestamp(3) with time zone not null,
  "endedAt" timestamp(3) with time zone,
  status integer,
  error text,
  constraint "webhookDeliveries_state_check" CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text]))),
  constraint "webhookDeliveries_position_fkey" FOREIGN KEY ("position") REFERENCES "domainEvents"("position") ON DELETE CASCADE,
  constraint "webhookDeliveries_webhookId_fkey" FOREIGN KEY ("webhookId") REFERENCES webhooks(id) ON DELETE CASCADE,
  constraint "webhookDeliveries_pkey" PRIMARY KEY (id),
  constraint "webhookDeliveries_uuid_key" UNIQUE (uuid),
  constraint "webhookDeliveries_webhookId_position_key" UNIQUE ("webhookId", "position")
) with ();

create table "webhookStates" (
  "webhookId" bigint not null,
  "position" bigint not null,
  missed bigint default 0 not null,
  "lastSuccessAt" timestamp(3) with time zone,
  failures integer default 0 not null,
  "failingSince" timestamp(3) with time zone,
  "lastError" text,
  "stoppedAt" timestamp(3) with time zone,
  "hasNewSecret" boolean default false not null,
  constraint "webhookStates_webhookId_fkey" FOREIGN KEY ("webhookId") REFERENCES webhooks(id) ON DELETE CASCADE,
  constraint "webhookStates_pkey" PRIMARY KEY ("webhookId")
) with ();

create table webhooks (
  id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  name text not null,
  url text not null,
  events jsonb,
  "expiryNames" text not null,
  "isPaused" boolean default false not null,
  "isFromEnvironment" boolean default false not null,
  secret text not null,
  "previousSecret" text,
  "previousSecretEndsAt" timestamp(3) with time zone,
  "createdAt" timestamp(3) with time zone default now() not null,
  "updatedAt" timestamp(3) with time zone default now() not null,
  constraint "webhooks_expiryNames_check" CHECK (("expiryNames" = ANY (ARRAY['old'::text, 'new'::text]))),
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_uuid_key UNIQUE (uuid)
) with ();
-- views

create view "nodesAhead" as
 SELECT ahead."nodeId",
    rollout.id AS "rolloutId",
    rollout.config
   FROM (("configProfileRollouts" rollout
     JOIN "configProfileRolloutNodes" ahead ON ((ahead."rolloutId" = rollout.id)))
     JOIN nodes node ON (((node.id = ahead."nodeId") AND (node."activeConfigProfileId" = rollout."profileId"))))
  WHERE ((rollout."endedAt" IS NULL) AND (ahead.state = ANY (ARRAY['starting'::text, 'watched'::text, 'unproven'::text, 'good'::text])));

create view "runInbounds" as
 SELECT link."nodeId",
    inbound.id AS "inboundId",
    COALESCE(next.tag, inbound.tag) AS tag,
    inbound.type,
    COALESCE(next."rawInbound", inbound."rawInbound") AS "rawInbound"
   FROM (((("nodeInbounds" link
     JOIN nodes node ON ((node.id = link."nodeId")))
     JOIN "configProfileInbounds" inbound ON (((inbound.id = link."inboundId") AND (inbound."profileId" = node."activeConfigProfileId"))))
     LEFT JOIN "nodesAhead" ahead ON ((ahead."nodeId" = link."nodeId")))
     LEFT JOIN "configProfileRolloutInbounds" next ON (((next."rolloutId" = ahead."rolloutId") AND (next."inboundId" = inbound.id))))
  WHERE ((ahead."nodeId" IS NULL) OR (next."inboundId" IS NOT NULL));

create view "snippetsAhead" as
 SELECT ahead."nodeId",
    rollout.id AS "rolloutId",
    snippet.name,
    rollout.snippet
   FROM (("configProfileRollouts" rollout
     JOIN snippets snippet ON ((snippet.id = rollout."snippetId")))
     JOIN "configProfileRolloutNodes" ahead ON ((ahead."rolloutId" = rollout.id)))
  WHERE ((rollout."endedAt" IS NULL) AND (ahead.state = ANY (ARRAY['starting'::text, 'watched'::text, 'unproven'::text, 'good'::text])));
-- indexes

CREATE INDEX "adminIdentitiesOfAdmin" ON public."adminIdentities" USING btree ("adminId");

CREATE INDEX "adminsOfReseller" ON public.admins USING btree ("resellerId") WHERE ("resellerId" IS NOT NULL);

CREATE INDEX "adminsOfRole" ON public.admins USING btree ("roleId");

CREATE INDEX "apiTokensOfReseller" ON public."apiTokens" USING btree ("resellerId") WHERE ("resellerId" IS NOT NULL);

CREATE INDEX "auditLogByAction" ON public."auditLog" USING btree (action, kind, at);

CREATE INDEX "auditLogByActor" ON public."auditLog" USING btree ("actorUuid", action, kind, at);

CREATE INDEX "auditLogByJob" ON public."auditLog" USING btree ("jobId") WHERE ("jobId" IS NOT NULL);

CREATE INDEX "auditLogByTarget" ON public."auditLog" USING btree (target, at);

CREATE INDEX "auditLogByTime" ON public."auditLog" USING btree (at, id);

CREATE INDEX "auditLogByTouched" ON public."auditLog" USING gin (touched) WHERE (touched IS NOT NULL);

CREATE INDEX "auditLogOfReseller" ON public."auditLog" USING btree ("resellerId", at, id) WHERE ("resellerId" IS NOT NULL);

CREATE INDEX "configProfileInboundsByProfile" ON public."configProfileInbounds" USING btree ("profileId");

CREATE INDEX "configProfileRolloutInbounds_inboundId_idx" ON public."configProfileRolloutInbounds" USING btree ("inboundId");

CREATE INDEX "configProfileRolloutNodes_nodeId_idx" ON public."configProfileRolloutNodes" USING btree ("nodeId");

CREATE UNIQUE INDEX "configProfileRollouts_openSnippet_key" ON public."configProfileRollouts" USING btree ("snippetId") WHERE ("endedAt" IS NULL);

CREATE UNIQUE INDEX "configProfileRollouts_openUpdate_key" ON public."configProfileRollouts" USING btree ((true)) WHERE ((part IS NOT NULL) AND ("endedAt" IS NULL));

CREATE UNIQUE INDEX "configProfileRollouts_open_key" ON public."configProfileRollouts" USING btree ("profileId") WHERE ("endedAt" IS NULL);

CREATE INDEX "configProfileRollouts_profileId_id_idx" ON public."configProfileRollouts" USING btree ("profileId", id);

CREATE UNIQUE INDEX "connectionReadingsOpen" ON public."connectionReadings" USING btree (kind, "subjectId") WHERE ("finishedAt" IS NULL);

CREATE INDEX "deliveriesDue" ON public.deliveries USING btree ("nodeId", "nextAttemptAt");

CREATE INDEX "domainEventsAt" ON public."domainEvents" USING btree (at);

CREATE INDEX "externalSquadTemplatesTemplate" ON public."externalSquadTemplates" USING btree ("templateUuid");

CREATE INDEX "externalSquadsPageConfig" ON public."externalSquads" USING btree ("subpageConfigUuid") WHERE ("subpageConfigUuid" IS NOT NULL);

CREATE INDEX "hostNodesByNode" ON public."hostNodes" USING btree ("nodeId");

CREATE INDEX "hostsByInbound" ON public.hosts USING btree ("configProfileInboundId");

CREATE INDEX "hostsByProfile" ON public.hosts USING btree ("configProfileId");

CREATE INDEX "hostsDisabledUntil" ON public.hosts USING btree ("disabledUntil") WHERE ("disabledUntil" IS NOT NULL);

CREATE INDEX "hwidDevicesByTime" ON public."hwidDevices" USING btree ("createdAt", hwid);

CREATE INDEX "idempotencyKeys_at_idx" ON public."idempotencyKeys" USING btree (at);

CREATE INDEX "infraBillingNodesNext" ON public."infraBillingNodes" USING btree ("nextBillingOn");

CREATE INDEX "infraBillingRecordsBilled" ON public."infraBillingRecords" USING btree ("billedOn");

CREATE INDEX "internalSquadInboundsByInbound" ON public."internalSquadInbounds" USING btree ("inboundId");

CREATE INDEX "internalSquadMembersByUser" ON public."internalSquadMembers" USING btree ("userId");

CREATE INDEX "invitationsOfReseller" ON public.invitations USING btree ("resellerId") WHERE ("resellerId" IS NOT NULL);

CREATE INDEX "invitationsOfRole" ON public.invitations USING btree ("roleId");

CREATE INDEX "jobsByKind" ON public.jobs USING btree (kind, "createdAt");

CREATE INDEX "jobsFinished" ON public.jobs USING btree ("finishedAt") WHERE ("finishedAt" IS NOT NULL);

CREATE INDEX "jobsOpen" ON public.jobs USING btree ("group", number) WHERE ("finishedAt" IS NULL);

CREATE UNIQUE INDEX "jobsRecurring" ON public.jobs USING btree (kind) WHERE "isRecurring";

CREATE INDEX "nodeCertificatesNode" ON public."nodeCertificates" USING btree ("nodeUuid");

CREATE INDEX "nodeInboundsByInbound" ON public."nodeInbounds" USING btree ("inboundId");

CREATE INDEX "nodePhases_beganAt_idx" ON public."nodePhases" USING btree ("beganAt");

CREATE INDEX "nodeTrafficResetsByNode" ON public."nodeTrafficResets" USING btree ("nodeId", "resetAt");

CREATE INDEX "nodeTrafficResetsByTime" ON public."nodeTrafficResets" USING brin ("resetAt");

CREATE INDEX "nodeUsageQuartersByQuarter" ON public."nodeUsageQuarters" USING btree (quarter);

CREATE INDEX "nodesByPlugin" ON public.nodes USING btree ("pluginId") WHERE ("pluginId" IS NOT NULL);

CREATE INDEX "nodesByProfile" ON public.nodes USING btree ("activeConfigProfileId");

CREATE INDEX "noticeMessagesAt" ON public."noticeMessages" USING btree (at);

CREATE INDEX "noticeMessagesRate" ON public."noticeMessages" USING btree ("ruleId", at);

CREATE INDEX "noticeMessagesWaiting" ON public."noticeMessages" USING btree ("wayId", id) WHERE (state = 'waiting'::text);

CREATE INDEX "noticeRulesMadeWith" ON public."noticeRules" USING btree ("madeWithWayId");

CREATE INDEX "noticesHeld" ON public.notices USING btree ("dueAt") WHERE ("messageId" IS NULL);

CREATE INDEX "noticesMessage" ON public.notices USING btree ("messageId");

CREATE INDEX "noticesRule" ON public.notices USING btree ("ruleId", at);

CREATE INDEX "outboxThing" ON public.outbox USING btree (thing);

CREATE INDEX "passkeysOfAdmin" ON public.passkeys USING btree ("adminId");

CREATE UNIQUE INDEX "savedViewsName" ON public."savedViews" USING btree (page, lower(name));

CREATE INDEX "sessionsExpiry" ON public.sessions USING btree ("expiresAt");

CREATE INDEX "signInAttemptsByAccount" ON public."signInAttempts" USING btree (account, at);

CREATE INDEX "signInAttemptsByAddress" ON public."signInAttempts" USING btree (address, at);

CREATE INDEX "subscriptionRequestsByTime" ON public."subscriptionRequests" USING btree ("requestAt");

CREATE INDEX "subscriptionRequestsByUser" ON public."subscriptionRequests" USING btree ("userId", id);

CREATE UNIQUE INDEX "subscriptionSettingsOnlyOne" ON public."subscriptionSettings" USING btree ((true));

CREATE INDEX "torrentReportsByNode" ON public."torrentReports" USING btree ("nodeId");

CREATE INDEX "torrentReportsByTime" ON public."torrentReports" USING btree ("createdAt");

CREATE INDEX "torrentReportsByUser" ON public."torrentReports" USING btree ("userId");

CREATE INDEX "userAccessesAgent" ON public."userAccesses" USING btree ("left"("subLastUserAgent", 100), "userId") WHERE ("subLastUserAgent" IS NOT NULL);

CREATE INDEX "userNodeUsageByUser" ON ONLY public."userNodeUsage" USING btree ("userId", day);

CREATE INDEX "userTrafficLifetimeUsed" ON public."userTraffic" USING btree ("lifetimeUsedTrafficBytes", "userId");

CREATE INDEX "userTrafficMonth" ON public."userTraffic" USING btree ("monthBytes", "userId");

CREATE INDEX "userTrafficThirtyDays" ON public."userTraffic" USING btree ("thirtyDaysBytes", "userId");

CREATE INDEX "userTrafficToday" ON public."userTraffic" USING btree ("todayBytes", "userId");

CREATE INDEX "userTrafficUsed" ON public."userTraffic" USING btree ("usedTrafficBytes", "userId");

CREATE INDEX "userTrafficWeek" ON public."userTraffic" USING btree ("weekBytes", "userId");

CREATE INDEX "userTrafficResetsByTime" ON public."userTrafficResets" USING brin ("resetAt");

CREATE INDEX "userTrafficResetsByUser" ON public."userTrafficResets" USING btree ("userId", "resetAt");

CREATE INDEX "userUsageNode" ON public."userUsage" USING btree ("lastConnectedNodeId");

CREATE INDEX "usersCreated" ON public.users USING btree ("createdAt", id);

CREATE INDEX "usersDescription" ON public.users USING btree ("left"(description, 100), id) WHERE (description IS NOT NULL);

CREATE INDEX "usersDescriptionText" ON public.users USING gin (description gin_trgm_ops);

CREATE INDEX "usersDeviceLimit" ON public.users USING btree ("hwidDeviceLimit", id) WHERE ("hwidDeviceLimit" IS NOT NULL);

CREATE INDEX "usersEmail" ON public.users USING btree (email) WHERE (email IS NOT NULL);

CREATE INDEX "usersEmailText" ON public.users USING gin (email gin_trgm_ops);

CREATE INDEX "usersExpire" ON public.users USING btree ("expireAt");

CREATE INDEX "usersExpired" ON public.users USING btree ("expireAt") WHERE (status = 'EXPIRED'::text);

CREATE INDEX "usersExpiring" ON public.users USING btree ("expireAt") WHERE (status = ANY (ARRAY['ACTIVE'::text, 'LIMITED'::text]));

CREATE INDEX "usersExternalSquad" ON public.users USING btree ("externalSquadUuid", id) WHERE ("externalSquadUuid" IS NOT NULL);

CREATE INDEX "usersLimit" ON public.users USING btree ("trafficLimitBytes", id);

CREATE INDEX "usersRevoked" ON public.users USING btree ("subRevokedAt", id) WHERE ("subRevokedAt" IS NOT NULL);

CREATE INDEX "usersShortUuidText" ON public.users USING gin ("shortUuid" gin_trgm_ops);

CREATE INDEX "usersStatusCreated" ON public.users USING btree (status, "createdAt", id);

CREATE INDEX "usersStrategy" ON public.users USING btree ("trafficLimitStrategy", id);

CREATE INDEX "usersTag" ON public.users USING btree (tag, id) WHERE (tag IS NOT NULL);

CREATE INDEX "usersTelegram" ON public.users USING btree ("telegramId") WHERE ("telegramId" IS NOT NULL);

CREATE INDEX "usersUpdated" ON public.users USING btree ("updatedAt", id);

CREATE UNIQUE INDEX "usersUsername" ON public.users USING btree (lower(username));

CREATE INDEX "usersUsernameBeginning" ON public.users USING btree (lower(username) text_pattern_ops);

CREATE INDEX "usersUsernameText" ON public.users USING gin (username gin_trgm_ops);

CREATE INDEX "usersVlessUuid" ON public.users USING btree ("vlessUuid");

CREATE INDEX "webhookDeliveriesFailed" ON public."webhookDeliveries" USING btree ("webhookId", id) WHERE (state = 'failed'::text);

CREATE INDEX "webhookDeliveriesPosition" ON public."webhookDeliveries" USING btree ("position");

CREATE INDEX "webhookDeliveriesWaiting" ON public."webhookDeliveries" USING btree ("webhookId", id) WHERE (state = 'waiting'::text);
-- triggers

CREATE TRIGGER "tellEvent" AFTER DELETE OR UPDATE OR TRUNCATE ON public.admins FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('access');

CREATE CONSTRAINT TRIGGER "emitChanged" AFTER INSERT OR DELETE ON public."apiTokens" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "emitTokenEvents"();

CREATE TRIGGER "tellAccess" AFTER DELETE OR TRUNCATE ON public."apiTokens" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('access');

CREATE TRIGGER "tellAccessUpdate" AFTER UPDATE ON public."apiTokens" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('access');

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public."apiTokens" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('tokens');

CREATE TRIGGER "tellAccess" AFTER UPDATE OF "confirmedAt" ON public.authenticators FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('access');

CREATE TRIGGER "tellEvent" AFTER DELETE OR TRUNCATE ON public.authenticators FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('access');

CREATE TRIGGER "tellEvent" AFTER INSERT ON public."changedUsers" FOR EACH STATEMENT EXECUTE FUNCTION "tellSoon"('deliveries', '');

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public."configProfileInbounds" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('profiles');

CREATE TRIGGER "tellSubscriptionChange" AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public."configProfileInbounds" FOR EACH STATEMENT EXECUTE FUNCTION "tellSubscriptionChange"();

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public."configProfileInbounds" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdate"('profiles');

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public."configProfileRolloutNodes" FOR EACH ROW WHEN (((old.state IS DISTINCT FROM new.state) OR (old."usersBack" IS DISTINCT FROM new."usersBack"))) EXECUTE FUNCTION "tellEvent"('profiles');

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public."configProfileRollouts" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('profiles');

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public."configProfileRollouts" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdate"('profiles');

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public."configProfiles" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('profiles');

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public."configProfiles" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdate"('profiles');

CREATE TRIGGER "tellSubscriptionChange" AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public."externalSquadTemplates" FOR EACH STATEMENT EXECUTE FUNCTION "tellSubscriptionChange"();

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public."externalSquads" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('squads');

CREATE TRIGGER "tellSubscriptionChange" AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public."externalSquads" FOR EACH STATEMENT EXECUTE FUNCTION "tellSubscriptionChange"();

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public."externalSquads" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdate"('squads');

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public."geoFiles" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('nodes');

CREATE TRIGGER "noteChange" AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public."hostNodes" FOR EACH STATEMENT EXECUTE FUNCTION "noteHostChange"();

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public."hostNodes" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('hosts');

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public."hostNodes" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdate"('hosts');

CREATE TRIGGER "hostsDisabledUntil" BEFORE UPDATE ON public.hosts FOR EACH ROW WHEN (((new."disabledUntil" IS NOT NULL) AND ((NOT new."isDisabled") OR ((new."isDisabled" <> old."isDisabled") AND (new."disabledUntil" = old."disabledUntil"))))) EXECUTE FUNCTION "endHostDisabledUntil"();

CREATE TRIGGER "hostsTags" BEFORE INSERT OR UPDATE OF tag, tags ON public.hosts FOR EACH ROW EXECUTE FUNCTION "keepHostTags"();

CREATE TRIGGER "noteChange" AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.hosts FOR EACH STATEMENT EXECUTE FUNCTION "noteHostChange"();

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public.hosts FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('hosts');

CREATE TRIGGER "tellSubscriptionChange" AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.hosts FOR EACH STATEMENT EXECUTE FUNCTION "tellSubscriptionChange"();

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public.hosts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdate"('hosts');

CREATE CONSTRAINT TRIGGER "emitChanged" AFTER INSERT OR DELETE ON public."hwidDevices" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "emitDeviceEvents"();

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public."hwidDevices" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('devices');

CREATE TRIGGER "keepBillingDay" BEFORE INSERT OR UPDATE ON public."infraBillingNodes" FOR EACH ROW EXECUTE FUNCTION "keepBillingDay"();

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public."infraBillingNodes" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('billing');

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public."infraBillingNodes" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdate"('billing');

CREATE TRIGGER "keepBilledDay" BEFORE INSERT ON public."infraBillingRecords" FOR EACH ROW EXECUTE FUNCTION "keepBilledDay"();

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public."infraBillingRecords" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('billing');

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public."infraBillingRecords" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdate"('billing');

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public."infraProviders" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('billing');

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public."infraProviders" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdate"('billing');

CREATE TRIGGER "tellAccess" AFTER UPDATE OF "isSecondFactorRequired" ON public.installation FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('access');

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public.installation FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('settings');

CREATE TRIGGER "tellSubscriptionChange" AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.installation FOR EACH STATEMENT EXECUTE FUNCTION "tellSubscriptionChange"();

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public.installation REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdate"('settings');

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public."internalSquadInbounds" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('squads');

CREATE TRIGGER "tellSubscriptionChange" AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public."internalSquadInbounds" FOR EACH STATEMENT EXECUTE FUNCTION "tellSubscriptionChange"();

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public."internalSquadInbounds" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdate"('squads');

CREATE CONSTRAINT TRIGGER "emitChanged" AFTER INSERT OR DELETE ON public."internalSquadMembers" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "emitMemberEvents"();

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public."internalSquadMembers" FOR EACH STATEMENT EXECUTE FUNCTION "tellSoon"('events', 'squads');

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public."internalSquadMembers" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdateSoon"('events', 'squads');

CREATE TRIGGER "noteChange" AFTER DELETE ON public."internalSquads" FOR EACH STATEMENT EXECUTE FUNCTION "noteHostChange"();

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public."internalSquads" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('squads');

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public."internalSquads" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdate"('squads');

CREATE TRIGGER "tellEvent" AFTER INSERT OR TRUNCATE ON public.jobs FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('jobs');

CREATE TRIGGER "tellJobs" AFTER INSERT ON public.jobs FOR EACH STATEMENT EXECUTE FUNCTION "tellJobs"();

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public.jobs FOR EACH ROW WHEN (((old."finishedAt" IS DISTINCT FROM new."finishedAt") AND (NOT new."isRecurring"))) EXECUTE FUNCTION "tellEvent"('jobs');

CREATE CONSTRAINT TRIGGER "emitChanged" AFTER INSERT OR DELETE ON public."nodeInbounds" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "emitNodeInboundEvents"();

CREATE CONSTRAINT TRIGGER "emitChanged" AFTER UPDATE ON public."nodeStates" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old."isConnected" <> new."isConnected") OR ((old."trafficNotifiedAt" IS NULL) AND (new."trafficNotifiedAt" IS NOT NULL)))) EXECUTE FUNCTION "emitNodeStateEvents"();

CREATE TRIGGER "noteNodePhase" AFTER UPDATE ON public."nodeStates" FOR EACH ROW WHEN ((((((old."isConnected" IS DISTINCT FROM new."isConnected") OR (old."isConnecting" IS DISTINCT FROM new."isConnecting")) OR (old."isNodeOnline" IS DISTINCT FROM new."isNodeOnline")) OR (old."lastStatusMessage" IS DISTINCT FROM new."lastStatusMessage")) OR (old."coreEpoch" IS DISTINCT FROM new."coreEpoch"))) EXECUTE FUNCTION "noteNodePhase"();

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public."nodeStates" FOR EACH ROW WHEN (((old."isConnected" IS DISTINCT FROM new."isConnected") OR (old."isConnecting" IS DISTINCT FROM new."isConnecting") OR (old."lastStatusMessage" IS DISTINCT FROM new."lastStatusMessage") OR (old.warning IS DISTINCT FROM new.warning))) EXECUTE FUNCTION "tellEvent"('nodes');

CREATE TRIGGER "keepNodeUsageDaysOfChanged" AFTER UPDATE ON public."nodeUsageQuarters" REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "keepNodeUsageDays"();

CREATE TRIGGER "keepNodeUsageDaysOfNew" AFTER INSERT ON public."nodeUsageQuarters" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "keepNodeUsageDays"();

CREATE CONSTRAINT TRIGGER "emitChanged" AFTER UPDATE ON public.nodes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION "emitNodeEvents"();

CREATE CONSTRAINT TRIGGER "emitCreated" AFTER INSERT ON public.nodes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "emitNodeEvents"();

CREATE TRIGGER "emitDeleted" BEFORE DELETE ON public.nodes FOR EACH ROW EXECUTE FUNCTION "emitNodeDeleted"();

CREATE TRIGGER "noteChange" AFTER UPDATE OF "viewPosition" ON public.nodes FOR EACH STATEMENT EXECUTE FUNCTION "noteHostChange"();

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public.nodes FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('nodes');

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public.nodes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdate"('nodes');

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public.passkeys FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('access');

CREATE TRIGGER "tellEvent" AFTER DELETE OR UPDATE OR TRUNCATE ON public.resellers FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('access');

CREATE TRIGGER "tellEvent" AFTER DELETE OR UPDATE OR TRUNCATE ON public.roles FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('access');

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public."serverCertificates" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('settings');

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public."serverCertificates" FOR EACH ROW WHEN (((old.chain IS DISTINCT FROM new.chain) OR (old."failedAt" IS DISTINCT FROM new."failedAt"))) EXECUTE FUNCTION "tellEvent"('settings');

CREATE TRIGGER "tellEvent" AFTER DELETE OR UPDATE OR TRUNCATE ON public.sessions FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('access');

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public.snippets FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('profiles');

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public.snippets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdate"('profiles');

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public."subscriptionPageConfigs" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('settings');

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public."subscriptionPageConfigs" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdate"('settings');

CREATE CONSTRAINT TRIGGER "emitChanged" AFTER INSERT OR DELETE OR UPDATE ON public."subscriptionPages" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "emitSubscriptionPageEvents"();

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public."subscriptionPages" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('settings');

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public."subscriptionPages" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdate"('settings');

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public."subscriptionSettings" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('settings');

CREATE TRIGGER "tellSubscriptionChange" AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public."subscriptionSettings" FOR EACH STATEMENT EXECUTE FUNCTION "tellSubscriptionChange"();

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public."subscriptionSettings" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdate"('settings');

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public."subscriptionTemplates" FOR EACH STATEMENT EXECUTE FUNCTION "tellEvent"('templates');

CREATE TRIGGER "tellSubscriptionChange" AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public."subscriptionTemplates" FOR EACH STATEMENT EXECUTE FUNCTION "tellSubscriptionChange"();

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public."subscriptionTemplates" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdate"('templates');

CREATE TRIGGER "templateLabel" BEFORE INSERT OR UPDATE OF name, "templateType", label ON public."subscriptionTemplates" FOR EACH ROW EXECUTE FUNCTION "keepTemplateLabel"();

CREATE CONSTRAINT TRIGGER "emitReport" AFTER INSERT ON public."torrentReports" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "emitTorrentReport"();

CREATE CONSTRAINT TRIGGER "emitChanged" AFTER UPDATE ON public."userUsage" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old."firstConnectedAt" IS NULL) AND (new."firstConnectedAt" IS NOT NULL)) OR (new."lastTriggeredThreshold" > old."lastTriggeredThreshold") OR (new."lastTrafficResetAt" > COALESCE(old."lastTrafficResetAt", '-infinity'::timestamp with time zone)))) EXECUTE FUNCTION "emitUsageEvents"();

CREATE TRIGGER "countDeletedUsers" AFTER DELETE ON public.users REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "countUsers"();

CREATE TRIGGER "countInsertedUsers" AFTER INSERT ON public.users REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "countUsers"();

CREATE TRIGGER "countUpdatedUsers" AFTER UPDATE ON public.users REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "countUsers"();

CREATE CONSTRAINT TRIGGER "emitChanged" AFTER UPDATE ON public.users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION "emitUserEvents"();

CREATE CONSTRAINT TRIGGER "emitCreated" AFTER INSERT ON public.users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "emitUserEvents"();

CREATE TRIGGER "emitDeleted" BEFORE DELETE ON public.users FOR EACH ROW EXECUTE FUNCTION "emitUserDeleted"();

CREATE TRIGGER "placeDeletedUsers" AFTER DELETE ON public.users REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "placeUsers"();

CREATE TRIGGER "placeInsertedUsers" AFTER INSERT ON public.users REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "placeUsers"();

CREATE TRIGGER "tellEvent" AFTER INSERT OR DELETE OR TRUNCATE ON public.users FOR EACH STATEMENT EXECUTE FUNCTION "tellSoon"('events', 'users');

CREATE TRIGGER "tellUpdate" AFTER UPDATE ON public.users REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "tellUpdateSoon"('events', 'users');
