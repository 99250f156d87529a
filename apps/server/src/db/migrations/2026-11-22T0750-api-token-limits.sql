-- API tokens may end by themselves, hold only some permissions and be shown once. When and from where one was used last
-- stands apart from what an administrator edits.
alter table "apiTokens"
  add column "expiresAt" timestamptz(3),
  add column "permissions" jsonb,
  add column "isShownOnce" boolean not null default false;

create table "apiTokenUses" (
  "tokenUuid" uuid primary key references "apiTokens" ("uuid") on delete cascade,
  "lastUsedAt" timestamptz(3) not null,
  "lastUsedFrom" text,
  "lastUserAgent" text
);
