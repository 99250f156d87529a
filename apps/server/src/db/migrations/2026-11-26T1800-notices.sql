-- Notices to people. Ways lead to people, rules say what is told. A notice is one occasion for one way; messages hold the notices that
-- are sent together.
create table "noticeWays" (
  "id" bigint generated always as identity primary key,
  "uuid" uuid not null unique default gen_random_uuid(),
  "name" text not null,
  "kind" text not null check ("kind" in ('telegram', 'email', 'webhook')),
  "settings" jsonb not null,
  -- Token, password, secret and proxy as JSON, wrapped by the master key. Null: none.
  "secret" text,
  "language" text not null check ("language" in ('en', 'ru', 'fa', 'zh')),
  -- Where links lead when no address is configured: where the panel was reached when the way was made.
  "origin" text,
  "isPaused" boolean not null default false,
  "isFromEnvironment" boolean not null default false,
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now()
);

create table "noticeWayStates" (
  "wayId" bigint primary key references "noticeWays" on delete cascade,
  "lastSuccessAt" timestamptz(3),
  "failures" integer not null default 0,
  "failingSince" timestamptz(3),
  "lastError" text,
  -- A receiver that asked to be left alone for so long.
  "restsUntil" timestamptz(3)
);

create table "noticeRules" (
  "id" bigint generated always as identity primary key,
  "uuid" uuid not null unique default gen_random_uuid(),
  "condition" text not null,
  "amount" integer,
  -- Uuids of ways. One that is deleted stays here: undoing its deletion restores the whole.
  "ways" jsonb not null,
  "quietFrom" text,
  "quietTo" text,
  "zone" text,
  "mostPerHour" integer,
  "digest" text not null default 'none' check ("digest" in ('none', 'hourly', 'daily')),
  "isPaused" boolean not null default false,
  "isFromEnvironment" boolean not null default false,
  -- The way that it was made together with, for the history.
  "madeWithWayId" bigint,
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now()
);
create index "noticeRulesMadeWith" on "noticeRules" ("madeWithWayId");

-- The cursor over published events. Its lock lets one server at a time turn events into notices.
create table "noticeReader" (
  "isOnly" boolean primary key default true check ("isOnly"),
  "position" bigint not null default 0
);
insert into "noticeReader" default values;

-- What is wrong now, by rule: a node that is lost, a user near the limit. It is told once, until it is over.
create table "noticeTroubles" (
  "ruleId" bigint not null references "noticeRules" on delete cascade,
  "thing" text not null,
  "facts" jsonb not null,
  "sinceAt" timestamptz(3) not null,
  -- Of nodes: how often the connection was lost since then, and since when it is back.
  "losses" integer not null default 0,
  "backAt" timestamptz(3),
  "toldAt" timestamptz(3),
  primary key ("ruleId", "thing")
);

create table "noticeMessages" (
  "id" bigint generated always as identity primary key,
  "uuid" uuid not null unique default gen_random_uuid(),
  "wayId" bigint not null references "noticeWays" on delete cascade,
  "ruleId" bigint references "noticeRules" on delete set null,
  "title" text not null,
  -- [{"text": "…", "url": "…" or null}]
  "lines" jsonb not null,
  "state" text not null default 'waiting' check ("state" in ('waiting', 'sent', 'failed')),
  "attempts" integer not null default 0,
  "at" timestamptz(3) not null,
  "nextAttemptAt" timestamptz(3) not null,
  "endedAt" timestamptz(3),
  "error" text,
  "answer" text
);
create index "noticeMessagesWaiting" on "noticeMessages" ("wayId", "id") where "state" = 'waiting';
create index "noticeMessagesAt" on "noticeMessages" ("at");
create index "noticeMessagesRate" on "noticeMessages" ("ruleId", "at");

create table "notices" (
  "id" bigint generated always as identity primary key,
  "ruleId" bigint not null references "noticeRules" on delete cascade,
  "wayId" bigint not null references "noticeWays" on delete cascade,
  -- The same for one occasion, however many servers see it.
  "occasion" text not null,
  -- Which text it has.
  "text" text not null,
  "facts" jsonb not null,
  "at" timestamptz(3) not null,
  "dueAt" timestamptz(3) not null,
  -- Null: still held back.
  "messageId" bigint references "noticeMessages" on delete cascade,
  unique ("wayId", "ruleId", "occasion")
);
create index "noticesHeld" on "notices" ("dueAt") where "messageId" is null;
create index "noticesMessage" on "notices" ("messageId");
create index "noticesRule" on "notices" ("ruleId", "at");

-- Events are written for those who read that family of them.
drop function "hasEventReaders"();
create function "hasEventReaders"("family" text default null) returns boolean language sql stable as $$
  select coalesce(current_setting('causeway.quiet', true), '') <> 'on' and (exists (select from "webhooks") or exists (
    select from "noticeRules" where not "isPaused" and case $1
      when 'user' then "condition" in ('usersLimited', 'usersExpired', 'userEvents')
      when 'node' then "condition" in ('nodeDown', 'nodeTraffic', 'nodeEvents', 'weekSummary')
      when 'service' then "condition" in ('signIn', 'signInFailed', 'serviceEvents')
      when 'crm' then "condition" = 'billEvents'
      when 'user_hwid_devices' then false
      else true end))
$$;
do $$
declare
  "each" record;
begin
  for "each" in select * from (values
    ('emitUserEvents', 'user'), ('emitUserDeleted', 'user'), ('emitUsageEvents', 'user'), ('emitMemberEvents', 'user'),
    ('emitDeviceEvents', 'user_hwid_devices'), ('emitNodeEvents', 'node'), ('emitNodeDeleted', 'node'),
    ('emitNodeInboundEvents', 'node'), ('emitNodeStateEvents', 'node'), ('emitTokenEvents', 'service'),
    ('emitSubscriptionPageEvents', 'service')) as "of"("name", "family")
  loop
    execute replace(pg_get_functiondef(format('%I', "each"."name")::regproc), '"hasEventReaders"()',
      format('"hasEventReaders"(%L)', "each"."family"));
  end loop;
end $$;
