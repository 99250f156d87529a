import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { makeFleet } from '../../../test/fleet.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser } from '../../../test/users.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

test('a node says what it still has to get, since when, and what holds it up; another node nothing of it', async () => {
  const { db } = server.ctx
  const {
    nodes: [node, other],
    squads: [squad],
  } = await makeFleet(server)
  if (!node || !other || !squad) throw new Error('The fleet has two nodes and a squad')
  const told = (uuid = node.uuid) => server.call(api.getNodeDeliveries, { uuid })
  await db.deleteFrom('deliveries').execute()
  const now = { isNodeOnline: true, isXrayRunning: true, isConnected: true, isConnecting: false }
  const be = (state: object) => db.updateTable('nodeStates').set(state).where('nodeId', '=', node.id).execute()
  await be({ ...now, startRequestedAt: null, compareRequestedAt: null, stopRequestedAt: null, filtersRequestedAt: null })
  expect(await told()).toMatchObject({ hold: null, single: { added: 0, removed: 0, changed: 0, since: null, problems: [] } })

  // One to add, two to remove, one to change, and one that the node need not be told of.
  const members = { activeInternalSquads: [squad.uuid] }
  const [added, changed] = [await makeUser(server, members), await makeUser(server, members)]
  const [gone, away, unknown] = [await makeUser(server), await makeUser(server), await makeUser(server)]
  const known = [changed, gone, away].map((user) => ({
    nodeId: node.id,
    username: user.username,
    userId: 1,
    vlessUuid: user.vlessUuid,
    tags: ['x'],
  }))
  await db.insertInto('acknowledgedUsers').values(known).execute()
  await db.deleteFrom('deliveries').execute()
  const waiting = [added, changed, gone, away, unknown].map(({ username }, place) => ({
    nodeId: node.id,
    username,
    queuedAt: new Date(Date.UTC(2026, 10, 1, 12, place)),
    ...(username === away.username
      ? { attempts: 3, lastError: 'refused', nextAttemptAt: new Date(Date.UTC(2026, 10, 1, 13)) }
      : {}),
  }))
  await db.insertInto('deliveries').values(waiting).execute()
  expect(await told()).toMatchObject({
    hold: 'refused',
    configuration: null,
    single: {
      added: 1,
      removed: 2,
      changed: 1,
      since: '2026-11-01T12:00:00.000Z',
      nextAttemptAt: '2026-11-01T13:00:00.000Z',
      problems: [{ text: 'refused', count: 1 }],
    },
  })
  const at = new Date('2026-11-01T11:00:00.000Z')
  await be({ startRequestedAt: at, isNodeOnline: false, isXrayRunning: false })
  expect(await told()).toMatchObject({ hold: 'agentAway', configuration: { since: at.toISOString() }, allUsers: null })
  expect(await told(other.uuid)).toMatchObject({ hold: null, single: { added: 0, removed: 0, changed: 0 } })
  const { status } = await server.send('GET', '/api/x/nodes/00000000-0000-4000-8000-000000000000/deliveries')
  expect(status).toBe(404)
})
