-- What an entry tells beside the rows it changed: who started which job, by which way somebody signed in.
alter table "auditLog" add column "details" jsonb;

-- Earlier entries are no rows, and held profiles and templates with the keys in them. They stay to be read, without those.
update "auditLog" set
  "details" = case when "action" ~ '(ConfigProfile|SubscriptionTemplate)$' then null
    else jsonb_strip_nulls(jsonb_build_object('before', "before", 'after', "after")) end,
  "before" = null,
  "after" = null;
