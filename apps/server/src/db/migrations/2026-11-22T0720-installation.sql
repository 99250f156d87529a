-- What holds for the whole installation. One row, written by the first server that asks, with the zone it went by until then.
create table "installation" (
  "uuid" uuid primary key default '0f6f2f0e-6d0b-4f5e-8a55-93c1f3b1d3a7' check ("uuid" = '0f6f2f0e-6d0b-4f5e-8a55-93c1f3b1d3a7'),
  "timeZone" text not null,
  "updatedAt" timestamptz(3) not null default now()
);

-- The calendar day that a reset by itself was made for: it comes once, also when the day begins elsewhere from now on.
alter table "nodeTrafficResets" add column "day" date;
