import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as api from '@causeway/contract'
import { agentPayload } from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'
import { systemCaller } from '../../ctx.ts'
import type { Raw } from '../../http/mount.ts'
import { nodesRoutes } from './nodes.routes.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const GIB = 1024 ** 3
let server: TestServer
let profile: api.ConfigProfile
let other: api.ConfigProfile
let counter = 0

beforeAll(async () => {
  server = await testServer()
  profile = await server.call(api.createConfigProfile, { name: 'main', config: config(['VLESS_A', 'VLESS_B']) })
  other = await server.call(api.createConfigProfile, { name: 'other', config: config(['VLESS_C']) })
})
afterAll(() => server.close())

function config(tags: string[]) {
  return {
    inbounds: tags.map((tag, index) => ({
      tag,
      port: 1000 + index,
      protocol: 'vless',
      settings: { clients: [], decryption: 'none' },
    })),
    outbounds: [{ protocol: 'freedom', tag: 'DIRECT' }],
  }
}

const uuids = (of: api.ConfigProfile) => of.inbounds.map((inbound) => inbound.uuid)
const binding = (of = profile) => ({ activeConfigProfileUuid: of.uuid, activeInbounds: uuids(of) })

function makeNode(fields: Partial<Parameters<typeof server.call<typeof api.createNode>>[1]> = {}) {
  counter++
  return server.call(api.createNode, {
    name: `node ${counter}`,
    address: `198.51.100.${counter}`,
    configProfile: binding(),
    ...fields,
  })
}

async function stateOf(uuid: string) {
  return server.ctx.db
    .selectFrom('nodeStates')
    .innerJoin('nodes', 'nodes.id', 'nodeStates.nodeId')
    .selectAll('nodeStates')
    .where('nodes.uuid', '=', uuid)
    .executeTakeFirstOrThrow()
}

/** Orders nodes while the count of users online never comes. */
async function orderWhileCounting(input: api.Input<typeof api.reorderNodes>): Promise<unknown> {
  const routes = nodesRoutes(server.ctx, () => new Promise(() => {}))
  const route = routes.find(({ endpoint }) => endpoint === api.reorderNodes)
  const raw = { caller: systemCaller } as Raw // these handlers read no more of it
  return route?.handle(input, raw)
}

const refusal = (status: number, errorCode: string) => ({ status, body: expect.objectContaining({ errorCode }) })

