-- Hosts that follow their inbounds when the profile takes a revision that is being rolled out, by uuid.
alter table "configProfileRollouts" add column "followingHosts" jsonb not null default '[]';
