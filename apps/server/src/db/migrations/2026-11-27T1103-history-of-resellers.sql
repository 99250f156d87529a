-- The reseller whose people made a change, from the setting of its transaction: they see these entries alone.
alter table "auditLog" add column "resellerId" bigint default nullif(current_setting('causeway.reseller', true), '')::bigint;
create index "auditLogOfReseller" on "auditLog" ("resellerId", "at", "id") where "resellerId" is not null;
