-- Lists that are looked at again and again have names, shared by everybody who may see them.
create table "savedViews" (
  "id" bigint generated always as identity primary key,
  "uuid" uuid not null unique default gen_random_uuid(),
  "page" text not null,
  "name" text not null,
  -- What stands in the address of the page while it is looked at.
  "search" jsonb not null,
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now()
);
create unique index "savedViewsName" on "savedViews" ("page", lower("name"));
