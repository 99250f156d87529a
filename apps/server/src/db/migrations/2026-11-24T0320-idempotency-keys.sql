-- Submissions that have created something, so that one sent again creates nothing (features/audit write()).

create table "idempotencyKeys" (
  "caller" text not null,
  "key" text not null,
  "contentHash" text not null,
  "answer" text,
  "at" timestamptz(3) not null default now(),
  primary key ("caller", "key")
);
create index "idempotencyKeys_at_idx" on "idempotencyKeys" ("at");