describe('creating a node', () => {
  it('NODE-080 NODE-041 NODE-042: what is sent is stored and answered whole, and the node is to be started', async () => {
    const node = await makeNode({
      name: '  Helsinki  ',
      address: ' hel.example.com ',
      port: 2222,
      countryCode: 'fi',
      isTrafficTrackingActive: true,
      trafficLimitBytes: 5 * GIB,
      trafficResetDay: 7,
      notifyPercent: 80,
      consumptionMultiplier: 1.26,
      providerUuid: null,
    })
    expect(node).toMatchObject({
      name: 'Helsinki',
      address: 'hel.example.com',
      port: 2222,
      countryCode: 'FI',
      isTrafficTrackingActive: true,
      trafficLimitBytes: 5 * GIB,
      trafficUsedBytes: 0,
      trafficResetDay: 7,
      notifyPercent: 80,
      consumptionMultiplier: 1.3,
      isDisabled: false,
      isConnected: false,
      isConnecting: false,
      usersOnline: 0,
      xrayUptime: '0',
      xrayVersion: null,
      nodeVersion: null,
      lastStatusMessage: null,
      provider: null,
      providerUuid: null,
      viewPosition: expect.any(Number),
      configProfile: { activeConfigProfileUuid: profile.uuid },
    })
    expect(node.configProfile.activeInbounds.map((inbound) => inbound.tag)).toEqual(['VLESS_A', 'VLESS_B'])
    expect((await stateOf(node.uuid)).startRequestedAt).toBeInstanceOf(Date)
    const [entry] = await server.ctx.db.selectFrom('auditLog').selectAll().where('target', '=', node.uuid).execute()
    expect(entry).toMatchObject({ action: 'createNode', actorName: 'admin' })
  })

  it('NODE-042 NODE-043: has the defaults of the wire', async () => {
    expect(await makeNode()).toMatchObject({
      port: null,
      trafficResetDay: 1,
      consumptionMultiplier: 1,
      countryCode: 'XX',
      trafficLimitBytes: 0,
      notifyPercent: 0,
      isTrafficTrackingActive: false,
      xrayUptime: '0',
    })
  })

  it('NODE-073: trims name and address, also when it compares them with taken ones', async () => {
    const node = await makeNode()
    const body = { name: ` ${node.name} `, address: '203.0.113.99', configProfile: binding() }
    expect(await server.send('POST', '/api/nodes', body)).toMatchObject(refusal(400, 'A033'))
    const again = { ...body, name: 'another', address: ` ${node.address} ` }
    expect(await server.send('POST', '/api/nodes', again)).toMatchObject(refusal(400, 'A034'))
  })

  it('leaves nothing behind when it is refused', async () => {
    const body = { name: 'refused', address: '203.0.113.1' }
    const wrong = { activeConfigProfileUuid: profile.uuid, activeInbounds: [...uuids(profile), ...uuids(other)] }
    expect(await server.send('POST', '/api/nodes', { ...body, configProfile: wrong })).toMatchObject(refusal(404, 'A124'))
    const unknown = { activeConfigProfileUuid: UNKNOWN, activeInbounds: uuids(profile) }
    expect(await server.send('POST', '/api/nodes', { ...body, configProfile: unknown })).toMatchObject(refusal(404, 'A111'))
    const empty = { activeConfigProfileUuid: profile.uuid, activeInbounds: [] }
    expect(await server.send('POST', '/api/nodes', { ...body, configProfile: empty })).toMatchObject(refusal(400, 'A032'))
    const names = (await server.call(api.listNodes, {})).map((node) => node.name)
    expect(names).not.toContain('refused')
  })

  it('is refused without an inbound, also at an edit', async () => {
    const { uuid } = await makeNode()
    const configProfile = { activeConfigProfileUuid: profile.uuid, activeInbounds: [] }
    expect(await server.send('PATCH', '/api/nodes', { uuid, configProfile })).toMatchObject(refusal(400, 'A010'))
  })

  it('lets only one of two take the same name at once', async () => {
    const bodies = ['203.0.113.2', '203.0.113.3'].map((address) => ({ name: 'twin', address, configProfile: binding() }))
    const replies = await Promise.all(bodies.map((body) => server.send('POST', '/api/nodes', body)))
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201, 400]))
  })

  it.each([
    [{ name: 'ab' }, 'name'],
    [{ address: 'x' }, 'address'],
    [{ port: 0 }, 'port'],
    [{ port: 70_000 }, 'port'],
    [{ trafficResetDay: 32 }, 'trafficResetDay'],
    [{ notifyPercent: 101 }, 'notifyPercent'],
    [{ consumptionMultiplier: 0 }, 'consumptionMultiplier'],
    [{ consumptionMultiplier: 1e300 }, 'consumptionMultiplier'],
    [{ name: ' a ' }, 'name'],
    [{ address: '    ' }, 'address'],
    [{ address: 'not a host!' }, 'address'],
    [{ address: 'https://node.example' }, 'address'],
    [{ address: '192.0.2.1:2222' }, 'address'],
    [{ countryCode: 'ZZ' }, 'countryCode'],
    [{ countryCode: 'FIN' }, 'countryCode'],
    [{ trafficLimitBytes: -1 }, 'trafficLimitBytes'],
  ])('refuses %j at its field', async (fields, path) => {
    const body = { name: 'fields', address: '203.0.113.4', configProfile: binding(), ...fields }
    const reply = await server.send('POST', '/api/nodes', body)
    expect(reply).toMatchObject({ status: 400, body: { errors: [{ path: [path] }] } })
  })
})

