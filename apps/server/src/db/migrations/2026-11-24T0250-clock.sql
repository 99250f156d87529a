-- The clock that rows were written by: data of months may not be dropped because it jumped (docs/decisions/044).

create table "clock" (
  "isOnly" boolean primary key default true check ("isOnly"),
  "trustedAt" timestamptz(3) not null,
  "doubtedAt" timestamptz(3)
);
