import { randomUUID, sign, X509Certificate } from 'node:crypto'
import http from 'node:http'
import { connect, type Socket } from 'node:net'
import * as api from '@causeway/contract'
import type { AgentPayload } from '@causeway/contract'
import { afterEach, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { FakeAgent } from '../../../test/fake-agent.ts'
import { liveFleet, until } from '../../../test/live-fleet.ts'
import { makeNodeKey } from '../../../test/node-keys.ts'

// An agent that cannot be called holds the connections itself.

const live = liveFleet()
let origin: string
beforeAll(async () => {
  origin = await live.server.app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(() => {
  live.server.clock.now = undefined
})

interface Calling {
  node: api.Node
  agent: FakeAgent
  payload: AgentPayload
}

let count = 0

/** A node at an address that leads nowhere, and its agent. */
async function joined(isCalling = true): Promise<Calling> {
  const secretKey = api.agentPayload.parse(JSON.parse(Buffer.from(live.pubKey, 'base64').toString()))
  const agent = await live.startAgent({ payload: secretKey })
  const node = await live.makeNode(agent, isCalling ? { address: `nowhere-${++count}.invalid` } : {})
  const { code } = await live.server.call(api.makeJoinCode, { uuid: node.uuid, isCalling })
  const { keyPem: nodeKeyPem, request } = await makeNodeKey()
  const { body } = await live.server.send('POST', `/join/${code}/certificate`, { request }, {})
  const payload = { ...(body as { response: Omit<AgentPayload, 'nodeKeyPem'> }).response, nodeKeyPem } // as the agent checks it
  const { port } = agent
  await agent.close()
  agent.show(payload)
  await agent.listen(port)
  await live.server.send('POST', `/join/${code}/progress`, { step: 'installed' }, {})
  return { node, agent, payload }
}

interface Shown {
  at?: number
  run?: string
  upgrade?: string
  uuid?: string
}

/** The call of an agent; gives the status and what was said, or the connection. */
function dial({ node, payload }: Calling, { at = Date.now(), run = 'one', upgrade, uuid = node.uuid }: Shown = {}) {
  const signature = sign('sha256', Buffer.from(api.linkProofText(uuid, at)), payload.nodeKeyPem)
  const certificate = new X509Certificate(payload.nodeCertPem).raw.toString('base64url')
  const authorization = `${api.LINK_SCHEME} ${certificate}.${at}.${signature.toString('base64url')}`
  const headers = { connection: 'Upgrade', upgrade: upgrade ?? api.LINK_PROTOCOL, authorization, [api.LINK_RUN_HEADER]: run }
  return new Promise<{ status: number; said: string; socket?: Socket }>((resolve, reject) => {
    const request = http.get(`${origin}${api.LINK_PATH}/${uuid}`, { headers, agent: false })
    request.once('error', reject)
    request.once('upgrade', ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
      // The server may have begun to ask already.
      if (head.length > 0) socket.unshift(head)
      resolve({ status: statusCode, said: '', socket })
    })
    request.once('response', (response) => {
      let said = ''
      response.on('data', (piece: Buffer) => (said += piece.toString()))
      response.once('end', () => resolve({ status: response.statusCode ?? 0, said }))
    })
  })
}

/** Holds a connection that leads to the agent, and another one as soon as that is used. */
async function hold(calling: Calling, run?: string): Promise<void> {
  const { socket } = await dial(calling, run === undefined ? {} : { run })
  if (!socket) throw new Error('it was refused')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.once('data', (first: Buffer) => {
    const agent = connect({ port: calling.agent.port, host: '127.0.0.1' })
    agent.on('error', () => socket.destroy())
    agent.write(first)
    socket.pipe(agent).pipe(socket)
    void hold(calling, run).catch(() => {})
  })
}

const joinOf = ({ node }: Calling) => live.server.call(api.getNodeJoin, { uuid: node.uuid })

it('JOIN-006 a node that cannot be called says so until its agent calls, and is reached over the connection that it holds', async () => {
  const calling = await joined()
  await until(async () => (await joinOf(calling)).join?.unreached === 'notCalling')
  expect((await joinOf(calling)).identity.isCalling).toBe(true)
  const called = await joined(false)
  await live.connected(called.node.uuid)
  await hold(calling)
  await live.connected(calling.node.uuid)
  await live.makeUser('over-the-link')
  for (const { agent } of [calling, called]) await until(() => agent.usersOf('VLESS_A').length === 1)
  expect((await joinOf(called)).identity.isCalling).toBe(false)
  // Another line goes on as before, unless it is told otherwise.
  const { url } = await live.server.call(api.makeJoinCode, { uuid: calling.node.uuid })
  const { body } = await live.server.send('GET', new URL(url, origin).pathname, undefined, {})
  expect(body).toContain("\nCALLS='true'\n")
})

it('JOIN-004 a connection is held by the key of its node alone: others, revoked ones and guesses get 404, and clocks are told', async () => {
  const [calling, other, called] = [await joined(), await joined(), await joined(false)]
  for (const [who, shown] of [
    [other, { uuid: calling.node.uuid }],
    [{ ...calling, payload: { ...calling.payload, nodeKeyPem: other.payload.nodeKeyPem } }, {}],
    [called, {}],
    [calling, { uuid: randomUUID() }],
  ] as [Calling, Shown][])
    expect((await dial(who, shown)).status).toBe(404)
  expect((await live.server.send('GET', `${api.LINK_PATH}/${calling.node.uuid}`, undefined, {})).status).toBe(404)
  const late = await dial(calling, { at: Date.now() - 11 * 60_000 })
  expect([late.status, late.said]).toEqual([412, expect.stringContaining('The clock of this machine')])
  // As a proxy leaves it that does not pass the header on.
  const plain = await dial(calling, { upgrade: 'h2c' })
  expect([plain.status, plain.said]).toEqual([426, expect.stringContaining('pass Upgrade and Connection on')])
  await live.server.call(api.revokeNodeCertificate, { uuid: calling.node.uuid })
  expect((await dial(calling)).status).toBe(404)
  expect((await dial(other)).status).toBe(101)
})

it('a copy of a machine is told, is not admitted, and the node goes on; an agent that starts anew takes its place', async () => {
  const calling = await joined()
  await hold(calling, 'first')
  await live.connected(calling.node.uuid)
  const warning = async () => (await live.getNode(calling.node.uuid)).warning
  expect((await dial(calling, { run: 'copy' })).status).toBe(409)
  expect(await warning()).toBeNull()
  await hold(calling, 'first')
  const refused = await dial(calling, { run: 'copy' })
  expect([refused.status, refused.said]).toEqual([409, expect.stringContaining('copy of its disk')])
  expect(await warning()).toContain('A second machine calls with the identity of this node')
  expect(await live.getNode(calling.node.uuid)).toMatchObject({ isConnected: true })

  const again = await joined()
  const { socket } = await dial(again, { run: 'first' })
  socket?.destroy()
  await until(async () => (await dial(again, { run: 'second' })).status === 101)
  expect((await live.getNode(again.node.uuid)).warning).toBeNull()
})
