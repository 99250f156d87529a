-- How often somebody has asked for a start of a node: who watches it thereby tells a core that came up by itself from one that
-- was meant to. And the reading that was there when the time of the watch was over: only a later one tells of all of it.
alter table "nodeStates" add column "startsAsked" integer not null default 0;
alter table "configProfileRolloutNodes" add column "startsAsked" integer not null default 0, add column "lastReading" bigint;
