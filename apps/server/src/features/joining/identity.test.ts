import { generateKeyPairSync } from 'node:crypto'
import https from 'node:https'
import * as api from '@causeway/contract'
import type { AgentPayload } from '@causeway/contract'
import { afterEach, expect, it, vi } from 'vitest'
import type { FakeAgent } from '../../../test/fake-agent.ts'
import { liveFleet, until, WAIT } from '../../../test/live-fleet.ts'
import { makeNodeKey } from '../../../test/node-keys.ts'
import { describeCertificate, readFleetKeys, signNodeRequest } from '../../ground/fleet-keys.ts'
import { identityOf } from '../../ground/node-identity.queries.ts'

const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS
const REQUEST = '/node/x/certificate/request'
const SIGNED = '/node/x/certificate/signed'
const live = liveFleet()
afterEach(() => {
  live.server.clock.now = undefined
})

/** Lets a machine join as the node, and gives the identity that its agent has then. */
async function join(uuid: string): Promise<AgentPayload> {
  const { code } = await live.server.call(api.makeJoinCode, { uuid })
  const { keyPem: nodeKeyPem, request } = await makeNodeKey()
  const { body } = await live.server.send('POST', `/join/${code}/certificate`, { request }, {})
  return { ...(body as { response: Omit<AgentPayload, 'nodeKeyPem'> }).response, nodeKeyPem } // as the agent checks it
}

async function joined(): Promise<{ agent: FakeAgent; node: api.Node; payload: AgentPayload }> {
  const agent = await live.startAgent({ payload: secretKey() })
  const node = await live.makeNode(agent)
  const payload = await join(node.uuid)
  await restart(agent, payload)
  await live.connected(node.uuid)
  await until(async () => (await kindOf(node)) === 'ownKey')
  return { agent, node, payload }
}

const secretKey = () => api.agentPayload.parse(JSON.parse(Buffer.from(live.pubKey, 'base64').toString()))
const joinOf = (node: api.Node) => live.server.call(api.getNodeJoin, { uuid: node.uuid })
const kindOf = async (node: api.Node) => (await joinOf(node)).identity.kind
const stepsOf = async (node: api.Node) => (await joinOf(node)).join?.steps
const messageOf = async (node: api.Node) => (await live.getNode(node.uuid)).lastStatusMessage ?? ''
const lost = (node: api.Node, why: string) => vi.waitFor(async () => expect(await messageOf(node)).toContain(why), WAIT)

/** The agent comes back, with another certificate. */
async function restart(agent: FakeAgent, payload: AgentPayload): Promise<void> {
  const { port } = agent
  await agent.close()
  agent.show(payload)
  await agent.listen(port)
}

it('JOIN-006 the server adds when it reached the node, started the core and told of the first user', async () => {
  const { agent, node } = await joined()
  expect(await stepsOf(node)).toMatchObject({
    signed: expect.any(String),
    reached: expect.any(String),
    started: expect.any(String),
  })
  expect((await stepsOf(node))?.serving).toBeNull()
  await live.makeUser('first')
  await until(() => agent.usersOf('VLESS_A').length === 1)
  await until(async () => (await stepsOf(node))?.serving !== null)
})

it('JOIN-006 why the server cannot call the node is told apart', async () => {
  const agent = await live.startAgent({ payload: secretKey() })
  const node = await live.makeNode(agent)
  await live.connected(node.uuid)
  await join(node.uuid)
  await agent.close()
  await until(async () => (await joinOf(node)).join?.unreached === 'refused')
  await agent.listen(agent.port)
  await until(async () => (await joinOf(node)).join?.unreached === null)
})

it('JOIN-004 a certificate of another node is refused, whether that has a secret key or its own, and both nodes go on', async () => {
  const [thief, victim] = [await joined(), await joined()]
  const old = await live.connectedNode()
  for (const { agent, node } of [victim, old]) {
    await restart(agent, thief.payload)
    await lost(node, 'shows the certificate of another node')
    expect(await live.getNode(thief.node.uuid)).toMatchObject({ isConnected: true })
  }
  await restart(victim.agent, victim.payload)
  await live.connected(victim.node.uuid)
  await restart(old.agent, secretKey())
  await live.connected(old.node.uuid)
})

it('JOIN-004 a secret key counts no more for a node whose own certificate was seen', async () => {
  const { agent, node, payload } = await joined()
  await restart(agent, secretKey())
  await lost(node, 'shows a certificate that does not count for this node')
  await restart(agent, payload)
  await live.connected(node.uuid)
  expect(await kindOf(node)).toBe('ownKey')
})

