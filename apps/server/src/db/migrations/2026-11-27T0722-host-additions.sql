-- What later generations can say of a host.
alter table "hosts"
  add column "keepSniBlank" boolean not null default false,
  add column "xrayJsonTemplateUuid" uuid,
  add column "excludedInternalSquads" jsonb not null default '[]',
  add column "excludeFromSubscriptionTypes" jsonb not null default '[]',
  add column "finalMask" json,
  add column "pinnedPeerCertSha256" text,
  add column "verifyPeerCertByName" text,
  add column "mihomoIpVersion" text,
  add column "mapper" json not null default '{}';
-- The list of hosts names the squads that do not count for each: it is written anew when one of them goes.
create trigger "noteChange" after delete on "internalSquads" for each statement execute function "noteHostChange"();
