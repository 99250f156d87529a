-- Who is connected from where, as programs ask for it. The table is unlogged and rows live for minutes: addresses of users reach
-- neither the write-ahead log nor a backup.

create unlogged table "connectionReadings" (
  "id" uuid primary key default gen_random_uuid(),
  "kind" text not null check ("kind" in ('user', 'node')),
  "subjectId" bigint not null,
  "done" integer not null default 0,
  "total" integer not null,
  "result" jsonb,
  "finishedAt" timestamptz(3),
  "expiresAt" timestamptz(3) not null
);
-- One at a time is read of a user or node: who asks meanwhile waits for the same answer.
create unique index "connectionReadingsOpen" on "connectionReadings" ("kind", "subjectId") where "finishedAt" is null;
