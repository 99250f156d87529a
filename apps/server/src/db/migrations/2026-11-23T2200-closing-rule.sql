-- TCP ports of a node that its core keeps subscribers from, as the start that made it so left them.
alter table "nodeStates" add column "closedPorts" integer[];
