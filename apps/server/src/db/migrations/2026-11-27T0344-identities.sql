-- Accounts at sign-in providers, and the administrator that each belongs to. The subject is what the provider never changes.
create table "adminIdentities" (
  "uuid" uuid primary key default gen_random_uuid(),
  "provider" text not null,
  "subject" text not null,
  "label" text not null,
  "adminId" bigint not null references "admins" ("id") on delete cascade,
  "createdAt" timestamptz(3) not null default now(),
  unique ("provider", "subject")
);
create index "adminIdentitiesOfAdmin" on "adminIdentities" ("adminId");
