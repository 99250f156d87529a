-- A reset changes the usage, not what an administrator edits: where it is noted decides whether resetting a million users
-- rewrites them with all their indexes, or only their small rows of usage.
alter table "userUsage" add column "lastTrafficResetAt" timestamptz(3);
alter table "userUsage" add column "lastTriggeredThreshold" integer not null default 0;
update "userUsage" set "lastTrafficResetAt" = "users"."lastTrafficResetAt", "lastTriggeredThreshold" = "users"."lastTriggeredThreshold"
  from "users"
  where "users"."id" = "userUsage"."userId" and ("users"."lastTrafficResetAt" is not null or "users"."lastTriggeredThreshold" <> 0);
alter table "users" drop column "lastTrafficResetAt";
alter table "users" drop column "lastTriggeredThreshold";
