import { deriveInbounds } from '@causeway/xray'
import pg from 'pg'
import { mintAgentPayload, readFleetKeys } from '../apps/server/src/ground/fleet-keys.ts'
import { openSecretStore } from '../apps/server/src/ground/secret-store.ts'
import { readMasterKey } from '../apps/server/src/lib/keys/master-key.ts'
import { connect } from '../apps/server/src/db/driver/connect.ts'
import { plainProfile } from '../e2e/stage/seeding.ts'

export const NODES_PER_REGION = 5

/** What an agent needs to be taken for one of this panel's. */
export async function mintPayload(url: string, dataDir: string) {
  const database = connect(url, { max: 1 })
  try {
    return mintAgentPayload(await readFleetKeys(await openSecretStore(database.db, readMasterKey(null, dataDir))), new Date())
  } finally {
    await database.close()
  }
}

/**
 * Makes a large service of what was seeded: regions of five nodes with an inbound and a squad each, and every user in one of
 * them. By SQL, as no administrator makes five hundred nodes in a minute.
 */
export async function makeWorld(url: string, nodes: number, places: { address: string; port: number }[]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // The server renews its leases meanwhile.
    await client.query(`begin; lock table "nodeLeases"; delete from "nodes"; commit`)
    await client.query(`delete from "internalSquadMembers"`)
    await client.query(`delete from "internalSquads" where "name" like 'load-%'`)
    await client.query(`delete from "configProfiles" where "name" like 'load-%'`)
    await client.query(`update "users" set "status" = 'ACTIVE', "expireAt" = now() + interval '1 year', "trafficLimitBytes" = 0`)
    const { rows } = await client.query<{ id: string }>(`select "id" from "users" order by "id"`)
    const ids = rows.map(({ id }) => Number(id))
    const regions = Math.ceil(nodes / NODES_PER_REGION)
    const each = Math.ceil(ids.length / regions)
    for (let region = 0; region < regions; region++)
      await makeRegion(client, `load-${region}`, {
        ids: ids.slice(region * each, (region + 1) * each),
        places: places.slice(region * NODES_PER_REGION, (region + 1) * NODES_PER_REGION),
      })
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

async function makeRegion(
  client: pg.Client,
  name: string,
  { ids, places }: { ids: number[]; places: { address: string; port: number }[] },
): Promise<void> {
  const config = plainProfile(name)
  const [inbound] = deriveInbounds(config)
  if (!inbound) throw new Error('The profile has no inbound.')
  const { tag, type, network, security, port, rawInbound } = inbound
  await client.query(
    `with profile as (insert into "configProfiles" ("name", "config") values ($1, $2) returning "id"),
      inbound as (insert into "configProfileInbounds" ("profileId", "tag", "type", "network", "security", "port", "rawInbound")
        select "id", $3, $4, $5, $6, $7, $8 from profile returning "id"),
      squad as (insert into "internalSquads" ("name") values ($1) returning "id"),
      linked as (insert into "internalSquadInbounds" ("squadId", "inboundId") select squad."id", inbound."id" from squad, inbound),
      joined as (insert into "internalSquadMembers" ("squadId", "userId") select squad."id", unnest($9::bigint[]) from squad),
      made as (insert into "nodes" ("name", "address", "port", "activeConfigProfileId")
        select $1 || ' ' || place."address" || ' ' || place."port", place."address", place."port", profile."id"
        from profile, unnest($10::text[], $11::int[]) as place("address", "port") returning "id"),
      active as (insert into "nodeInbounds" ("nodeId", "inboundId") select made."id", inbound."id" from made, inbound)
    insert into "nodeStates" ("nodeId", "startRequestedAt") select "id", now() from made`,
    [
      name,
      JSON.stringify(config),
      tag,
      type,
      network,
      security,
      port,
      JSON.stringify(rawInbound),
      ids,
      places.map(({ address }) => address),
      places.map((place) => place.port),
    ],
  )
}
