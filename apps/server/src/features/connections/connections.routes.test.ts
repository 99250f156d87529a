import * as api from '@causeway/contract'
import { expect, test, vi } from 'vitest'
import { liveFleet, WAIT } from '../../../test/live-fleet.ts'
import { forgetReadings } from './connections.queries.ts'

// With simulated agents; what our agent reads and closes is tested with the real core (apps/agent/src/features/connections).

const live = liveFleet()
const OTHER_AGENT = expect.stringMatching(/agent of this node cannot/)
const idOf = ({ id }: api.User) => id ?? 0

async function completed(url: string): Promise<Record<string, unknown>> {
  return vi.waitFor(async () => {
    const { status, body } = await live.server.send('GET', url)
    expect(status).toBe(200)
    const state = responseOf({ body })
    expect(state).toMatchObject({ isCompleted: true })
    return state
  }, WAIT)
}

async function start(url: string): Promise<string> {
  const { status, body } = await live.server.send('POST', url)
  expect({ status, body }).toMatchObject({ status: 201 })
  return String(responseOf({ body })['jobId'])
}

/** Two nodes with agents of ours and one with another; ann is on both, ben on the second. */
async function world() {
  const [first, second] = [await live.connectedNode(), await live.connectedNode()]
  const other = await live.connectedNode({ generation: '2.1' })
  const [ann, ben] = [await live.makeUser('ann'), await live.makeUser('ben')]
  first.agent.connected.set('ann', ['198.51.100.1', '2001:db8::1'])
  second.agent.connected.set('ann', ['198.51.100.2'])
  second.agent.connected.set('ben', ['198.51.100.3'])
  return { first, second, other, ann, ben }
}

test('WIRE-012 tells from where a user is connected, by node, and which nodes cannot say so', async () => {
  const { first, second, other, ann } = await world()
  const jobId = await start(`/api/connections/by-user/${idOf(ann)}`)
  const seen = (ip: string) => ({ ip, lastSeen: expect.stringMatching(/^\d{4}-.*Z$/) })
  const named = ({ node }: typeof first) => ({ nodeUuid: node.uuid, nodeName: node.name, countryCode: node.countryCode })
  const nodes = [
    { ...named(first), ips: [seen('198.51.100.1'), seen('2001:db8::1')], error: null },
    { ...named(second), ips: [seen('198.51.100.2')], error: null },
    { ...named(other), ips: [], error: OTHER_AGENT },
  ]
  const state = { isCompleted: true, isFailed: false, progress: { total: 3, completed: 3, percent: 100 } }
  expect(await completed(`/api/connections/by-user/${jobId}`)).toEqual({
    ...state,
    result: { success: true, userId: ann.id, userUuid: ann.uuid, nodes },
  })
  // As 2.6 to 2.8 have it: the number is text.
  const old = await start(`/api/ip-control/fetch-ips/${ann.uuid}`)
  expect(await completed(`/api/ip-control/fetch-ips/result/${old}`)).toEqual({
    ...state,
    result: { success: true, userId: String(ann.id), userUuid: ann.uuid, nodes },
  })
})

test('WIRE-012 tells who is connected to a node; a node that cannot say so has failed with a reason', async () => {
  const { second, other, ann, ben } = await world()
  const jobId = await start(`/api/connections/by-node/${second.node.uuid}`)
  const ips = (ip: string) => [{ ip, lastSeen: expect.any(String) }]
  const users = [
    { userId: ann.id, ips: ips('198.51.100.2') },
    { userId: ben.id, ips: ips('198.51.100.3') },
  ]
  expect(await completed(`/api/connections/by-node/${jobId}`)).toEqual({
    isCompleted: true,
    isFailed: false,
    result: { success: true, nodeUuid: second.node.uuid, error: null, users },
  })
  const old = await start(`/api/ip-control/fetch-users-ips/${second.node.uuid}`)
  expect(await completed(`/api/ip-control/fetch-users-ips/result/${old}`)).toMatchObject({
    result: { users: users.map((user) => ({ ...user, userId: String(user.userId) })) },
  })
  const failed = await start(`/api/connections/by-node/${other.node.uuid}`)
  expect(await completed(`/api/connections/by-node/${failed}`)).toEqual({
    isCompleted: true,
    isFailed: true,
    result: { success: false, nodeUuid: other.node.uuid, error: OTHER_AGENT, users: [] },
  })
})

