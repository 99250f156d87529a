-- The limit of devices as set in the panel; null: the environment decides. Texts in place of hosts; none: those of the product.
alter table "subscriptionSettings"
  add column "hwidSettings" jsonb,
  add column "emptyHostsRemarks" jsonb not null default '[]',
  add column "emptySquadsRemarks" jsonb not null default '[]',
  add column "hwidExceededRemarks" jsonb not null default '[]',
  add column "hwidMissingRemarks" jsonb not null default '[]';
