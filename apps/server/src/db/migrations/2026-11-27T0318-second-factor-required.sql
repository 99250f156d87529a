-- A second factor is required of every administrator. A session without one can only set one up.
alter table "installation" add column "isSecondFactorRequired" boolean not null default false;

-- Sessions are read with whether a second factor is due, so that they are read again when that changes.
create trigger "tellAccess" after update of "isSecondFactorRequired" on "installation"
  for each statement execute function "tellEvent"('access');
create trigger "tellEvent" after delete or truncate on "authenticators"
  for each statement execute function "tellEvent"('access');
create trigger "tellAccess" after update of "confirmedAt" on "authenticators"
  for each statement execute function "tellEvent"('access');
create trigger "tellEvent" after insert or delete or truncate on "passkeys"
  for each statement execute function "tellEvent"('access');
