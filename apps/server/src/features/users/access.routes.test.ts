import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { makeFleet, type Fleet } from '../../../test/fleet.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser, refused, UNKNOWN } from '../../../test/users.ts'

let server: TestServer
let fleet: Fleet

beforeAll(async () => {
  server = await testServer()
  fleet = await makeFleet(server)
})
afterAll(() => server.close())

async function findings(uuid: string) {
  const { steps } = await server.call(api.getUserAccess, { uuid })
  return steps.filter(({ verdict }) => verdict !== 'good').map(({ finding }) => finding)
}

test('the chain follows what happens to a user, from no squad to a node that has acknowledged the keys of now', async () => {
  const { db } = server.ctx
  const user = await makeUser(server)
  expect(await findings(user.uuid)).toEqual([
    'squads.none',
    'inbounds.none',
    'hosts.none',
    'nodes.noneThere',
    'subscription.never',
  ])
  const [first] = fleet.inbounds
  await server.call(api.updateUser, { uuid: user.uuid, activeInternalSquads: [fleet.squads[0]?.uuid ?? ''] })
  await server.call(api.createHost, {
    inbound: { configProfileUuid: fleet.profile.uuid, configProfileInboundUuid: first?.uuid ?? '' },
    remark: 'One',
    address: 'one.example',
    port: 443,
  })
  expect(await findings(user.uuid)).toEqual(['nodes.allDown', 'subscription.never'])
  const access = await server.call(api.getUserAccess, { uuid: user.uuid })
  expect(access).toMatchObject({ canConnect: false, nodes: [{ name: 'Alpha', state: 'disconnected' }] })

  const [alpha] = fleet.nodes
  await db
    .updateTable('nodeStates')
    .set({ isConnected: true, isXrayRunning: true })
    .where('nodeId', '=', alpha?.id ?? 0)
    .execute()
  expect((await server.call(api.getUserAccess, { uuid: user.uuid })).nodes).toMatchObject([{ state: 'waiting' }])
  await sql`insert into "acknowledgedUsers" ("nodeId", "username", "userId", "vlessUuid", "tags")
    select ${alpha?.id}, "username", "id", "vlessUuid", array['VLESS'] from "users" where "uuid" = ${user.uuid}`.execute(db)
  await sql`insert into "userAccesses" ("userId", "subLastOpenedAt") select "id", now() + interval '1 minute' from "users"
    where "uuid" = ${user.uuid}`.execute(db)
  expect(await server.call(api.getUserAccess, { uuid: user.uuid })).toMatchObject({
    canConnect: true,
    nodes: [{ uuid: alpha?.uuid, state: 'serving' }],
  })
  expect(await findings(user.uuid)).toEqual([])

  await sql`update "users" set "vlessUuid" = gen_random_uuid() where "uuid" = ${user.uuid}`.execute(db)
  expect(await findings(user.uuid)).toEqual(['nodes.onTheWay'])
  expect(await server.call(api.getUserAccess, { uuid: user.uuid })).toMatchObject({ canConnect: false, astray: [] })

  // The host keeps a name of its own when the inbound changes to REALITY.
  const realitySettings = { serverNames: ['own.example'], privateKey: 'k', shortIds: [''] }
  const streamSettings = { network: 'tcp', security: 'reality', realitySettings }
  const rawInbound = JSON.stringify({ tag: 'VLESS', protocol: 'vless', port: 443, streamSettings })
  await db
    .updateTable('configProfileInbounds')
    .set({ rawInbound, type: 'vless' })
    .where('uuid', '=', first?.uuid ?? '')
    .execute()
  await db.updateTable('hosts').set({ sni: 'foreign.example', port: 443 }).where('remark', '=', 'One').execute()
  expect(await findings(user.uuid)).toEqual(['hosts.allAstray', 'nodes.onTheWay'])
  const { astray } = await server.call(api.getUserAccess, { uuid: user.uuid })
  expect(astray).toMatchObject([{ remark: 'One', misfits: [{ part: 'sni', link: 'foreign.example', inbound: 'own.example' }] }])
})

test('a user that is not there has no access to tell of', async () => {
  expect(await refused(server, 'GET', `/api/x/users/${UNKNOWN}/access`)).toEqual([404, 'A025'])
})
