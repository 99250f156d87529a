-- Places apart from the machine that get every backup, encrypted for a key that is not kept here.
alter table "installation"
  add column "backupRecipient" text,
  -- The key itself, encrypted by a passphrase that is not kept either. It goes beside the backups.
  add column "backupLockedKey" text,
  add column "backupFolder" text,
  -- Address and credentials, wrapped by the master key.
  add column "backupStore" text;
