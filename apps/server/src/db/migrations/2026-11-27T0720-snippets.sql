-- Parts of configurations that several profiles share.
create table "snippets" (
  "id" bigint generated always as identity primary key,
  "uuid" uuid not null default gen_random_uuid() unique,
  "name" text not null unique,
  "snippet" json not null,
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now()
);
alter table "revisions" drop constraint "revisions_kind_check",
  add constraint "revisions_kind_check" check ("kind" in ('profile', 'template', 'responseRules', 'snippet'));

create trigger "tellEvent" after insert or delete or truncate on "snippets"
  for each statement execute function "tellEvent"('profiles');
create trigger "tellUpdate" after update on "snippets" referencing new table as "changed"
  for each statement execute function "tellUpdate"('profiles');
