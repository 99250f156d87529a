-- Agents that call the server and hold the connection, where the server cannot call them.

alter table "nodeCertificates" add column "isCalling" boolean not null default false;
alter table "nodeJoins" add column "isCalling" boolean not null default false;
