import { X509Certificate } from 'node:crypto'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import * as api from '@causeway/contract'
import { fakeAgent } from '../../../test/fake-agent.ts'
import { liveFleet, nodeAt, until } from '../../../test/live-fleet.ts'
import { testServer } from '../../../test/server.ts'
import { openAgents } from '../../ground/agents.ts'
import { authorityValidity, mintAgentPayload, readFleetKeys, validityOf } from '../../ground/fleet-keys.ts'
import { renewAuthority } from './certificates.actions.ts'

const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS
const live = liveFleet()
afterEach(() => {
  live.server.clock.now = undefined
})

/** As if it had been copied to the node so long ago: a day of its three years is left. */
async function oldPayload() {
  return mintAgentPayload(await readFleetKeys(live.server.ctx.secrets), new Date(Date.now() - 3 * YEAR_MS + DAY_MS))
}

const endOf = async (uuid: string) => Date.parse((await live.getNode(uuid)).certificateExpiresAt ?? '')

it('an agent whose certificate ends soon gets another one, and its core and users stay', async () => {
  await live.makeUser('staying')
  const payload = await oldPayload()
  const { agent, node } = await live.connectedNode({ payload })
  const core = agent.core?.id
  await until(() => agent.certificate !== payload.nodeCertPem)
  await until(async () => (await endOf(node.uuid)) === new X509Certificate(agent.certificate).validToDate.getTime())
  expect(await endOf(node.uuid)).toBeGreaterThan(Date.now() + 2.9 * YEAR_MS)
  expect(await live.getNode(node.uuid)).toMatchObject({ isConnected: true, lastStatusMessage: null })
  expect([agent.core?.id, agent.starts, agent.usersOf('VLESS_A')]).toEqual([core, 1, ['staying']])
  expect(agent.callsTo('/node/x/certificate')).toBe(1)
})

it('a young certificate stays, and an agent of generation 2.1 is not asked: its end is told', async () => {
  const young = await live.connectedNode()
  await until(async () => (await endOf(young.node.uuid)) > Date.now() + 2.9 * YEAR_MS)
  const payload = await oldPayload()
  const old = await live.connectedNode({ payload, generation: '2.1' })
  await until(async () => (await endOf(old.node.uuid)) === validityOf(payload.nodeCertPem).validTo.getTime())
  expect([young.agent, old.agent].map((agent) => agent.callsTo('/node/x/certificate'))).toEqual([0, 0])
})

it('an agent that cannot take a certificate goes on with the one it has', async () => {
  const payload = await oldPayload()
  const agent = await live.startAgent({ payload })
  agent.lostReplies.add('/node/x/certificate')
  const node = await live.makeNode(agent)
  await live.connected(node.uuid)
  await until(() => agent.callsTo('/node/x/certificate') === 1)
  const user = await live.makeUser('served')
  await until(() => agent.usersOf('VLESS_A').length === 1)
  agent.transfer('served', 5, 0)
  await until(async () => (await live.usedBytes(user.uuid)) === 5)
})

it('the authority is renewed years before its end with the same key: old and new trust each other both ways', async () => {
  const server = await testServer()
  onTestFinished(() => server.close())
  const { secrets } = server.ctx
  const old = await readFleetKeys(secrets, new Date(Date.now() - 9 * YEAR_MS))
  const before = await fakeAgent(encoded(await mintAgentPayload(old, new Date())))
  const held = openAgents(secrets)
  const asked = (agents: typeof held, port: number) => agents.call(nodeAt(port), api.agentApi.healthcheck, undefined)
  expect(await asked(held, before.port)).toMatchObject({ isAlive: true })
  // Nothing outlives what vouches for it.
  const bounded = validityOf((await mintAgentPayload(old, new Date())).nodeCertPem)
  expect(bounded.validTo).toEqual(authorityValidity(old).validTo)

  await Promise.all([renewAuthority(server.ctx), renewAuthority(server.ctx)])
  const keys = await readFleetKeys(secrets)
  expect(authorityValidity(keys).validTo.getTime()).toBeGreaterThan(Date.now() + 9.9 * YEAR_MS)
  expect([keys.caKeyPem, keys.jwtPublicKeyPem]).toEqual([old.caKeyPem, old.jwtPublicKeyPem])
  const audit = await server.ctx.db.selectFrom('auditLog').select('id').where('action', '=', 'renewAuthority').execute()
  expect(audit).toHaveLength(1)

  const after = await fakeAgent(encoded(await mintAgentPayload(keys, new Date())))
  const renewed = openAgents(secrets)
  for (const agents of [held, renewed]) {
    for (const agent of [before, after]) expect(await asked(agents, agent.port)).toMatchObject({ isAlive: true })
    await agents.close()
  }
  await Promise.all([before.close(), after.close()])
})

it('certificates are dated back by a day, and an authority made by a clock that was ahead is renewed', async () => {
  const server = await testServer()
  onTestFinished(() => server.close())
  const { secrets } = server.ctx
  const now = Date.now()
  const ahead = await readFleetKeys(secrets, new Date(now + 370 * DAY_MS))
  expect(authorityValidity(ahead).validFrom.getTime()).toBeGreaterThan(now + 368 * DAY_MS)
  await renewAuthority(server.ctx)
  const keys = await readFleetKeys(secrets)
  const payload = await mintAgentPayload(keys, new Date())
  for (const pem of [keys.caCertPem, keys.clientCertPem, payload.nodeCertPem])
    expect(Math.abs(validityOf(pem).validFrom.getTime() - (now - DAY_MS))).toBeLessThan(60_000)
})

function encoded(payload: object): string {
  return Buffer.from(JSON.stringify(payload)).toString('base64')
}
