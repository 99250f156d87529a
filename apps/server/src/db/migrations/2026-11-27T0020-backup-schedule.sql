-- Backups that the server makes by itself, every day at an hour of the installation's time zone, and how many of them stay.
alter table "installation"
  -- Null makes none.
  add column "backupHour" smallint check ("backupHour" between 0 and 23),
  add column "keepDailyBackups" smallint not null default 7 check ("keepDailyBackups" between 1 and 366),
  add column "keepWeeklyBackups" smallint not null default 4 check ("keepWeeklyBackups" between 0 and 520),
  add column "keepMonthlyBackups" smallint not null default 12 check ("keepMonthlyBackups" between 0 and 240);
