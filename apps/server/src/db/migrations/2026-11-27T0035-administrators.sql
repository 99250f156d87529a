-- Many administrators. A role is one that the product ships, by its name, or one of the installation's own.
drop index "adminsOnlyOne";

create table "roles" (
  "id" bigint primary key generated always as identity,
  "uuid" uuid not null unique default gen_random_uuid(),
  "name" text not null unique,
  "permissions" jsonb not null,
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now()
);
-- A changed role counts at the next request of its holders.
create trigger "tellEvent" after update or delete or truncate on "roles" for each statement execute function "tellEvent"('access');

alter table "admins" add column "builtInRole" text default 'owner';
alter table "admins" add column "roleId" bigint references "roles" ("id") on delete restrict;
alter table "admins" add constraint "adminsHaveOneRole" check (("builtInRole" is null) <> ("roleId" is null));
create index "adminsOfRole" on "admins" ("roleId");

-- An invitation is known by the hash of its link. It goes when it is accepted or recalled.
create table "invitations" (
  "uuid" uuid primary key default gen_random_uuid(),
  "tokenHash" text not null unique,
  "note" text not null,
  "builtInRole" text,
  "roleId" bigint references "roles" ("id") on delete cascade,
  "invitedBy" text not null,
  "createdAt" timestamptz(3) not null default now(),
  "expiresAt" timestamptz(3) not null,
  "acceptedAt" timestamptz(3),
  "recalledAt" timestamptz(3),
  constraint "invitationsHaveOneRole" check (("builtInRole" is null) <> ("roleId" is null))
);
create index "invitationsOfRole" on "invitations" ("roleId");

-- Who made a token, asked about when that person leaves.
alter table "apiTokens" add column "madeBy" uuid;

create or replace function "hasEventReaders"("family" text default null) returns boolean language sql stable as $$
  select coalesce(current_setting('causeway.quiet', true), '') <> 'on' and (exists (select from "webhooks") or exists (
    select from "noticeRules" where not "isPaused" and case $1
      when 'user' then "condition" in ('usersLimited', 'usersExpired', 'userEvents')
      when 'node' then "condition" in ('nodeDown', 'nodeTraffic', 'nodeEvents', 'weekSummary')
      when 'service' then "condition" in ('signIn', 'signInNew', 'signInFailed', 'serviceEvents')
      when 'crm' then "condition" = 'billEvents'
      when 'user_hwid_devices' then false
      else true end))
$$;
