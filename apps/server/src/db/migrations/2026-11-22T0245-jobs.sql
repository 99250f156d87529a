-- One mechanism for all work that is not answered at once: bulk changes, schedules, deletions.

alter table "jobs"
  -- Order within a group: the one they were asked for in.
  add column "number" bigint generated always as identity,
  add column "group" text not null default 'users',
  add column "attempts" integer not null default 0,
  add column "dueAt" timestamptz(3) not null default now(),
  add column "startedAt" timestamptz(3),
  -- A schedule is one job that comes back.
  add column "isRecurring" boolean not null default false;
update "jobs" set "group" = 'traffic resets' where "kind" = 'resetByStrategy';
alter table "jobs" alter column "group" drop default;

drop index "jobsOpen";
create index "jobsOpen" on "jobs" ("group", "number") where "finishedAt" is null;
create unique index "jobsRecurring" on "jobs" ("kind") where "isRecurring";
create index "jobsFinished" on "jobs" ("finishedAt") where "finishedAt" is not null;

-- A job that waits wakes the servers at the end of its transaction, whoever asked for it.
create function "tellJobs"() returns trigger language plpgsql as $$
begin
  perform pg_notify('jobs', '');
  return null;
end $$;
create trigger "tellJobs" after insert on "jobs" for each statement execute function "tellJobs"();

-- What is forgotten by age is found by age. Rows come in the order of time, so that a few kilobytes of index do.
create index "userTrafficResetsByTime" on "userTrafficResets" using brin ("resetAt");
create index "nodeTrafficResetsByTime" on "nodeTrafficResets" using brin ("resetAt");

-- Earlier versions kept queues that nothing went through (docs/decisions/015).
drop schema if exists "boss" cascade;
