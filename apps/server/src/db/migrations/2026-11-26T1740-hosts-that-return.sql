-- When a host that is disabled for a while is enabled again.

alter table "hosts" add column "disabledUntil" timestamptz;

-- Enabling it, or disabling it for good, ends the while, whatever statement does that.
create function "endHostDisabledUntil"() returns trigger language plpgsql as $$
begin
  new."disabledUntil" = null;
  return new;
end $$;

create trigger "hostsDisabledUntil" before update on "hosts" for each row
  when (new."disabledUntil" is not null
    and (not new."isDisabled" or (new."isDisabled" <> old."isDisabled" and new."disabledUntil" = old."disabledUntil")))
  execute function "endHostDisabledUntil"();

create index "hostsDisabledUntil" on "hosts" ("disabledUntil") where "disabledUntil" is not null;