it('JOIN-004 the key and certificate of a node open no agent and no part of the server', async () => {
  const { payload } = await joined()
  const other = await live.connectedNode()
  const { nodeCertPem: cert, nodeKeyPem: key, caCertPem: ca } = payload
  const asked = new Promise((resolve, reject) => {
    const options = { port: other.agent.port, host: '127.0.0.1', cert, key, ca, checkServerIdentity: () => undefined }
    https.get({ ...options, path: '/node/xray/healthcheck' }, resolve).on('error', reject)
  })
  await expect(asked).rejects.toThrow(/unsupported certificate|socket hang up|ECONNRESET|alert/)
  expect(other.agent.callsTo('/node/xray/healthcheck')).toBeGreaterThan(0) // by the server alone
  const { status } = await live.server.send('GET', '/api/nodes', undefined, { authorization: `Bearer ${key}` })
  expect(status).toBe(401)
})

it('JOIN-004 a revoked certificate ends also the connections that are open, and a new code brings the node back', async () => {
  const { agent, node } = await joined()
  const bystander = await joined()
  await live.server.call(api.revokeNodeCertificate, { uuid: node.uuid })
  await lost(node, 'it was revoked')
  expect(await kindOf(node)).toBe('revoked')
  expect(await live.getNode(bystander.node.uuid)).toMatchObject({ isConnected: true })
  await restart(agent, secretKey())
  await lost(node, 'it was revoked')
  agent.show(await join(node.uuid))
  await live.connected(node.uuid)
  expect(await kindOf(node)).toBe('ownKey')
})

it('JOIN-008 nodes with secret keys, and agents of the 2.1 generation, go on beside those that have joined', async () => {
  const [old, own] = [await live.connectedNode({ generation: '2.1' }), await live.connectedNode()]
  const { node } = await joined()
  const user = await live.makeUser('everywhere')
  for (const { agent } of [old, own]) await until(() => agent.usersOf('VLESS_A').includes('everywhere'))
  old.agent.transfer('everywhere', 3, 0)
  own.agent.transfer('everywhere', 4, 0)
  await until(async () => (await live.usedBytes(user.uuid)) === 7)
  expect(await Promise.all([old.node, own.node, node].map(kindOf))).toEqual(['secretKey', 'secretKey', 'ownKey'])
})

it('JOIN-008 a node with a secret key joins while its core runs: users stay, and the secret key counts until then', async () => {
  await live.makeUser('staying')
  const { agent, node } = await live.connectedNode()
  await until(() => agent.usersOf('VLESS_A').length === 1)
  const core = agent.core?.id
  const payload = await join(node.uuid)
  expect(await kindOf(node)).toBe('joining')
  await restart(agent, secretKey())
  await live.connected(node.uuid)
  await restart(agent, payload)
  await until(async () => (await kindOf(node)) === 'ownKey')
  await live.connected(node.uuid)
  expect([agent.core?.id, agent.usersOf('VLESS_A')]).toEqual([core, ['staying']])
})

it('JOIN-003 the certificate of a node that makes its keys itself is renewed by its next request', async () => {
  const agent = await live.startAgent({ payload: secretKey() })
  const node = await live.makeNode(agent)
  const keys = await readFleetKeys(live.server.ctx.secrets)
  const first = await makeNodeKey()
  const past = new Date(Date.now() - 3 * YEAR_MS + DAY_MS)
  const old = await signNodeRequest(keys, first.request, node.uuid, past)
  await live.server.ctx.db
    .insertInto('nodeCertificates')
    .values({ fingerprint: old.fingerprint, nodeUuid: node.uuid, signedAt: past, endsAt: old.endsAt })
    .execute()
  const trust = { caCertPem: keys.caCertPem, jwtPublicKey: keys.jwtPublicKeyPem }
  const next = await makeNodeKey()
  agent.forged.set(REQUEST, JSON.stringify({ response: { request: next.request } }))
  agent.forged.set(SIGNED, (body) => {
    agent.show({ ...JSON.parse(body), nodeKeyPem: next.keyPem })
    return JSON.stringify({ response: { isRenewed: true } })
  })
  await restart(agent, { ...trust, nodeCertPem: old.certPem, nodeKeyPem: first.keyPem })
  await until(() => agent.certificate !== old.certPem && agent.certificate !== secretKey().nodeCertPem)
  const { validTo, fingerprint } = describeCertificate(agent.certificate)
  expect(validTo.getTime()).toBeGreaterThan(Date.now() + 2.9 * YEAR_MS)
  const held = await live.server.ctx.db
    .selectFrom('nodes')
    .select(identityOf('nodes.uuid').as('identity'))
    .where('uuid', '=', node.uuid)
    .executeTakeFirstOrThrow()
  expect(held.identity?.fingerprints).toContain(fingerprint)
  expect(agent.callsTo('/node/x/certificate')).toBe(0)
  await live.connected(node.uuid)
})

it('a key that is no request of a node is not signed', async () => {
  const keys = await readFleetKeys(live.server.ctx.secrets)
  const pem = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString()
  await expect(signNodeRequest(keys, pem, 'a', new Date())).rejects.toThrow('This is not a signed request')
})
