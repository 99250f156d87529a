-- Bytes per node and day of the installation, kept beside the hours: half a year of five hundred nodes is read from ninety thousand
-- rows instead of two million. Whoever writes hours writes these by it; a day stays what it was when the zone is changed.
create function "dayOfHour"(timestamptz) returns date language sql stable as $$
  select ($1 at time zone coalesce((select "timeZone" from "installation"), 'UTC'))::date
$$;
create table "nodeUsageDays" (
  "day" date not null,
  "nodeId" bigint not null references "nodes" on delete cascade,
  "uploadBytes" bigint not null default 0,
  "downloadBytes" bigint not null default 0,
  primary key ("day", "nodeId")
) with (fillfactor = 70);
insert into "nodeUsageDays" ("day", "nodeId", "uploadBytes", "downloadBytes")
  select "dayOfHour"("hour"), "nodeId", sum("uploadBytes"), sum("downloadBytes") from "nodeUsageHours" group by 1, 2;

create function "keepNodeUsageDays"() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into "nodeUsageDays" as kept ("day", "nodeId", "uploadBytes", "downloadBytes")
      select "dayOfHour"("hour"), "nodeId", sum("uploadBytes"), sum("downloadBytes") from (
        select "hour", "nodeId", "uploadBytes", "downloadBytes" from added
        union all
        select "hour", "nodeId", -"uploadBytes", -"downloadBytes" from removed
      ) as changes group by 1, 2 order by 1, 2
      on conflict ("day", "nodeId") do update set "uploadBytes" = kept."uploadBytes" + excluded."uploadBytes",
        "downloadBytes" = kept."downloadBytes" + excluded."downloadBytes";
  else
    insert into "nodeUsageDays" as kept ("day", "nodeId", "uploadBytes", "downloadBytes")
      select "dayOfHour"("hour"), "nodeId", sum("uploadBytes"), sum("downloadBytes") from added
      group by 1, 2 order by 1, 2
      on conflict ("day", "nodeId") do update set "uploadBytes" = kept."uploadBytes" + excluded."uploadBytes",
        "downloadBytes" = kept."downloadBytes" + excluded."downloadBytes";
  end if;
  return null;
end $$;
create trigger "keepNodeUsageDaysOfNew" after insert on "nodeUsageHours"
  referencing new table as added for each statement execute function "keepNodeUsageDays"();
create trigger "keepNodeUsageDaysOfChanged" after update on "nodeUsageHours"
  referencing new table as added old table as removed for each statement execute function "keepNodeUsageDays"();

-- Who moved most on a node over the last days, counted once a day, so that a year of a million users is not added up while somebody
-- waits (docs/decisions/026). Users and days without a node's row count nothing.
create table "nodeUserDays" (
  "nodeId" bigint not null references "nodes" on delete cascade,
  "day" date not null,
  "users" bigint not null,
  "bytes" bigint not null,
  primary key ("nodeId", "day")
);
create table "nodeUserCounts" (
  "nodeId" bigint not null references "nodes" on delete cascade,
  "days" bigint not null,
  "countedThrough" date not null,
  "users" bigint not null,
  primary key ("nodeId", "days")
);
create table "nodeTopUsers" (
  "nodeId" bigint not null references "nodes" on delete cascade,
  "days" bigint not null,
  "userId" bigint not null,
  "bytes" bigint not null,
  primary key ("nodeId", "days", "userId")
);
