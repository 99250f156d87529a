import { agentApi } from '@causeway/contract/agent'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeAuthority } from '../../../test/authority.ts'
import { AgentClient } from '../../../test/client.ts'
import { engine } from '../../../test/engine.ts'
import { ALICE, BOB, freePorts, hashesOf, nodeConfig, type NodePorts, until } from '../../../test/node.ts'
import { stayConnected } from '../../../test/traffic.ts'
import { type Agent, startAgent } from '../../agent.ts'

/** A core is started, perhaps on a machine with much else to do. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

// Addresses of this machine: the core counts no connection from 127.0.0.1.
const [HOME, PHONE, OFFICE] = ['127.0.0.21', '127.0.0.22', '127.0.0.23'] as const

describe.skipIf(!engine.xray)('connections of the real Xray', () => {
  let ports: NodePorts
  let folder: string
  let agent: Agent
  let client: AgentClient
  let echoPort = 0
  const echo = net.createServer((socket) => {
    socket.on('error', () => socket.destroy()) // its core side may be ended by force
    socket.pipe(socket)
  })
  const open: net.Socket[] = []
  const connect = async (username: string, from: string) => {
    const socket = await stayConnected(ports, username, from, echoPort)
    socket.on('error', () => {}) // those that are dropped are reset
    open.push(socket)
    return socket
  }

  beforeAll(async () => {
    const authority = await makeAuthority()
    folder = await mkdtemp(path.join(os.tmpdir(), 'causeway-agent-'))
    const [port = 0, apiPort = 0, vless = 0, trojan = 0, shadowsocks = 0] = await freePorts(5)
    ports = { vless, trojan, shadowsocks }
    const config = { port, payload: authority.payload, xray: engine.xray ?? '', apiPort, visionPort: undefined, folder }
    agent = await startAgent(
      { ...config, logLevel: 'silent', isHashCheckDisabled: false, isCoreEndedOnExit: false },
      pino({ level: 'silent' }),
    )
    client = new AgentClient(authority, port)
    await client.start(openToAll(nodeConfig(ports, [ALICE, BOB])), hashesOf([ALICE, BOB]))
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
    const address = echo.address()
    echoPort = address !== null && typeof address === 'object' ? address.port : 0
  })
  afterEach(() => open.splice(0).forEach((socket) => socket.destroy()))
  afterAll(async () => {
    await agent.core.exclusive(() => agent.core.stop())
    await agent.stop()
    echo.close()
    await rm(folder, { recursive: true, force: true })
  })

  const connected = async (usernames?: string[]) => {
    const { users } = await client.call(agentApi.readConnections, usernames ? { usernames } : {})
    return Object.fromEntries(users.map(({ username, ips }) => [username, ips.map(({ ip }) => ip).toSorted()]))
  }

  it('WIRE-012 the agent reads from the core who is connected from where, and forgets it when they leave', async () => {
    const before = Date.now()
    await Promise.all([connect('alice', HOME), connect('alice', PHONE), connect('bob', OFFICE)])
    expect(await connected()).toEqual({ alice: [HOME, PHONE], bob: [OFFICE] })
    expect(await connected(['bob', 'nobody'])).toEqual({ bob: [OFFICE] })
    const { users } = await client.call(agentApi.readConnections, { usernames: ['bob'] })
    const lastSeen = Date.parse(users[0]?.ips[0]?.lastSeen ?? '')
    expect(Math.abs(lastSeen - before)).toBeLessThan(20_000)
    open.splice(0).forEach((socket) => socket.destroy())
    await until('nobody is connected', async () => Object.keys(await connected()).length === 0)
  })

  it('WIRE-012 drops connections of a user and of an address, and no others', async () => {
    const ended = (socket: net.Socket) => until('it has ended', () => socket.destroyed)
    const [home, phone] = [await connect('alice', HOME), await connect('alice', PHONE)]
    const office = await connect('bob', OFFICE)
    // Of an address that is dropped, but not with the core: as a shell of its administrator.
    const shell = net.connect({ port: echoPort, host: '127.0.0.1', localAddress: HOME })
    open.push(shell)
    await new Promise<void>((resolve) => shell.once('connect', () => resolve()))
    expect(await client.call(agentApi.dropConnections, { usernames: ['alice', 'nobody'] })).toEqual({ closed: 2, error: null })
    await Promise.all([ended(home), ended(phone)])
    await until('alice is gone', async () => Object.keys(await connected()).join() === 'bob')
    expect([office.destroyed, shell.destroyed]).toEqual([false, false])
    expect(await client.call(agentApi.dropConnections, { ips: [OFFICE, HOME, '2001:db8::1'] })).toEqual({
      closed: 1,
      error: null,
    })
    await ended(office)
    expect(shell.destroyed).toBe(false)
    // She may come again.
    const again = await connect('alice', HOME)
    expect(again.destroyed).toBe(false)
  })

  it('PLUG-001 ends connections to the inbounds that a user has lost, and leaves those to others', async () => {
    await until('nobody is connected', async () => Object.keys(await connected()).length === 0)
    const [home, office] = [await connect('alice', HOME), await connect('bob', OFFICE)]
    const cut = (tags: string[] | null) => client.call(agentApi.cutConnections, { cuts: [{ username: 'alice', tags }] })
    expect(await cut(['VLESS_A', 'SS_C'])).toEqual({ closed: 0, error: null })
    expect(home.destroyed).toBe(false)
    expect(await cut(['TROJAN_B'])).toEqual({ closed: 1, error: null })
    await until('it has ended', () => home.destroyed)
    const again = await connect('alice', PHONE)
    expect(await cut(null)).toEqual({ closed: 1, error: null })
    await until('it has ended', () => again.destroyed)
    expect(office.destroyed).toBe(false)
  })

  it('WIRE-012 refuses what is no address', async () => {
    const answer = await client.raw('POST', '/node/x/connections/drop', { body: { ips: ['127.0.0.1 or sport = :22'] } })
    expect(answer.status).toBe(400)
  })
})

/** Inbounds on the loopback address count as filled by others of the machine. */
function openToAll(config: Record<string, unknown>) {
  const inbounds = config['inbounds'] as Record<string, unknown>[] // as the test writes them
  return { ...config, inbounds: inbounds.map((inbound) => ({ ...inbound, listen: '0.0.0.0' })) }
}
