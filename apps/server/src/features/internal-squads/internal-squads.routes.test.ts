import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

async function makeProfile(name: string, tags: string[]) {
  const inbounds = tags.map((tag, index) => ({ tag, port: 2000 + index, protocol: 'trojan', settings: { clients: [] } }))
  return server.call(api.createConfigProfile, { name, config: { inbounds } })
}

test('a squad carries its inbounds as objects and counts them', async () => {
  const profile = await makeProfile('squads-a', ['SA1', 'SA2'])
  const squad = await server.call(api.createInternalSquad, {
    name: 'Alpha',
    inbounds: profile.inbounds.map((inbound) => inbound.uuid),
  })
  expect(squad.info).toEqual({ membersCount: 0, inboundsCount: 2 })
  expect(squad.inbounds).toEqual(profile.inbounds)
  const listed = await server.call(api.listInternalSquads, {})
  expect(listed.internalSquads.at(-1)).toEqual(squad)
  expect(await server.call(api.getInternalSquad, { uuid: squad.uuid })).toEqual(squad)
  const { inbounds } = await server.call(api.listProfileInbounds, { uuid: profile.uuid })
  expect(inbounds.map((inbound) => inbound.activeSquads)).toEqual([[squad.uuid], [squad.uuid]])
})

test('names are checked, reserved and unique', async () => {
  expect(await server.send('POST', '/api/internal-squads', { name: 'Default-Squad', inbounds: [] })).toMatchObject({
    status: 400,
    body: { errorCode: 'A144' },
  })
  await server.call(api.createInternalSquad, { name: 'Taken', inbounds: [] })
  expect(await server.send('POST', '/api/internal-squads', { name: 'Taken', inbounds: [] })).toMatchObject({
    status: 409,
    body: { errorCode: 'A120' },
  })
  expect(await server.send('POST', '/api/internal-squads', { name: 'no spaces!', inbounds: [] })).toMatchObject({ status: 400 })
})

test('an unknown inbound is refused and nothing is half written', async () => {
  const reply = await server.send('POST', '/api/internal-squads', { name: 'Half', inbounds: [UNKNOWN] })
  expect(reply).toMatchObject({ status: 400, body: { errorCode: 'A119', message: expect.stringContaining(UNKNOWN) } })
  const { internalSquads } = await server.call(api.listInternalSquads, {})
  expect(internalSquads.some((squad) => squad.name === 'Half')).toBe(false)
})

test('an edit needs a name or inbounds, replaces inbounds and renames', async () => {
  const profile = await makeProfile('squads-b', ['SB1', 'SB2'])
  const [first, second] = profile.inbounds
  const squad = await server.call(api.createInternalSquad, { name: 'Beta', inbounds: [first?.uuid ?? ''] })
  expect(await server.send('PATCH', '/api/internal-squads', { uuid: squad.uuid })).toMatchObject({
    status: 400,
    body: { errorCode: 'A153' },
  })
  expect(await server.send('PATCH', '/api/internal-squads', { uuid: UNKNOWN, name: 'Gone' })).toMatchObject({
    status: 404,
    body: { errorCode: 'A118' },
  })
  expect(await server.send('PATCH', '/api/internal-squads', { uuid: squad.uuid, inbounds: [UNKNOWN] })).toMatchObject({
    status: 400,
    body: { errorCode: 'A121', message: expect.stringContaining(UNKNOWN) },
  })
  const moved = await server.call(api.updateInternalSquad, { uuid: squad.uuid, inbounds: [second?.uuid ?? ''] })
  expect(moved.inbounds.map((inbound) => inbound.tag)).toEqual(['SB2'])
  const renamed = await server.call(api.updateInternalSquad, { uuid: squad.uuid, name: 'Beta2' })
  expect(renamed).toMatchObject({ name: 'Beta2', inbounds: moved.inbounds })
  const emptied = await server.call(api.updateInternalSquad, { uuid: squad.uuid, inbounds: [] })
  expect(emptied.info.inboundsCount).toBe(0)
})

test('deleting a squad says so once, then answers 404', async () => {
  const squad = await server.call(api.createInternalSquad, { name: 'Gamma', inbounds: [] })
  expect(await server.call(api.deleteInternalSquad, { uuid: squad.uuid })).toEqual({ isDeleted: true })
  expect(await server.send('DELETE', `/api/internal-squads/${squad.uuid}`)).toMatchObject({
    status: 404,
    body: { errorCode: 'A118' },
  })
  expect(await server.send('GET', `/api/internal-squads/${squad.uuid}/accessible-nodes`)).toMatchObject({
    status: 404,
    body: { errorCode: 'A118' },
  })
})

