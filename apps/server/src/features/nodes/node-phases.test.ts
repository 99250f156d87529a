import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { releaseLeases, listLeases, takeLeases } from '../../ground/leases.queries.ts'
import { testServer, type TestServer } from '../../../test/server.ts'

interface State {
  isConnected: boolean
  isConnecting: boolean
  isNodeOnline: boolean
  isXrayRunning: boolean
  lastStatusMessage: string | null
}
const UP: State = { isConnected: true, isConnecting: false, isNodeOnline: true, isXrayRunning: true, lastStatusMessage: null }
const AWAY: State = { ...UP, isConnected: false, isNodeOnline: false, isXrayRunning: false }
/** Phases are told apart by milliseconds; of two in one, the later is kept. */
const APART_MS = 2
const TRYING: State = { ...AWAY, isConnecting: true }

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

async function makeNode(name: string) {
  const { db } = server.ctx
  const node = await db.insertInto('nodes').values({ name, address: name }).returning(['id', 'uuid']).executeTakeFirstOrThrow()
  await db
    .insertInto('nodeStates')
    .values({ nodeId: node.id })
    .onConflict((one) => one.doNothing())
    .execute()
  return {
    ...node,
    become: async (fields: Partial<State> & { coreEpoch?: string }) => {
      await sleep(APART_MS)
      await db.updateTable('nodeStates').set(fields).where('nodeId', '=', node.id).execute()
    },
    disable: (isDisabled: boolean) => db.updateTable('nodes').set({ isDisabled }).where('id', '=', node.id).execute(),
    told: async () => {
      const { phases } = await server.call(api.listNodePhases, { uuid: node.uuid })
      return phases.map(({ phase, reason }) => (reason === null ? phase : `${phase}: ${reason}`))
    },
  }
}

test('each phase of a node is kept once, with the reason of its beginning; tries to reach one that is away belong to its absence', async () => {
  const node = await makeNode('alpha')
  const other = await makeNode('beta')
  await other.become(UP)
  await node.become(TRYING)
  await node.become(UP)
  await node.become({ isConnecting: true })
  await node.become({ isConnecting: false, coreEpoch: 'one' })
  await node.become({ ...AWAY, lastStatusMessage: 'refused' })
  await node.become(TRYING)
  await node.become({ ...AWAY, lastStatusMessage: 'no route' })
  await node.disable(true)
  await node.become(AWAY)
  await node.disable(false)
  await node.become(TRYING)
  await node.become({ ...AWAY, isNodeOnline: true, lastStatusMessage: 'no core' })
  expect(await node.told()).toEqual([
    'connecting',
    'connected',
    'restarting',
    'connected',
    'agentAway: refused',
    'disabled',
    'connecting',
    'coreDown: no core',
  ])
  expect(await other.told()).toEqual(['connected'])
})

test('a core that ended by itself under a node that serves is told as another connected phase', async () => {
  const node = await makeNode('gamma')
  await node.become({ ...UP, coreEpoch: 'one' })
  await node.become({ coreEpoch: 'two' })
  expect(await node.told()).toEqual(['connected'])
  const before = new Date(Date.now() - 120_000)
  await server.ctx.db.updateTable('nodePhases').set({ beganAt: before }).where('nodeId', '=', node.id).execute()
  await node.become({ coreEpoch: 'three' })
  expect(await node.told()).toEqual(['connected', 'connected'])
})

test('a time without any server is told as such, and what began before it goes on after it', async () => {
  const { db } = server.ctx
  const node = await makeNode('delta')
  await node.become(UP)
  const ago = (ms: number) => new Date(Date.now() - ms)
  await db
    .updateTable('nodePhases')
    .set({ beganAt: ago(900_000) })
    .where('nodeId', '=', node.id)
    .execute()
  await takeLeases(db, 'first', 30_000)
  await db
    .updateTable('nodeLeases')
    .set({ expiresAt: ago(600_000) })
    .where('nodeId', '=', node.id)
    .execute()
  await takeLeases(db, 'second', 30_000)
  expect(await node.told()).toEqual(['connected', 'unwatched', 'connected'])
  // Handed over from server to server within seconds, it was watched all the time.
  await releaseLeases(db, await listLeases(db, 'second'))
  await takeLeases(db, 'third', 30_000)
  expect(await node.told()).toEqual(['connected', 'unwatched', 'connected'])
})

test('phases of more than thirty days ago are not told, but for the one under way then', async () => {
  const node = await makeNode('epsilon')
  const { db } = server.ctx
  const daysAgo = (days: number) => new Date(server.ctx.now().getTime() - days * 86_400_000)
  const phases = [40, 35, 20].map((days) => ({
    nodeId: node.id,
    beganAt: daysAgo(days),
    phase: 'connected' as const,
    reason: String(days),
  }))
  await db.insertInto('nodePhases').values(phases).execute()
  expect(await node.told()).toEqual(['connected: 35', 'connected: 20'])
})
