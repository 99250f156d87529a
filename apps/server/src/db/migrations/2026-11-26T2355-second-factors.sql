-- A second factor of an administrator: one-time codes by a shared secret, wrapped by the master key. The step of the last code is
-- kept, as a code serves once.
create table "authenticators" (
  "adminId" bigint primary key references "admins" ("id") on delete cascade,
  "secret" text not null,
  "confirmedAt" timestamptz(3),
  "lastStep" bigint not null default 0,
  "createdAt" timestamptz(3) not null default now()
);

-- Kept as hashes; a row goes when its code is used.
create table "recoveryCodes" (
  "adminId" bigint not null references "admins" ("id") on delete cascade,
  "codeHash" text not null,
  primary key ("adminId", "codeHash")
);

create table "passkeys" (
  "id" text primary key,
  "adminId" bigint not null references "admins" ("id") on delete cascade,
  "name" text not null,
  "publicKey" bytea not null,
  "counter" bigint not null,
  "transports" text[] not null default '{}',
  "createdAt" timestamptz(3) not null default now(),
  "lastUsedAt" timestamptz(3)
);
create index "passkeysOfAdmin" on "passkeys" ("adminId");

-- What a browser has to sign. It serves once. Without an administrator any passkey may answer it.
create table "passkeyChallenges" (
  "challengeHash" text primary key,
  "purpose" text not null,
  "adminId" bigint references "admins" ("id") on delete cascade,
  "expiresAt" timestamptz(3) not null
);

-- The last proof of identity.
-- Null: a session of a program that speaks the wire, which is never asked for another proof.
alter table "sessions" add column "provenAt" timestamptz(3) default now();

-- Networks from which administrators may sign in; empty admits all.
alter table "installation" add column "signInNetworks" text[] not null default '{}';
