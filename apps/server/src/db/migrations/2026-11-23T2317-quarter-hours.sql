-- Days begin at half past in Tehran, Kolkata and Yangon, at a quarter to in Kathmandu and Chatham: hours of UTC belong to two
-- days there. What moved is kept by quarters of an hour, of which each belongs to one day in every zone.
create function "dayOf"(timestamptz) returns date language sql stable as $$
  select ($1 at time zone coalesce((select "timeZone" from "installation"), 'UTC'))::date
$$;
create table "nodeUsageQuarters" (
  "nodeId" bigint not null references "nodes" on delete cascade,
  "quarter" timestamptz(3) not null,
  "uploadBytes" bigint not null default 0,
  "downloadBytes" bigint not null default 0,
  "updatedAt" timestamptz(3) not null default now(),
  primary key ("nodeId", "quarter")
);
create index "nodeUsageQuartersByQuarter" on "nodeUsageQuarters" ("quarter");

-- By the newest hour: the clock of this machine may be ahead.
create temporary table "kept" as
  select least(now(), max("hour")) - interval '71 days' as "since" from "nodeUsageHours";

-- Of a stored hour nobody knows the quarters: its bytes are spread evenly over those that had begun at its last booking.
create temporary table "spread" as
  select hours."nodeId", hours."hour", hours."hour" + place * interval '15 minutes' as "quarter", hours."updatedAt",
    hours."uploadBytes" * (place + 1) / hours."quarters" - hours."uploadBytes" * place / hours."quarters" as "uploadBytes",
    hours."downloadBytes" * (place + 1) / hours."quarters" - hours."downloadBytes" * place / hours."quarters" as "downloadBytes"
  from (
    select *, greatest(1, least(4, floor(extract(epoch from "updatedAt" - "hour") / 900)::bigint + 1)) as "quarters"
    from "nodeUsageHours"
    -- Older quarters are not kept. Of older hours only those matter that belong to two days.
    where "hour" > (select "since" from "kept") or "dayOf"("hour") <> "dayOf"("hour" + interval '59 minutes')
  ) hours cross join lateral generate_series(0, hours."quarters" - 1) place;

-- The part of an hour after midnight had been counted for the day before. Days that were booked in another zone stay.
with "moved" as (
  select "nodeId", "dayOf"("hour") as "from", "dayOf"("quarter") as "to",
    sum("uploadBytes")::bigint as "uploadBytes", sum("downloadBytes")::bigint as "downloadBytes"
  from "spread"
  where "dayOf"("quarter") <> "dayOf"("hour") and "hour" >= coalesce((
    select max("at") from "auditLog" where "action" = 'updateInstallation' and "after"->'installation'->0->>'timeZone' is not null
  ), '-infinity')
  group by 1, 2, 3
)
insert into "nodeUsageDays" as kept ("day", "nodeId", "uploadBytes", "downloadBytes")
  select "day", "nodeId", sum("uploadBytes"), sum("downloadBytes") from (
    select "to" as "day", "nodeId", "uploadBytes", "downloadBytes" from "moved"
    union all
    select "from", "nodeId", -"uploadBytes", -"downloadBytes" from "moved"
  ) changes group by 1, 2
  on conflict ("day", "nodeId") do update set "uploadBytes" = kept."uploadBytes" + excluded."uploadBytes",
    "downloadBytes" = kept."downloadBytes" + excluded."downloadBytes";

insert into "nodeUsageQuarters" ("nodeId", "quarter", "uploadBytes", "downloadBytes", "updatedAt")
  select "nodeId", "quarter", "uploadBytes", "downloadBytes", "updatedAt" from "spread"
  where "hour" > (select "since" from "kept") and "uploadBytes" + "downloadBytes" > 0;
drop table "spread";
drop table "kept";
drop table "nodeUsageHours";

-- Whoever writes quarters writes days by them.
create or replace function "keepNodeUsageDays"() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into "nodeUsageDays" as kept ("day", "nodeId", "uploadBytes", "downloadBytes")
      select "dayOf"("quarter"), "nodeId", sum("uploadBytes"), sum("downloadBytes") from (
        select "quarter", "nodeId", "uploadBytes", "downloadBytes" from added
        union all
        select "quarter", "nodeId", -"uploadBytes", -"downloadBytes" from removed
      ) as changes group by 1, 2 order by 1, 2
      on conflict ("day", "nodeId") do update set "uploadBytes" = kept."uploadBytes" + excluded."uploadBytes",
        "downloadBytes" = kept."downloadBytes" + excluded."downloadBytes";
  else
    insert into "nodeUsageDays" as kept ("day", "nodeId", "uploadBytes", "downloadBytes")
      select "dayOf"("quarter"), "nodeId", sum("uploadBytes"), sum("downloadBytes") from added
      group by 1, 2 order by 1, 2
      on conflict ("day", "nodeId") do update set "uploadBytes" = kept."uploadBytes" + excluded."uploadBytes",
        "downloadBytes" = kept."downloadBytes" + excluded."downloadBytes";
  end if;
  return null;
end $$;
create trigger "keepNodeUsageDaysOfNew" after insert on "nodeUsageQuarters"
  referencing new table as added for each statement execute function "keepNodeUsageDays"();
create trigger "keepNodeUsageDaysOfChanged" after update on "nodeUsageQuarters"
  referencing new table as added old table as removed for each statement execute function "keepNodeUsageDays"();

alter table "onlineHours" rename to "onlineQuarters";
alter table "onlineQuarters" rename column "hour" to "quarter";
alter index "onlineHours_pkey" rename to "onlineQuarters_pkey";

-- Days are asked for of instants of any kind.
create or replace function "keepBilledDay"() returns trigger language plpgsql as $$
begin
  new."billedOn" := coalesce(new."billedOn", "dayOf"(new."billedAt"));
  return new;
end $$;
create or replace function "keepBillingDay"() returns trigger language plpgsql as $$
declare
  "of" bigint;
begin
  if tg_op = 'INSERT' then
    new."nextBillingOn" := coalesce(new."nextBillingOn", "dayOf"(new."nextBillingAt"));
    new."billingDay" := coalesce(new."billingDay", extract(day from new."nextBillingOn"));
  elsif new."nextBillingAt" <> old."nextBillingAt" and new."nextBillingOn" = old."nextBillingOn" then
    new."nextBillingOn" := "dayOf"(new."nextBillingAt");
    "of" := extract(day from new."nextBillingOn");
    if "of" > old."billingDay" or extract(day from new."nextBillingOn" + 1) <> 1 then
      new."billingDay" := "of";
    end if;
  end if;
  return new;
end $$;
drop function "dayOfHour"(timestamptz);
