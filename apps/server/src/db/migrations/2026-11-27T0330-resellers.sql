-- A reseller: squads whose users its administrators and tokens see, and bounds of what they may promise; null bounds nothing.
create table "resellers" (
  "id" bigint primary key generated always as identity,
  "uuid" uuid not null unique default gen_random_uuid(),
  "name" text not null unique,
  "squadUuids" uuid[] not null,
  "maxUsers" bigint,
  "maxBytes" bigint,
  "maxDays" integer,
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now()
);
-- A changed scope counts at the next request.
create trigger "tellEvent" after update or delete or truncate on "resellers" for each statement execute function "tellEvent"('access');

alter table "admins" add column "resellerId" bigint references "resellers" ("id") on delete restrict;
alter table "admins" add constraint "ownersSeeAll" check ("resellerId" is null or "builtInRole" is distinct from 'owner');
create index "adminsOfReseller" on "admins" ("resellerId") where "resellerId" is not null;
alter table "invitations" add column "resellerId" bigint references "resellers" ("id") on delete cascade;
create index "invitationsOfReseller" on "invitations" ("resellerId") where "resellerId" is not null;
alter table "apiTokens" add column "resellerId" bigint references "resellers" ("id") on delete restrict;
create index "apiTokensOfReseller" on "apiTokens" ("resellerId") where "resellerId" is not null;

-- The administrator or token that made a user.
alter table "users" add column "madeBy" uuid;
