import { sql } from 'kysely'
import type { Db } from '../../db/driver/connect.ts'
import type { Snapshot } from './snapshot.rules.ts'

/** The fleet and its users at one moment, in one statement. A user seen after `onlineSince` is online. */
export async function readSnapshot(db: Db, onlineSince: Date): Promise<Snapshot> {
  const { rows } = await sql<Snapshot>`
    select
      (select coalesce(json_agg(json_build_object('uuid', p."uuid", 'name', p."name", 'config', p."config", 'isRollingOut', exists (
          select from "configProfileRollouts" r where r."endedAt" is null and (r."profileId" = p."id"
            or r."snippetId" is not null and exists (
              select from "configProfileRolloutNodes" turn join "nodes" n on n."id" = turn."nodeId"
              where turn."rolloutId" = r."id" and n."activeConfigProfileId" = p."id")))) order by p."id"), '[]')
        from "configProfiles" p) as "profiles",
      (select coalesce(json_agg(json_build_object('name', s."name", 'snippet', s."snippet") order by s."name"), '[]')
        from "snippets" s) as "snippets",
      (select coalesce(json_agg(json_build_object('uuid', i."uuid", 'profileUuid', p."uuid", 'tag', i."tag", 'type', i."type",
          'network', i."network", 'security', i."security", 'port', i."port", 'rawInbound', i."rawInbound") order by i."id"), '[]')
        from "configProfileInbounds" i join "configProfiles" p on p."id" = i."profileId") as "inbounds",
      (select coalesce(json_agg(json_build_object('uuid', s."uuid", 'name', s."name", 'inbounds', array(
          select i."uuid" from "internalSquadInbounds" l join "configProfileInbounds" i on i."id" = l."inboundId"
          where l."squadId" = s."id" order by i."id")) order by s."id"), '[]')
        from "internalSquads" s) as "squads",
      (select coalesce(json_agg(json_build_object('uuid', n."uuid", 'name', n."name", 'address', n."address",
          'port', n."port", 'isDisabled', n."isDisabled", 'isConnected', st."isConnected", 'isOfOurAgent', st."testsConfig",
          'usersOnline', coalesce(online."users", 0), 'profileUuid', p."uuid", 'inbounds', array(
            select i."uuid" from "nodeInbounds" l join "configProfileInbounds" i on i."id" = l."inboundId"
            where l."nodeId" = n."id" order by i."id")) order by n."viewPosition", n."id"), '[]')
        from "nodes" n join "nodeStates" st on st."nodeId" = n."id"
        left join "configProfiles" p on p."id" = n."activeConfigProfileId"
        left join (
          select "lastConnectedNodeId" as "nodeId", count(*) as "users" from "userUsage"
          where "onlineAt" > ${onlineSince} group by "lastConnectedNodeId"
        ) online on online."nodeId" = n."id") as "nodes",
      (select coalesce(json_agg(json_build_object('uuid', h."uuid", 'name', h."remark", 'isDisabled', h."isDisabled",
          'isHidden', h."isHidden", 'excluded', h."excludedInternalSquads", 'inboundUuid', i."uuid", 'address', h."address", 'port', h."port", 'path', h."path",
          'host', h."host", 'sni', h."sni", 'securityLayer', h."securityLayer",
          'overrideSniFromAddress', h."overrideSniFromAddress", 'nodes', array(
            select n."uuid" from "hostNodes" l join "nodes" n on n."id" = l."nodeId" where l."hostId" = h."id" order by n."id"
          )) order by h."viewPosition", h."id"), '[]')
        from "hosts" h left join "configProfileInbounds" i on i."id" = h."configProfileInboundId") as "hosts",
      (select coalesce(json_agg(json_build_object('squads', g."squads", 'users', g."users", 'online', g."online")), '[]') from (
        select m."squads", count(*) as "users", count(*) filter (where m."onlineAt" > ${onlineSince}) as "online" from (
          select coalesce(array_agg(s."uuid" order by s."id") filter (where s."id" is not null), '{}') as "squads",
            max(usage."onlineAt") as "onlineAt"
          from "users" u join "userUsage" usage on usage."userId" = u."id"
          left join "internalSquadMembers" link on link."userId" = u."id" left join "internalSquads" s on s."id" = link."squadId"
          where u."status" = 'ACTIVE' group by u."id"
        ) m group by m."squads"
      ) g) as "groups"
  `.execute(db)
  const [snapshot] = rows
  if (!snapshot) throw new Error('A statement without rows cannot be.')
  return snapshot
}