test('accessible nodes are those with an active inbound of the squad', async () => {
  const profile = await makeProfile('squads-c', ['SC1', 'SC2'])
  const squad = await server.call(api.createInternalSquad, {
    name: 'Delta',
    inbounds: profile.inbounds.map((inbound) => inbound.uuid),
  })
  const { db } = server.ctx
  const stored = await db
    .selectFrom('configProfileInbounds')
    .select(['id', 'uuid', 'profileId'])
    .where('tag', '=', 'SC2')
    .executeTakeFirstOrThrow()
  const node = await db
    .insertInto('nodes')
    .values({ name: 'delta-node', address: '192.0.2.1', activeConfigProfileId: stored.profileId })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  await db.insertInto('nodeInbounds').values({ nodeId: node.id, inboundId: stored.id }).execute()
  expect(await server.call(api.getInternalSquadAccessibleNodes, { uuid: squad.uuid })).toEqual({
    squadUuid: squad.uuid,
    accessibleNodes: [
      {
        uuid: node.uuid,
        nodeName: 'delta-node',
        countryCode: 'XX',
        configProfileUuid: profile.uuid,
        configProfileName: 'squads-c',
        activeInbounds: [stored.uuid],
      },
    ],
  })
})

test('a change of inbounds asks only the nodes of the changed profiles to compare their users', async () => {
  const [one, two] = [await makeProfile('squads-d', ['SD1']), await makeProfile('squads-e', ['SE1'])]
  const { db } = server.ctx
  const nodes = await Promise.all(
    [one, two].map(async (profile) => {
      const stored = await db.selectFrom('configProfiles').select('id').where('uuid', '=', profile.uuid).executeTakeFirstOrThrow()
      const node = { name: `node-${profile.name}`, address: `${profile.name}.example`, activeConfigProfileId: stored.id }
      const { id } = await db.insertInto('nodes').values(node).returning('id').executeTakeFirstOrThrow()
      await db.insertInto('nodeStates').values({ nodeId: id }).execute()
      return id
    }),
  )
  const squad = await server.call(api.createInternalSquad, {
    name: 'Epsilon',
    inbounds: two.inbounds.map((inbound) => inbound.uuid),
  })
  await server.call(api.updateInternalSquad, {
    uuid: squad.uuid,
    inbounds: [...one.inbounds, ...two.inbounds].map((inbound) => inbound.uuid),
  })
  const asked = await db.selectFrom('nodeStates').select('nodeId').where('compareRequestedAt', 'is not', null).execute()
  expect(asked.map((state) => state.nodeId)).toEqual([nodes[0]])
})

test('members of which none names users are refused by the first, and no user joins or leaves', async () => {
  const squad = await server.call(api.createInternalSquad, { name: 'Misspelt', inbounds: [] })
  const user = { expireAt: '2090-01-01T00:00:00Z' }
  const inside = { ...user, username: 'misspelt-in', activeInternalSquads: [squad.uuid] }
  const [member, other] = await Promise.all([
    server.call(api.createUser, inside),
    server.call(api.createUser, { ...user, username: 'misspelt-out' }),
  ])
  for (const [method, action] of [
    ['POST', 'add-users'],
    ['DELETE', 'remove-users'],
  ] as const) {
    const path = `/api/internal-squads/${squad.uuid}/bulk-actions/${action}`
    for (const body of [{ users: [other.uuid] }, { userUuid: other.uuid, note: 'x' }])
      expect(await server.send(method, path, body)).toMatchObject({
        status: 400,
        body: { errors: [{ path: [Object.keys(body)[0]], message: expect.stringContaining('userUuids') }] },
      })
    // A known word beside unknown ones counts.
    expect(await server.send(method, path, { users: [other.uuid], userUuids: [] })).toMatchObject({ status: 200 })
  }
  expect(await server.call(api.listJobs, {})).toEqual([])
  const squadsOf = async (uuid: string) => (await server.call(api.getUser, { uuid })).activeInternalSquads.map(({ name }) => name)
  expect([await squadsOf(member.uuid), await squadsOf(other.uuid)]).toEqual([['Misspelt'], []])
})
