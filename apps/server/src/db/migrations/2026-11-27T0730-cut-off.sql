-- Open connections of a user end with its access. Until now they went on, and so does an installation that is set so.
alter table "installation" add column "isCutOffImmediate" boolean not null default true;
