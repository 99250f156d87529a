-- Moving in from another installation: one row, of the last rehearsal and import.
create table "moveIn" (
  "id" integer primary key default 1 check ("id" = 1),
  "panel" text,
  -- Name of the file, or address of the database without credentials.
  "source" text,
  "report" jsonb,
  "reportedAt" timestamptz(3),
  "failure" text,
  "stoppedAt" timestamptz(3),
  "importedAt" timestamptz(3),
  -- The old panel may still look after the nodes: this server leaves them alone.
  "isHeld" boolean not null default false,
  "startedAt" timestamptz(3),
  -- Bytes of each node at the start, by its uuid.
  "bytesAtStart" jsonb,
  "endedAt" timestamptz(3)
);
insert into "moveIn" default values;