test('WIRE-012 one reading of a subject serves all who ask meanwhile, and one that its server did not finish has failed', async () => {
  const { first } = await world()
  first.agent.hanging.add('/node/x/connections')
  const url = `/api/connections/by-node/${first.node.uuid}`
  const jobId = await start(url)
  expect(await start(url)).toBe(jobId)
  const { body } = await live.server.send('GET', `/api/connections/by-node/${jobId}`)
  expect(responseOf({ body })).toEqual({ isCompleted: false, isFailed: false, result: null })
  await live.server.ctx.db
    .updateTable('connectionReadings')
    .set({ expiresAt: new Date(0) })
    .execute()
  expect(await completed(`/api/connections/by-node/${jobId}`)).toEqual({ isCompleted: true, isFailed: true, result: null })
})

test('WIRE-012 addresses are gone two minutes after the answer', async () => {
  const { ann } = await world()
  const jobId = await start(`/api/connections/by-user/${ann.uuid}`)
  await completed(`/api/connections/by-user/${jobId}`)
  const { ctx } = live.server
  const kept = async () => (await ctx.db.selectFrom('connectionReadings').select('id').execute()).map(({ id }) => id)
  await forgetReadings(ctx.db, new Date(ctx.now().getTime() + 110_000))
  expect(await kept()).toContain(jobId)
  await forgetReadings(ctx.db, new Date(ctx.now().getTime() + 130_000))
  expect(await kept()).not.toContain(jobId)
  expect(await live.server.send('GET', `/api/connections/by-user/${jobId}`)).toMatchObject({
    status: 404,
    body: { errorCode: 'A218' },
  })
})

test('WIRE-012 drops connections of users and of addresses on the nodes that are named, and says which node cannot', async () => {
  const { first, second, other, ann, ben } = await world()
  const drop = (body: object, url = '/api/connections/drop') => live.server.send('POST', url, body)
  const allNodes = { target: 'allNodes' }
  const outcome = ({ node }: typeof first, closed: number, error: unknown = null) => ({
    nodeUuid: node.uuid,
    nodeName: node.name,
    closed,
    error,
  })
  const only = { target: 'specificNodes', nodeUuids: [second.node.uuid] }
  expect(await drop({ dropBy: { by: 'userIds', userIds: [idOf(ann)] }, targetNodes: only })).toMatchObject({
    status: 200,
    body: { response: { eventSent: true, nodes: [outcome(second, 1)] } },
  })
  expect(first.agent.connected.get('ann')).toHaveLength(2)
  expect(second.agent.connected.get('ben')).toHaveLength(1)
  const byUuid = { dropBy: { by: 'userUuids', userUuids: [ann.uuid] }, targetNodes: allNodes }
  expect(await drop(byUuid, '/api/ip-control/drop-connections')).toMatchObject({
    status: 200,
    body: { response: { eventSent: true, nodes: [outcome(first, 2), outcome(second, 0), outcome(other, 0, OTHER_AGENT)] } },
  })
  const byAddress = { dropBy: { by: 'ipAddresses', ipAddresses: ['198.51.100.3'] }, targetNodes: allNodes }
  expect(await drop(byAddress)).toMatchObject({ body: { response: { nodes: [outcome(first, 0), outcome(second, 1), {}] } } })
  // The history keeps that it was done, and no address.
  const { entries } = await live.server.call(api.listHistory, {})
  const told = JSON.stringify(entries.filter(({ action }) => action === 'dropConnections'))
  expect(entries.filter(({ action }) => action === 'dropConnections')).toHaveLength(3)
  expect(told).not.toContain('198.51')
  expect(ben.id).toBeGreaterThan(0)
})

