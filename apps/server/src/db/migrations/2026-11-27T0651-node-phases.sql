-- The states of a node: a row for each change, read as a strip of thirty days.
create table "nodePhases" (
  "nodeId" bigint not null references "nodes" ("id") on delete cascade,
  "beganAt" timestamptz(3) not null,
  "phase" text not null check ("phase" in ('connected', 'restarting', 'connecting', 'agentAway', 'coreDown', 'disabled', 'unwatched')),
  -- The sentence that was shown when it began.
  "reason" text,
  primary key ("nodeId", "beganAt")
);
create index "nodePhases_beganAt_idx" on "nodePhases" ("beganAt");

-- The phase that the fields of a node tell of (features/fleet/connection.rules.ts).
create function "nodePhase"("state" "nodeStates") returns text language sql stable as $$
  select case
    when "state"."isConnected" and "state"."isConnecting" then 'restarting'
    when "state"."isConnected" then 'connected'
    when (select "isDisabled" from "nodes" where "id" = "state"."nodeId") then 'disabled'
    when "state"."isConnecting" then 'connecting'
    when "state"."isNodeOnline" then 'coreDown'
    else 'agentAway'
  end
$$;

create function "noteNodePhase"() returns trigger language plpgsql as $$
declare
  "last" "nodePhases";
  "now" text := "nodePhase"(new);
  -- A new core under a node that serves: it ended by itself and was started again.
  "isNewCore" boolean := "now" = 'connected' and old."isConnected" and not old."isConnecting"
    and old."coreEpoch" is not null and new."coreEpoch" is distinct from old."coreEpoch";
begin
  select * into "last" from "nodePhases" where "nodeId" = new."nodeId" order by "beganAt" desc limit 1;
  -- Tries to reach a node that is away belong to its absence.
  if "now" = 'connecting' and "last"."phase" in ('agentAway', 'coreDown') then return null; end if;
  -- The core that a start brought is read soon after it.
  if "now" = "last"."phase" and not ("isNewCore" and "last"."beganAt" < clock_timestamp() - interval '1 minute') then return null; end if;
  insert into "nodePhases" ("nodeId", "beganAt", "phase", "reason")
  values (new."nodeId", clock_timestamp(), "now", new."lastStatusMessage")
  on conflict ("nodeId", "beganAt") do update set "phase" = excluded."phase", "reason" = excluded."reason";
  return null;
end $$;

create trigger "noteNodePhase" after update on "nodeStates" for each row
  when ((old."isConnected", old."isConnecting", old."isNodeOnline", old."lastStatusMessage", old."coreEpoch")
    is distinct from (new."isConnected", new."isConnecting", new."isNodeOnline", new."lastStatusMessage", new."coreEpoch"))
  execute function "noteNodePhase"();

-- The nodes there are begin with their present state; nothing is known of before.
insert into "nodePhases" ("nodeId", "beganAt", "phase", "reason")
select "nodeId", greatest("lastStatusChange", now() - interval '30 days'), "nodePhase"("nodeStates"), "lastStatusMessage" from "nodeStates"
where "lastStatusChange" is not null;
