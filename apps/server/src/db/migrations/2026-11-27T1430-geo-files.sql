-- Lists of addresses and domains for rules of nodes. They reach nodes as an update, a part beside agent and Xray.
create table "geoFiles" (
  "name" text primary key,
  "kind" text not null check ("kind" in ('geoip', 'geosite')),
  "bytes" integer not null,
  -- SHA-256.
  "digest" text not null,
  -- Names of the lists in it.
  "lists" text[] not null,
  "content" bytea not null,
  "revision" integer not null,
  "uploadedAt" timestamptz(3) not null,
  "uploadedBy" text
);
create trigger "tellEvent" after insert or update or delete or truncate on "geoFiles"
  for each statement execute function "tellEvent"('nodes');

-- Of a file that is arriving, until it is whole.
create table "geoFilePieces" (
  "name" text not null,
  "offset" integer not null,
  "content" bytea not null,
  "receivedAt" timestamptz(3) not null,
  primary key ("name", "offset")
);

alter table "configProfileRollouts"
  drop constraint "configProfileRollouts_part_check",
  add constraint "configProfileRollouts_part_check" check ("part" in ('agent', 'core', 'geo'));

-- Empty where the node has none from here; null where its agent takes none.
alter table "nodeStates"
  drop constraint "nodeStates_partWanted_check",
  add constraint "nodeStates_partWanted_check" check ("partWanted" in ('agent', 'core', 'geo')),
  add column "geoVersion" text;