describe('editing a node', () => {
  it.each([
    [{ consumptionMultiplier: 1001 }, 'consumptionMultiplier'],
    [{ address: '   ' }, 'address'],
    [{ address: 'not a host!' }, 'address'],
    [{ countryCode: 'ZZ' }, 'countryCode'],
    [{ name: '   ' }, 'name'],
  ])('refuses %j, which the schema of the wire lets through', async (fields, path) => {
    const { uuid } = await makeNode()
    const reply = await server.send('PATCH', '/api/nodes', { uuid, ...fields })
    expect(reply).toMatchObject({ status: 400, body: { errors: [{ path: [path] }] } })
  })

  it('NODE-081: what is sent is changed, what is absent stays, and zero is a value', async () => {
    const node = await makeNode({ trafficLimitBytes: GIB, notifyPercent: 50, consumptionMultiplier: 2 })
    const edited = await server.call(api.updateNode, { uuid: node.uuid, trafficLimitBytes: 0, consumptionMultiplier: 0.14 })
    expect(edited).toMatchObject({ trafficLimitBytes: 0, notifyPercent: 50, consumptionMultiplier: 0.1, name: node.name })
    const replaced = await server.call(api.updateNode, { uuid: node.uuid, configProfile: binding(other) })
    expect(replaced.configProfile.activeConfigProfileUuid).toBe(other.uuid)
    expect(replaced.configProfile.activeInbounds.map((inbound) => inbound.tag)).toEqual(['VLESS_C'])
  })

  it('asks for a start only when the agent is concerned', async () => {
    const { uuid } = await makeNode()
    await server.ctx.db.updateTable('nodeStates').set({ startRequestedAt: null }).execute()
    await server.call(api.updateNode, { uuid, name: 'renamed only' })
    expect((await stateOf(uuid)).startRequestedAt).toBeNull()
    await server.call(api.updateNode, { uuid, configProfile: binding(other) })
    expect((await stateOf(uuid)).startRequestedAt).not.toBeNull()
  })

  it('refuses the name and address of another node, an inbound of another profile and an unknown node', async () => {
    const [one, two] = [await makeNode(), await makeNode()]
    expect(await server.send('PATCH', '/api/nodes', { uuid: two.uuid, name: one.name })).toMatchObject(refusal(400, 'A033'))
    expect(await server.send('PATCH', '/api/nodes', { uuid: two.uuid, address: one.address })).toMatchObject(refusal(400, 'A034'))
    const wrong = { activeConfigProfileUuid: profile.uuid, activeInbounds: uuids(other) }
    expect(await server.send('PATCH', '/api/nodes', { uuid: two.uuid, configProfile: wrong })).toMatchObject(refusal(404, 'A124'))
    expect(await server.send('PATCH', '/api/nodes', { uuid: UNKNOWN, name: 'nobody' })).toMatchObject(refusal(404, 'A011'))
    await server.call(api.updateNode, { uuid: one.uuid, name: one.name, address: one.address })
  })
})

describe('the list', () => {
  it('NODE-077 NODE-078 NODE-044: nodes come in the order of their positions, one by its uuid', async () => {
    const [one, two] = [await makeNode(), await makeNode()]
    const listed = await server.call(api.listNodes, {})
    const positions = listed.map((node) => node.viewPosition)
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
    expect(listed.findIndex((node) => node.uuid === one.uuid)).toBeLessThan(listed.findIndex((node) => node.uuid === two.uuid))
    expect(await server.call(api.getNode, { uuid: one.uuid })).toEqual(one)
    expect(await server.send('GET', `/api/nodes/${UNKNOWN}`)).toMatchObject(refusal(404, 'A011'))
  })

  it('NODE-086: is reordered by positions and answered whole, and new nodes come last', async () => {
    await makeNode()
    const listed = await server.call(api.listNodes, {})
    const wanted = listed.toReversed().map((node, index) => ({ uuid: node.uuid, viewPosition: index + 1 }))
    const reordered = await server.call(api.reorderNodes, { nodes: wanted })
    expect(reordered.map((node) => node.uuid)).toEqual(wanted.map((node) => node.uuid))
    const added = await makeNode()
    expect((await server.call(api.listNodes, {})).at(-1)?.uuid).toBe(added.uuid)
  })

  it('NODE-086: a refused order is told at once, also while users online are still being counted', async () => {
    await expect(orderWhileCounting({ nodes: [{ uuid: UNKNOWN, viewPosition: 2 ** 40 }] })).rejects.toThrow('out of range')
  })
})

