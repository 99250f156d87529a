-- When the certificate ends that a node's agent showed last.
alter table "nodeStates" add column "certificateExpiresAt" timestamptz(3);
