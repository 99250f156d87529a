-- Of many users, the order by what each moved in a period is kept beside what booking writes, and brought in step now and then
-- (decision 024). It can be made anew from the users' usage at any time, so that nothing of it is written to the log.
create unlogged table "userTraffic" (
  "userId" bigint primary key,
  "todayBytes" bigint not null default 0,
  "weekBytes" bigint not null default 0,
  "thirtyDaysBytes" bigint not null default 0,
  "monthBytes" bigint not null default 0
);
create index "userTrafficToday" on "userTraffic" ("todayBytes", "userId");
create index "userTrafficWeek" on "userTraffic" ("weekBytes", "userId");
create index "userTrafficThirtyDays" on "userTraffic" ("thirtyDaysBytes", "userId");
create index "userTrafficMonth" on "userTraffic" ("monthBytes", "userId");

-- Emptied by a crash together with the order itself, after which it is made anew.
create unlogged table "trafficOrder" (
  "isOnly" boolean primary key default true check ("isOnly"),
  "day" date,
  "madeAt" timestamptz(3),
  "tookMs" integer not null,
  "askedAt" timestamptz(3)
);

-- Users come and go with their place: a list in this order has everyone. No foreign key, which would lock each of a million
-- users when the order is first made.
create function "placeUsers"() returns trigger language plpgsql as $$
begin
  if exists (select from "trafficOrder") then
    if tg_op = 'INSERT' then
      insert into "userTraffic" ("userId") select "id" from added on conflict do nothing;
    else
      delete from "userTraffic" where "userId" in (select "id" from removed);
    end if;
  end if;
  return null;
end $$;
create trigger "placeInsertedUsers" after insert on "users"
  referencing new table as added for each statement execute function "placeUsers"();
create trigger "placeDeletedUsers" after delete on "users"
  referencing old table as removed for each statement execute function "placeUsers"();