describe('switching', () => {
  it('NODE-082: disabling clears the connection and asks for a stop, enabling asks for a start', async () => {
    const { uuid } = await makeNode()
    await server.ctx.db.updateTable('nodeStates').set({ isConnected: true, isNodeOnline: true }).execute()
    expect(await server.call(api.disableNode, { uuid })).toMatchObject({
      isDisabled: true,
      isConnected: false,
      isNodeOnline: false,
      usersOnline: 0,
      lastStatusMessage: null,
    })
    expect((await stateOf(uuid)).stopRequestedAt).not.toBeNull()
    expect(await server.send('POST', `/api/nodes/${uuid}/actions/restart`, {})).toMatchObject(refusal(400, 'A149'))
    expect(await server.call(api.enableNode, { uuid })).toMatchObject({ isDisabled: false })
    expect(await stateOf(uuid)).toMatchObject({ stopRequestedAt: null, startRequestedAt: expect.any(Date) })
    expect(await server.send('POST', `/api/nodes/${UNKNOWN}/actions/enable`, {})).toMatchObject(refusal(404, 'A011'))
    expect(await server.send('POST', `/api/nodes/${UNKNOWN}/actions/disable`, {})).toMatchObject(refusal(404, 'A011'))
  })

  it('a node without profile stays disabled', async () => {
    const temporary = await server.call(api.createConfigProfile, { name: 'temporary', config: config(['VLESS_T']) })
    const { uuid } = await makeNode({ configProfile: binding(temporary) })
    await server.call(api.deleteConfigProfile, { uuid: temporary.uuid })
    expect(await server.call(api.enableNode, { uuid })).toMatchObject({
      isDisabled: true,
      configProfile: { activeConfigProfileUuid: null, activeInbounds: [] },
    })
  })

  it('NODE-084: restarting asks for starts, forced only when wanted', async () => {
    const { uuid } = await makeNode()
    expect(await server.call(api.restartNode, { uuid })).toEqual({ eventSent: true })
    expect((await stateOf(uuid)).isRestartForced).toBe(false)
    expect(await server.send('POST', '/api/nodes/actions/restart-all')).toMatchObject({ status: 200 })
    expect((await stateOf(uuid)).isRestartForced).toBe(false)
    await server.call(api.restartAllNodes, { forceRestart: true })
    expect((await stateOf(uuid)).isRestartForced).toBe(true)
    expect(await server.send('POST', `/api/nodes/${UNKNOWN}/actions/restart`, {})).toMatchObject(refusal(404, 'A011'))
  })

  it('NODE-083: deleting takes the node with all that hangs on it', async () => {
    const { uuid } = await makeNode()
    const bystander = await makeNode()
    expect(await server.call(api.deleteNode, { uuid })).toEqual({ isDeleted: true })
    expect(await server.send('GET', `/api/nodes/${uuid}`)).toMatchObject(refusal(404, 'A011'))
    expect((await server.call(api.getNode, { uuid: bystander.uuid })).name).toBe(bystander.name)
    expect(await server.send('DELETE', `/api/nodes/${uuid}`)).toMatchObject(refusal(404, 'A011'))
  })

  it('restarting all fails when no node is enabled', async () => {
    for (const node of await server.call(api.listNodes, {})) await server.call(api.disableNode, { uuid: node.uuid })
    expect(await server.send('POST', '/api/nodes/actions/restart-all', {})).toMatchObject(refusal(409, 'A054'))
  })
})

describe('the public key', () => {
  it('NODE-046: carries a certificate of its own each time, all of one authority', async () => {
    const keys = await Promise.all([server.call(api.getNodePublicKey, {}), server.call(api.getNodePublicKey, {})])
    const [one, two] = keys.map(({ pubKey }) => agentPayload.parse(JSON.parse(Buffer.from(pubKey, 'base64').toString())))
    if (!one || !two) throw new Error('two keys expected')
    expect(one.nodeCertPem).not.toBe(two.nodeCertPem)
    expect([one.caCertPem, one.jwtPublicKey]).toEqual([two.caCertPem, two.jwtPublicKey])
    const [certificate, authority] = [new X509Certificate(one.nodeCertPem), new X509Certificate(one.caCertPem)]
    expect(certificate.verify(authority.publicKey)).toBe(true)
    expect(authority.ca).toBe(true)
    expect(authority.serialNumber).toBe('01')
    expect(certificate.subjectAltName).toBeUndefined()
    const years = (certificate.validToDate.getTime() - certificate.validFromDate.getTime()) / (365.25 * 86_400_000)
    expect(Math.round(years)).toBe(3)
    expect(one.nodeKeyPem).toMatch(/^-----BEGIN PRIVATE KEY-----\n([\w+/=]{1,64}\n)+-----END PRIVATE KEY-----$/)
  })
})
