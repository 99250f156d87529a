-- What config profiles and templates held after each save, so that an older state can be looked at, compared and taken up again.

create table "revisions" (
  "id" bigint generated always as identity primary key,
  "kind" text not null check ("kind" in ('profile', 'template')),
  -- Not a reference: what was deleted may be brought back from the audit log, and finds its revisions.
  "subjectUuid" uuid not null,
  "number" integer not null,
  "at" timestamptz(3) not null default now(),
  "actorKind" text not null,
  "actorName" text,
  "reason" text,
  -- As text in the order in which it was written.
  "content" text not null,
  unique ("kind", "subjectUuid", "number")
);
