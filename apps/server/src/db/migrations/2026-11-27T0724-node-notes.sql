-- A note and further addresses of a node, for people and programs.
alter table "nodes"
  add column "note" text,
  add column "ips" jsonb not null default '[]';
