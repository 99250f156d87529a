import { sql } from 'kysely'
import type { Db } from '../../db/driver/connect.ts'
import type { AccessFacts, AccessHost, NodeFacts } from './access.rules.ts'

/** All that decides whether a user gets through, but for the nodes. */
export async function findAccessFacts(db: Db, uuid: string): Promise<AccessFacts | undefined> {
  const { rows } = await sql<AccessFacts>`
    with "opened" as (
      select distinct link."inboundId" from "internalSquadMembers" member
      join "internalSquadInbounds" link on link."squadId" = member."squadId"
      where member."userId" = (select "id" from "users" where "uuid" = ${uuid})
    )
    select u."status", u."expireAt", u."trafficLimitBytes", u."hwidDeviceLimit", u."updatedAt", u."subRevokedAt",
      usage."usedTrafficBytes", access."subLastOpenedAt",
      (select count(*) from "hwidDevices" device where device."userId" = u."id") as "devices",
      (select count(*) from "internalSquadMembers" member where member."userId" = u."id") as "squads",
      (select count(*) from "opened") as "inbounds",
      (select count(*) from "opened" where exists (
        select 1 from "nodeInbounds" active join "nodes" node on node."id" = active."nodeId"
        where active."inboundId" = "opened"."inboundId" and not node."isDisabled")) as "runningInbounds"
    from "users" u join "userUsage" usage on usage."userId" = u."id"
    left join "userAccesses" access on access."userId" = u."id"
    where u."uuid" = ${uuid}
  `.execute(db)
  return rows[0]
}

/** The name of the administrator or token that made a user, while it is there. */
export async function findMaker(db: Db, uuid: string): Promise<string | null> {
  const { rows } = await sql<{ name: string | null }>`
    select coalesce(admin."username", token."tokenName") as "name" from "users" u
    left join "admins" admin on admin."uuid" = u."madeBy" left join "apiTokens" token on token."uuid" = u."madeBy"
    where u."uuid" = ${uuid}
  `.execute(db)
  return rows[0]?.name ?? null
}

/** The hosts that a user's subscription shows, each with its inbound. */
export async function listAccessHosts(db: Db, uuid: string): Promise<AccessHost[]> {
  const { rows } = await sql<AccessHost>`
    select host."uuid", host."remark", host."address", host."port", host."path", host."host", host."sni", host."securityLayer",
      host."overrideSniFromAddress", inbound."type", inbound."rawInbound"
    from "hosts" host join "configProfileInbounds" inbound on inbound."id" = host."configProfileInboundId"
    where not host."isDisabled" and not host."isHidden" and inbound."id" in (
      select link."inboundId" from "internalSquadMembers" member
      join "internalSquadInbounds" link on link."squadId" = member."squadId"
      where member."userId" = (select "id" from "users" where "uuid" = ${uuid})
    )
    order by host."viewPosition", host."id"
  `.execute(db)
  return rows
}

/** The nodes that the user's squads lead to, with what each has acknowledged for the user as the user is now. */
export async function listAccessNodes(db: Db, uuid: string): Promise<NodeFacts[]> {
  const { rows } = await sql<NodeFacts>`
    select node."uuid", node."name", node."countryCode", node."isDisabled", state."isConnected", state."isXrayRunning",
      state."lastStatusChange", state."lastStatusMessage", wanted."tags" as "wantedTags",
      coalesce(told."tags", '{}') as "acknowledgedTags", task."lastError"
    from "users" u
    cross join lateral (
      select active."nodeId", array_agg(distinct inbound."tag") as "tags"
      from "internalSquadMembers" member
      join "internalSquadInbounds" link on link."squadId" = member."squadId"
      join "configProfileInbounds" inbound on inbound."id" = link."inboundId"
      join "nodeInbounds" active on active."inboundId" = inbound."id"
      where member."userId" = u."id"
      group by active."nodeId"
    ) as wanted
    join "nodes" node on node."id" = wanted."nodeId"
    join "nodeStates" state on state."nodeId" = node."id"
    left join "acknowledgedUsers" told on told."nodeId" = node."id" and told."username" = u."username"
      and told."userId" = u."id" and told."vlessUuid" = u."vlessUuid"
    left join "deliveries" task on task."nodeId" = node."id" and task."username" = u."username"
    where u."uuid" = ${uuid}
    order by node."viewPosition", node."id"
  `.execute(db)
  return rows
}