test('WIRE-012 what is none is refused by the name of the field', async () => {
  const { second } = await world()
  const targetNodes = { target: 'allNodes' }
  const refused = async (body: object, path: (string | number)[]) =>
    expect(await live.server.send('POST', '/api/connections/drop', body)).toMatchObject({
      status: 400,
      body: { errors: [{ path }] },
    })
  await refused({ dropBy: { by: 'userIds', userIds: [] }, targetNodes }, ['dropBy', 'userIds'])
  await refused({ dropBy: { by: 'userIds', userIds: [2 ** 53] }, targetNodes }, ['dropBy', 'userIds', 0])
  await refused({ dropBy: { by: 'ipAddresses', ipAddresses: ['::1 or'] }, targetNodes }, ['dropBy', 'ipAddresses', 0])
  await refused({ dropBy: { by: 'colour' }, targetNodes }, ['dropBy', 'by'])
  const nobody = { dropBy: { by: 'userIds', userIds: [900_000] }, targetNodes }
  expect(await live.server.send('POST', '/api/connections/drop', nobody)).toMatchObject({
    status: 404,
    body: { errorCode: 'A062' },
  })
  const NONE = '00000000-0000-4000-8000-000000000001'
  const nowhere = {
    dropBy: { by: 'ipAddresses', ipAddresses: ['::1'] },
    targetNodes: { target: 'specificNodes', nodeUuids: [NONE] },
  }
  expect(await live.server.send('POST', '/api/connections/drop', nowhere)).toMatchObject({ status: 404 })
  expect(await live.server.send('POST', '/api/connections/by-user/900000')).toMatchObject({ status: 404 })
  expect(await live.server.send('POST', `/api/connections/by-node/${NONE}`)).toMatchObject({ status: 404 })
  for (const jobId of [NONE, 'x'])
    expect(await live.server.send('GET', `/api/connections/by-node/${jobId}`)).toMatchObject({ status: 404 })
  // A job of the other kind is none of this.
  const jobId = await start(`/api/connections/by-node/${second.node.uuid}`)
  expect(await live.server.send('GET', `/api/connections/by-user/${jobId}`)).toMatchObject({ status: 404 })
})

test('a log is read from the agent of its node; one that cannot tell and a node that is none say so', async () => {
  const { first, second, other } = await world()
  const line = (text: string): api.LogLine => ({ at: '2026-11-27T10:00:00.000Z', level: 'warning', text })
  first.agent.logs.set('core', [line('core: one'), line('core: two')])
  first.agent.logs.set('agent', [line('agent ready')])
  second.agent.logs.set('core', [line('of another node')])
  const read = async (uuid: string, log: string) => live.server.send('GET', `/api/x/nodes/${uuid}/log/${log}`)
  const found = async (uuid: string, log: string) => responseOf(await read(uuid, log))
  expect(await found(first.node.uuid, 'core')).toEqual({ lines: [line('core: one'), line('core: two')], error: null })
  expect(await found(first.node.uuid, 'agent')).toEqual({ lines: [line('agent ready')], error: null })
  expect(await found(other.node.uuid, 'core')).toEqual({ lines: [], error: OTHER_AGENT })
  expect(await read('00000000-0000-4000-8000-000000000001', 'core')).toMatchObject({ status: 404 })
  expect(await read(first.node.uuid, 'other')).toMatchObject({ status: 400, body: { errors: [{ path: ['log'] }] } })
})

function responseOf({ body }: { body: unknown }): Record<string, unknown> {
  return (body as { response: Record<string, unknown> }).response // every wrapped reply of the wire
}
