-- Who used most in a period is answered from sums that stand with the usage of each user, in raw bytes and days of the installation: booking
-- keeps the day that runs, a nightly turn makes the sums of the closed days before it (decision 024).
alter table "userUsage"
  -- The day that "dayBytes" were moved on.
  add column "trafficDay" date,
  add column "dayBytes" bigint not null default 0,
  -- The day whose closed days the sums are of: the 6 and the 29 days before it, and those of its month. Without it all are 0.
  add column "sumsDay" date,
  add column "weekBytes" bigint not null default 0,
  add column "thirtyDaysBytes" bigint not null default 0,
  add column "monthBytes" bigint not null default 0;

-- Which day the sums have been turned to, and up to which user; null: all of them.
create table "trafficTurns" (
  "isOnly" boolean primary key default true check ("isOnly"),
  "day" date not null,
  "throughUserId" bigint
);
