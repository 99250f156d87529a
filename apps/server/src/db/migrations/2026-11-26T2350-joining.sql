-- Nodes join by one line: the code of each node that is joining with how far it has come, and the certificates that were signed
-- for keys that nodes have made themselves.
create table "nodeJoins" (
  "nodeId" bigint primary key references "nodes" ("id") on delete cascade,
  -- SHA-256. The code itself is shown once.
  "codeHash" bytea not null unique,
  "madeAt" timestamptz(3) not null,
  "expiresAt" timestamptz(3) not null,
  "fetchedAt" timestamptz(3),
  "downloadedAt" timestamptz(3),
  "signedAt" timestamptz(3),
  "installedAt" timestamptz(3),
  "reachedAt" timestamptz(3),
  "startedAt" timestamptz(3),
  "servingAt" timestamptz(3),
  "failure" text,
  "failureDetail" text,
  "failedAt" timestamptz(3),
  "unreached" text
);

create table "nodeCertificates" (
  -- SHA-256 of the certificate in hexadecimal digits.
  "fingerprint" text primary key,
  -- No reference: a deleted node that comes back has its certificates, and those that were revoked.
  "nodeUuid" uuid not null,
  "signedAt" timestamptz(3) not null,
  "endsAt" timestamptz(3) not null,
  -- When the agent showed it first. Until one was seen, the agent may still show that of its secret key.
  "seenAt" timestamptz(3),
  "revokedAt" timestamptz(3)
);
create index "nodeCertificatesNode" on "nodeCertificates" ("nodeUuid");
