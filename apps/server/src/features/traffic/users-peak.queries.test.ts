import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFleet, type Fleet } from '../../../test/fleet.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { listRolloutCandidates } from '../rollouts/rollouts.queries.ts'
import { writeLedgerPosition } from './ledger.queries.ts'

let server: TestServer
let fleet: Fleet
beforeAll(async () => {
  server = await testServer()
  fleet = await makeFleet(server)
  await server.ctx.db.updateTable('nodeStates').set({ isConnected: true }).execute()
})
afterAll(() => server.close())

const at = (minutes: number) => new Date(Date.parse('2026-03-01T12:00:00Z') + minutes * 60_000)

async function read(minutes: number, usersOnline: number): Promise<void> {
  const position = { sampleSequence: 1, coreEpoch: 'a', coreStartedAt: null, accountedThroughAt: at(minutes), usersOnline }
  await server.ctx.db.transaction().execute((tx) => writeLedgerPosition(tx, fleet.nodes[0]?.id ?? 0, position))
}
async function recently(minutes: number): Promise<number[]> {
  const nodes = await listRolloutCandidates(server.ctx.db, fleet.profile.uuid, at(minutes))
  return nodes.map(({ usersRecently }) => usersRecently)
}

test('the most users of the last five minutes are remembered across a restart, per node, and forgotten within ten', async () => {
  expect(await recently(0)).toEqual([0, 0])
  await read(0, 7)
  expect(await recently(0)).toEqual([7, 0])
  await read(4.9, 9)
  // The core restarts: nobody is online in the readings that follow.
  await read(5, 0)
  await read(5.25, 0)
  expect(await recently(5.25)).toEqual([9, 0])
  await read(9.9, 1)
  expect(await recently(9.9)).toEqual([9, 0])
  await read(10.5, 1)
  expect(await recently(10.5)).toEqual([1, 0])
  await read(16, 0)
  expect(await recently(16)).toEqual([1, 0])
  await read(22, 0)
  expect(await recently(22)).toEqual([0, 0])
})

test('what a node that is away showed an hour ago is not of the last minutes, nor what a clock set ahead wrote', async () => {
  await read(30, 8)
  expect(await recently(31)).toEqual([8, 0])
  expect(await recently(90)).toEqual([0, 0])
  await read(90, 2)
  expect(await recently(90)).toEqual([2, 0])
  await read(9000, 50)
  await read(91, 3)
  expect(await recently(91)).toEqual([3, 0])
})
