-- The server processes that share this database tell each other that they live. Lost with a crash, as they are themselves.
create unlogged table "serverProcesses" (
  "id" uuid primary key,
  "role" text not null,
  "startedAt" timestamptz(3) not null,
  "seenAt" timestamptz(3) not null,
  "memoryBytes" bigint not null,
  "cpuPercent" double precision not null
);
