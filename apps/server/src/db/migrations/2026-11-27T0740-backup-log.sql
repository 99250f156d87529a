-- Whether targets get the log of changes between backups as well.
alter table "installation" add column "isBackupLogSent" boolean not null default false;
