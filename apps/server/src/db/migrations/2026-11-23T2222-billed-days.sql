-- A billed day is a calendar day of the installation: kept as one, so that neither the zone of a browser nor a change of
-- the installation's zone moves a payment into another month. The instant stays beside it, as it was sent.
alter table "infraBillingRecords" add column "billedOn" date;
alter table "infraBillingNodes" add column "nextBillingOn" date;
-- The day of the month that a bill was made for: one of the 31st is due on 28 February and on 31 March again.
alter table "infraBillingNodes" add column "billingDay" bigint;

-- Dashboards sent the midnight of their browser, which is a whole quarter of an hour everywhere: the day meant is that of the
-- nearest midnight. Any other instant was sent by a program and means the day it lies on.
create function pg_temp."meantDay"(timestamptz) returns date language sql stable as $$
  select "dayOfHour"(case when $1 = date_bin('15 minutes', $1, 'epoch') then $1 + interval '11 hours 59 minutes' else $1 end)
$$;
update "infraBillingRecords" set "billedOn" = pg_temp."meantDay"("billedAt");
update "infraBillingNodes" set "nextBillingOn" = pg_temp."meantDay"("nextBillingAt");
update "infraBillingNodes" set "billingDay" = extract(day from "nextBillingOn");
drop function pg_temp."meantDay"(timestamptz);
alter table "infraBillingRecords" alter column "billedOn" set not null;
alter table "infraBillingNodes" alter column "nextBillingOn" set not null, alter column "billingDay" set not null;

create function "keepBilledDay"() returns trigger language plpgsql as $$
begin
  new."billedOn" := coalesce(new."billedOn", "dayOfHour"(new."billedAt"));
  return new;
end $$;
create trigger "keepBilledDay" before insert on "infraBillingRecords" for each row execute function "keepBilledDay"();

-- The last day of a shorter month does not change the day that a bill was made for. Rows that are put back bring their days.
create function "keepBillingDay"() returns trigger language plpgsql as $$
declare
  "of" bigint;
begin
  if tg_op = 'INSERT' then
    new."nextBillingOn" := coalesce(new."nextBillingOn", "dayOfHour"(new."nextBillingAt"));
    new."billingDay" := coalesce(new."billingDay", extract(day from new."nextBillingOn"));
  elsif new."nextBillingAt" <> old."nextBillingAt" and new."nextBillingOn" = old."nextBillingOn" then
    new."nextBillingOn" := "dayOfHour"(new."nextBillingAt");
    "of" := extract(day from new."nextBillingOn");
    if "of" > old."billingDay" or extract(day from new."nextBillingOn" + 1) <> 1 then
      new."billingDay" := "of";
    end if;
  end if;
  return new;
end $$;
create trigger "keepBillingDay" before insert or update on "infraBillingNodes"
  for each row execute function "keepBillingDay"();

drop index "infraBillingRecordsBilled";
create index "infraBillingRecordsBilled" on "infraBillingRecords" ("billedOn");
drop index "infraBillingNodesNext";
create index "infraBillingNodesNext" on "infraBillingNodes" ("nextBillingOn");
