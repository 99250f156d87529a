-- Traffic that is granted until the next reset: part of the limit, taken back from it by the reset.

alter table "users" add column "extraTrafficBytes" bigint not null default 0 check ("extraTrafficBytes" >= 0);
