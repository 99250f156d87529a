import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFleet } from '../../../test/fleet.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { readVersion, readXrayVersion } from '../../lib/product.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
  await makeFleet(server)
})
afterAll(() => server.close())

const LATER = '2099-01-01T04:00:00.000Z'
const states = () => server.ctx.db.selectFrom('nodeStates').select(['partWanted', 'isPartReturned']).execute()

test('JOIN-009 JOIN-010 older versions are offered part by part, one update at a time, and nothing is begun before its time', async () => {
  const call: TestServer['call'] = (endpoint, input) => server.call(endpoint, input)
  await expect(call(api.startNodeUpdate, { part: 'agent' })).rejects.toThrow('None of these nodes')
  const versions = { nodeVersion: readVersion(), xrayVersion: '1.8.4' }
  await server.ctx.db
    .updateTable('nodeStates')
    .set({ isConnected: true, isUpdatable: true, ...versions })
    .execute()
  const { carried, nodes } = await call(api.getNodeUpdates, {})
  expect(carried).toMatchObject({ agent: readVersion(), core: readXrayVersion() })
  expect(nodes.map(({ name, older }) => [name, older])).toEqual([
    ['Alpha', ['core']],
    ['Beta', ['core']],
  ])
  const [first = ''] = nodes.map(({ uuid }) => uuid)
  const { uuid, ...made } = await call(api.startNodeUpdate, { part: 'core', nodeUuids: [first], beginsAt: LATER })
  expect(made).toMatchObject({ part: 'core', version: carried.core, state: 'running', beginsAt: LATER })
  expect(made.nodes.map((node) => [node.uuid, node.state])).toEqual([[first, 'waiting']])
  await expect(call(api.startNodeUpdate, { part: 'core' })).rejects.toThrow('Nodes are being updated.')

  // A permission for profiles opens no update of nodes.
  for (const endpoint of [api.pauseRollout, api.takeBackRollout, api.waiveRolloutProof])
    await expect(call(endpoint, { uuid })).rejects.toThrow('There is no such roll-out')
  await expect(call(api.getRolloutConfig, { uuid })).rejects.toThrow('There is no such roll-out')
  expect((await call(api.listRollouts, {})).rollouts).toEqual([])
  expect(await call(api.pauseNodeUpdate, { uuid })).toMatchObject({ isPaused: true })
  expect(await call(api.continueNodeUpdate, { uuid })).toMatchObject({ isPaused: false })
  expect(await call(api.takeBackNodeUpdate, { uuid })).toMatchObject({ state: 'takenBack' })
  await expect(call(api.pauseNodeUpdate, { uuid })).rejects.toThrow('has ended already')
  expect((await call(api.getNodeUpdates, {})).last).toMatchObject({ uuid, state: 'takenBack' })
  // No node had its turn: nothing is put back.
  expect(await states()).toEqual(nodes.map(() => ({ partWanted: null, isPartReturned: false })))
})
