-- Certificates that the server gets from an ACME directory, shared by all servers of the database, and how the next try goes.
create table "serverCertificates" (
  "name" text primary key,
  -- Address of the directory that was asked last.
  "directory" text,
  -- PEM, the certificate first; null before the first one.
  "chain" text,
  -- PEM, wrapped by the master key.
  "wrappedKey" text,
  "startsAt" timestamptz(3),
  "endsAt" timestamptz(3),
  -- Failed tries since the last certificate, and why the last one failed.
  "attempts" integer not null default 0,
  "failure" text,
  "detail" text,
  "failedAt" timestamptz(3),
  -- When the next certificate is tried for. While one is, until when another server leaves it alone.
  "dueAt" timestamptz(3) not null,
  -- The challenge that the directory is about to look at.
  "challengeToken" text,
  "challengeAnswer" text
);

create trigger "tellEvent" after insert or delete or truncate on "serverCertificates"
  for each statement execute function "tellEvent"('settings');
create trigger "tellUpdate" after update on "serverCertificates" for each row
  when (old."chain" is distinct from new."chain" or old."failedAt" is distinct from new."failedAt")
  execute function "tellEvent"('settings');
