import type { TestServer } from './server.ts'

export interface Fleet {
  profile: { id: number; uuid: string }
  inbounds: { id: number; uuid: string; tag: string }[]
  squads: { id: number; uuid: string; name: string }[]
  nodes: { id: number; uuid: string; name: string }[]
}

/** A profile with two inbounds, a squad for each, and two nodes: the first serves both inbounds, the second only the second. */
export async function makeFleet({ ctx: { db } }: TestServer): Promise<Fleet> {
  const profile = await db
    .insertInto('configProfiles')
    .values({ name: 'Main', config: '{}' })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  const inbounds = await db
    .insertInto('configProfileInbounds')
    .values(['VLESS', 'TROJAN'].map((tag) => ({ profileId: profile.id, tag, type: tag.toLowerCase() })))
    .returning(['id', 'uuid', 'tag'])
    .execute()
  const squads = await db
    .insertInto('internalSquads')
    .values([{ name: 'First' }, { name: 'Second' }])
    .returning(['id', 'uuid', 'name'])
    .execute()
  const nodes = await db
    .insertInto('nodes')
    .values(
      ['Alpha', 'Beta'].map((name) => ({
        name,
        address: `${name}.example`,
        countryCode: 'DE',
        activeConfigProfileId: profile.id,
      })),
    )
    .returning(['id', 'uuid', 'name'])
    .execute()
  await db
    .insertInto('nodeStates')
    .values(nodes.map((node) => ({ nodeId: node.id })))
    .execute()
  await db
    .insertInto('internalSquadInbounds')
    .values(squads.map((squad, index) => ({ squadId: squad.id, inboundId: inbounds[index]?.id ?? 0 })))
    .execute()
  const links = [
    [0, 0],
    [0, 1],
    [1, 1],
  ] as const
  await db
    .insertInto('nodeInbounds')
    .values(links.map(([node, inbound]) => ({ nodeId: nodes[node]?.id ?? 0, inboundId: inbounds[inbound]?.id ?? 0 })))
    .execute()
  return { profile, inbounds, squads, nodes }
}

/** Users whom nodes are still to be told of, each once, and forgets them. */
export async function takeDeliveries({ ctx: { db } }: TestServer): Promise<string[]> {
  const rows = await db.deleteFrom('changedUsers').returning('username').execute()
  return [...new Set(rows.map((row) => row.username))].toSorted()
}
