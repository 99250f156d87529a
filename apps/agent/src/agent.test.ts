import { AGENT_CAPABILITIES, agentApi, type CoreSample } from '@causeway/contract/agent'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Authority, makeAuthority } from '../test/authority.ts'
import { AgentClient, startHeaders } from '../test/client.ts'
import { engine } from '../test/engine.ts'
import { addBody, ALICE, BOB, freePorts, hashesOf, nodeConfig, type NodePorts, until } from '../test/node.ts'
import { firstAnswer, sendBytes } from '../test/traffic.ts'
import { type Agent, startAgent } from './agent.ts'

/** Cores are started, perhaps on a machine with much else to do. */
vi.setConfig({ testTimeout: 180_000 })

const DAY_MS = 24 * 3600 * 1000
const log = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' })

describe.skipIf(!engine.xray)('an agent with the real Xray', () => {
  let authority: Authority
  let folder: string
  let ports: NodePorts & { agent: number; api: number; vision: number }
  let agent: Agent
  let client: AgentClient

  const open = async (payload = authority.payload) => {
    agent = await startAgent(
      {
        port: ports.agent,
        payload,
        xray: engine.xray ?? '',
        apiPort: ports.api,
        visionPort: ports.vision,
        folder,
        logLevel: 'silent',
        isHashCheckDisabled: false,
        isCoreEndedOnExit: false,
      },
      log,
    )
  }
  const coreProcess = async () => {
    const names = await readdir('/proc')
    for (const name of names.filter((text) => /^\d+$/.test(text))) {
      const line = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
      if (line.includes(path.join(folder, 'config-'))) return Number(name)
    }
    return undefined
  }
  const killCore = async () => {
    const pid = await coreProcess()
    if (pid === undefined) throw new Error('there is no core to kill')
    process.kill(pid, 'SIGKILL')
  }
  const start = (users = [ALICE]) => client.start(nodeConfig(ports, users), hashesOf(users))
  const namesIn = async (tag: string) =>
    (await client.call(agentApi.getInboundUsers, { tag })).users.map(({ username }) => username).toSorted()

  beforeAll(async () => {
    authority = await makeAuthority()
  })
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'causeway-agent-'))
    const [agentPort = 0, api = 0, vision = 0, vless = 0, trojan = 0, shadowsocks = 0] = await freePorts(6)
    ports = { agent: agentPort, api, vision, vless, trojan, shadowsocks }
    client = new AgentClient(authority, ports.agent)
    await open()
  })
  afterEach(async () => {
    await agent.core.exclusive(() => agent.core.stop())
    await agent.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('lets nobody who comes through the core to what listens for the agent alone', async () => {
    await start()
    await sendBytes(ports)
    for (const host of ['127.0.0.1', 'localhost'] as const) {
      expect(await firstAnswer(ports, host, ports.api, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0')).toBe('')
      expect(await firstAnswer(ports, host, ports.vision, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')).toBe('')
    }
  })

  it('starts a core and tells of it', async () => {
    const before = await client.call(agentApi.healthcheck)
    expect(before).toMatchObject({
      isAlive: true,
      xrayInternalStatusCached: false,
      capabilities: AGENT_CAPABILITIES.filter((name) => name !== 'updates'),
    })
    const reply = await start()
    expect(reply).toMatchObject({ isStarted: true, error: null, version: before.xrayVersion })
    expect(reply.systemInformation?.cpuCores).toBeGreaterThan(0)
    expect(await client.call(agentApi.status)).toEqual({ isRunning: true, version: before.xrayVersion })
    const core = await client.call(agentApi.getCore)
    expect(core).toMatchObject({ status: 'running', coreId: reply.coreId, restarts: 0, lastError: null })
    expect(core.hashes).toEqual(hashesOf([ALICE]))
    expect((await client.call(agentApi.getSystemStats)).coreId).toBe(reply.coreId)
  })

  it('keeps credentials of users from other accounts of the machine', async () => {
    await start()
    const names = await readdir(folder)
    const open = await Promise.all(names.map(async (name) => ((await stat(path.join(folder, name))).mode & 0o077 ? [name] : [])))
    expect(names.length).toBeGreaterThan(3)
    expect(open.flat()).toEqual([])
  })

  it('changes nothing when a start request says what runs already', async () => {
    const { coreId } = await start()
    const pid = await coreProcess()
    expect((await start()).coreId).toBe(coreId)
    expect(await coreProcess()).toBe(pid)
  })

  it.each([
    ['another profile', () => client.start(nodeConfig(ports, [ALICE]), hashesOf([ALICE], 'profile-2'))],
    ['other users', () => start([ALICE, BOB])],
    ['force', () => client.start(nodeConfig(ports, [ALICE]), hashesOf([ALICE]), true)],
  ])('starts a new core for %s', async (_, again) => {
    const first = await start()
    const second = await again()
    expect(second).toMatchObject({ isStarted: true })
    expect(second.coreId).not.toBe(first.coreId)
  })

  it('adds and removes users without a restart, and a start that then matches changes nothing', async () => {
    const { coreId } = await start()
    expect(await client.call(agentApi.addUser, addBody(BOB))).toEqual({ success: true, error: null, failures: [] })
    for (const tag of ['VLESS_A', 'TROJAN_B', 'SS_C']) expect(await namesIn(tag)).toEqual(['alice', 'bob'])
    expect(await client.call(agentApi.getInboundUsersCount, { tag: 'SS_C' })).toEqual({ count: 2 })
    expect((await client.call(agentApi.getInboundUsers, { tag: 'VLESS_A' })).users).toContainEqual({
      username: 'bob',
      email: 'bob',
      level: 0,
      uuid: BOB.uuid,
      flow: '',
    })
    expect((await start([ALICE, BOB])).coreId).toBe(coreId)

    const removal = { username: 'alice', hashData: { vlessUuid: ALICE.uuid } }
    expect(await client.call(agentApi.removeUser, removal)).toMatchObject({ success: true, failures: [] })
    expect(await namesIn('TROJAN_B')).toEqual(['bob'])
    expect((await start([BOB])).coreId).toBe(coreId)
  })

  it('takes away what an add request leaves out', async () => {
    await start()
    const { data, hashData } = addBody(ALICE)
    await client.call(agentApi.addUser, { data: data.slice(0, 1), hashData })
    expect(await namesIn('VLESS_A')).toEqual(['alice'])
    expect(await namesIn('TROJAN_B')).toEqual([])
    expect((await client.call(agentApi.getCore)).hashes?.inbounds.map(({ tag }) => tag)).toEqual(['VLESS_A'])
  })

  it('re-keys a user whose UUID was revoked', async () => {
    const { coreId } = await start()
    const renewed = { name: 'alice', uuid: BOB.uuid }
    const { data } = addBody(renewed)
    await client.call(agentApi.addUser, { data, hashData: { vlessUuid: BOB.uuid, prevVlessUuid: ALICE.uuid } })
    expect((await start([renewed])).coreId).toBe(coreId)
  })

  it('reports the inbounds that did not take a user', async () => {
    await start([])
    const { data, hashData } = addBody(ALICE)
    const missing = data.map((access) => ({ ...access, tag: `${access.tag}_GONE` }))
    const none = await client.call(agentApi.addUser, { data: missing, hashData })
    expect(none.success).toBe(false)
    expect(none.error).toContain('VLESS_A_GONE')
    const some = await client.call(agentApi.addUser, { data: [...data, ...missing], hashData })
    expect(some).toMatchObject({ success: true, error: null })
    expect(some.failures?.map(({ tag }) => tag).toSorted()).toEqual(['SS_C_GONE', 'TROJAN_B_GONE', 'VLESS_A_GONE'])
    const ignored = { type: 'http' as const, tag: 'VLESS_A', username: 'x', http_username: 'x', http_password: 'y' }
    expect(await client.call(agentApi.addUser, { data: [ignored], hashData })).toMatchObject({ success: false, error: null })
  })

  it('changes many users in one call', async () => {
    await start()
    const users = Array.from({ length: 300 }, (_, index) => ({
      name: `user${index}`,
      uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    }))
    const added = await client.call(agentApi.changeUsers, {
      changes: users.map((user) => ({ kind: 'add' as const, ...addBody(user) })),
    })
    expect(added.results).toHaveLength(300)
    expect(added.results.every(({ success }) => success)).toBe(true)
    expect(await client.call(agentApi.getInboundUsersCount, { tag: 'TROJAN_B' })).toEqual({ count: 301 })
    const { hashes } = await client.call(agentApi.getCore)
    expect(hashes?.inbounds).toEqual(expect.arrayContaining(hashesOf([ALICE, ...users]).inbounds))
  })

  it('starts a killed core again with the users added live, and hands over what the killed one counted', async () => {
    const first = await start()
    await client.call(agentApi.addUser, addBody(BOB))
    await sendBytes(ports)
    const sampled = await client.call(agentApi.takeSample, {})
    expect(sampled.current).toMatchObject({ coreId: first.coreId, users: [{ username: 'alice' }] })
    await sendBytes(ports)
    const counted = await until('the last bytes are sampled', async () => {
      const { current } = await client.call(agentApi.takeSample, {})
      return current !== null && uplinkOf(current) > uplinkOf(sampled.current) && current
    })

    await killCore()
    const core = await until('the core is back', async () => {
      const state = await client.call(agentApi.getCore)
      return state.status === 'running' && state.coreId !== first.coreId && state
    })
    expect(core).toMatchObject({ restarts: 1, endedCores: [first.coreId] })
    expect(await namesIn('SS_C')).toEqual(['alice', 'bob'])
    expect((await start([ALICE, BOB])).coreId).toBe(core.coreId)

    const after = await client.call(agentApi.takeSample, {})
    expect(after.current?.coreId).toBe(core.coreId)
    expect(after.ended).toMatchObject([{ coreId: first.coreId, users: counted.users }])
    const acknowledged = await client.call(agentApi.takeSample, { acknowledged: [first.coreId ?? '', core.coreId ?? ''] })
    expect(acknowledged.ended).toEqual([])
    expect((await client.call(agentApi.getCore)).endedCores).toEqual([])
  })

  it('takes up its running core after its own restart, with the users added live', async () => {
    const first = await start()
    await client.call(agentApi.addUser, addBody(BOB))
    const pid = await coreProcess()
    await agent.stop()
    expect(await coreProcess()).toBe(pid)
    await open()
    expect(await coreProcess()).toBe(pid)
    expect(await client.call(agentApi.getCore)).toMatchObject({ status: 'running', coreId: first.coreId })
    expect((await start([ALICE, BOB])).coreId).toBe(first.coreId)
    await client.call(agentApi.removeUser, { username: 'alice', hashData: { vlessUuid: ALICE.uuid } })
    expect(await namesIn('VLESS_A')).toEqual(['bob'])
  })

  it('starts the wanted core when it died while the agent was away', async () => {
    const first = await start()
    await client.call(agentApi.addUser, addBody(BOB))
    await agent.stop()
    await killCore()
    await open()
    const core = await until('a new core runs', async () => {
      const state = await client.call(agentApi.getCore)
      return state.status === 'running' && state
    })
    expect(core.coreId).not.toBe(first.coreId)
    expect(await namesIn('VLESS_A')).toEqual(['alice', 'bob'])
  })

  it('ends the core only when told, and forgets its config', async () => {
    const { coreId } = await start()
    await sendBytes(ports)
    expect(await client.call(agentApi.stop)).toEqual({ isStopped: true })
    expect(await coreProcess()).toBeUndefined()
    expect(await client.call(agentApi.getCore)).toMatchObject({ status: 'stopped', hashes: null, endedCores: [coreId] })
    expect((await readdir(folder)).filter((name) => name.startsWith('config-'))).toEqual([])
    expect((await client.raw('GET', '/node/stats/get-system-stats')).body).toMatchObject({ errorCode: 'A010' })
    await agent.stop()
    await open()
    expect(await client.call(agentApi.status)).toEqual({ isRunning: false, version: null })
  })

  it('keeps the core running when Xray refuses the next config, and says why', async () => {
    const { coreId } = await start()
    const refused = await client.start(
      { ...nodeConfig(ports, []), outbounds: [{ protocol: 'nonsense' }] },
      hashesOf([], 'profile-2'),
    )
    expect(refused).toMatchObject({ isStarted: false, coreId })
    expect(refused.error).toMatch(/nonsense.*The configuration before it keeps running\.$/)
    expect(await client.call(agentApi.getCore)).toMatchObject({ status: 'running', coreId, hashes: hashesOf([ALICE]) })
  })

  it('goes back to the config before when the next one passes the check but cannot run', async () => {
    await start()
    await client.call(agentApi.addUser, addBody(BOB))
    const taken = net.createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const address = taken.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    const refused = await client.start(nodeConfig({ ...ports, vless: port }, []), hashesOf([], 'profile-2'))
    taken.close()
    expect(refused.isStarted).toBe(false)
    expect(refused.error).toContain('address already in use')
    expect(await namesIn('VLESS_A')).toEqual(['alice', 'bob'])
  })

  it('says what is wrong with a first config that cannot run, and stays stopped', async () => {
    const refused = await client.start({ inbounds: [{ tag: 'X', protocol: 'nope', port: 1 }] }, hashesOf([]))
    expect(refused).toMatchObject({ isStarted: false, coreId: null })
    expect(refused.error).toContain('nope')
    expect(await client.call(agentApi.getCore)).toMatchObject({ status: 'stopped', lastError: refused.error })
  })

  it('refuses a second start while one is running, and only that', async () => {
    const held = Promise.withResolvers<void>()
    const work = agent.core.exclusive(() => held.promise)
    // However far apart the requests arrive, the first cannot be done before the other two were answered.
    const starts = [start(), start([ALICE, BOB]), start([BOB])]
    const refused: string[] = []
    for (const reply of starts) void reply.then(({ error }) => error !== null && refused.push(error))
    await until('two are refused', () => refused.length === 2)
    held.resolve()
    await work
    const replies = await Promise.all(starts)
    expect(replies.filter(({ isStarted }) => isStarted)).toHaveLength(1)
    expect(refused).toEqual(['Request already in progress', 'Request already in progress'])
    expect((await start([ALICE])).isStarted).toBe(true)
  })

  it('refuses a start without readable hashes', async () => {
    for (const headers of [{}, { 'x-hash-payload': 'bm9uc2Vuc2U=' }, startHeaders({ emptyConfig: '', inbounds: [] })]) {
      const { status, body } = await client.raw('POST', '/node/xray/start', { body: nodeConfig(ports, []), headers })
      expect(status).toBe(201)
      const isReadable = 'x-force-restart' in headers
      expect(body).toMatchObject({ response: { isStarted: isReadable, ...(!isReadable && { version: null }) } })
    }
  })

  it('reads and clears the counters of the 2.1 routes', async () => {
    await start()
    await sendBytes(ports)
    const { users } = await client.call(agentApi.getUsersStats, { reset: true })
    expect(users).toEqual([{ username: 'alice', uplink: expect.any(Number), downlink: expect.any(Number) }])
    expect(await client.call(agentApi.getUsersStats, { reset: false })).toEqual({ users: [] })
    const { inbounds } = await client.call(agentApi.getAllInboundsStats, { reset: false })
    expect(inbounds.map(({ inbound }) => inbound).toSorted()).toEqual(['SS_C', 'TROJAN_B', 'VLESS_A'])
    const { outbounds } = await client.call(agentApi.getAllOutboundsStats, { reset: false })
    expect(outbounds.map(({ outbound }) => outbound).toSorted()).toEqual(['BLOCK', 'CAUSEWAY_CLOSED', 'DIRECT'])
    const vless = await client.call(agentApi.getInboundStats, { tag: 'VLESS_A', reset: false })
    expect(vless).toEqual(inbounds.find(({ inbound }) => inbound === 'VLESS_A'))
    expect(await client.call(agentApi.getOutboundStats, { tag: 'DIRECT', reset: false })).toMatchObject({ outbound: 'DIRECT' })
    expect((await client.raw('POST', '/node/stats/get-inbound-stats', { body: { tag: 'A', reset: false } })).body).toMatchObject({
      errorCode: 'A012',
      path: '/node/stats/get-inbound-stats',
    })
    expect(await client.call(agentApi.getUserOnlineStatus, { username: 'nobody' })).toEqual({ isOnline: false })
  })

  it("keeps the administrator's policy and adds the switches of the counters", async () => {
    await start()
    const [name = ''] = (await readdir(folder)).filter((text) => text.startsWith('config-'))
    expect(JSON.parse(await readFile(path.join(folder, name), 'utf8'))).toMatchObject({
      policy: { levels: { 0: { connIdle: 123, statsUserUplink: true } }, system: { statsOutboundDownlink: true } },
      api: { listen: `127.0.0.1:${ports.api}` },
    })
  })

  it('shuts an address out and lets it in again when a program on the node asks for it', async () => {
    const ask = async (what: string, ip: string) => {
      const response = await fetch(`http://127.0.0.1:${ports.vision}/vision/${what}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ip, username: 'alice' }),
      })
      return { status: response.status, body: await response.json() }
    }
    const done = { status: 201, body: { response: { success: true, error: null } } }
    expect(await ask('block-ip', '127.0.0.1')).toMatchObject({ body: { response: { error: 'Xray is not running.' } } })
    await start()
    await sendBytes(ports)
    expect(await ask('block-ip', '127.0.0.1')).toEqual(done)
    expect(await ask('block-ip', '127.0.0.1')).toEqual(done)
    await expect(sendBytes(ports)).rejects.toThrow(/ended after 0 bytes|ECONNRESET|EPIPE/)
    expect(await ask('unblock-ip', '127.0.0.1')).toEqual(done)
    await sendBytes(ports)
    expect(await ask('block-ip', 'nonsense')).toMatchObject({ body: { response: { success: false } } })
    expect((await fetch(`http://127.0.0.1:${ports.vision}/node/xray/healthcheck`)).status).toBe(404)
  })

  it.each([
    ['ends soon', 30],
    ['has ended', -1],
  ])('warns at its start and every day when its certificate %s', async (words, days) => {
    await agent.stop()
    const { payload } = await makeAuthority({ nodeEndsAt: new Date(Date.now() + days * DAY_MS) })
    const warnings: string[] = []
    const intervals = vi.spyOn(globalThis, 'setInterval')
    vi.spyOn(log, 'warn').mockImplementation((_, text?: string) => void warnings.push(text ?? ''))
    await open(payload)
    intervals.mock.calls.find(([, periodMs]) => periodMs === DAY_MS)?.[0]()
    vi.restoreAllMocks()
    expect(warnings).toEqual([expect.stringContaining(words), expect.stringContaining(words)])
  })

  it('does not mistake another program on its API port for its core', async () => {
    const taken = net.createServer().listen(ports.api, '127.0.0.1')
    const refused = await start()
    taken.close()
    expect(refused.isStarted).toBe(false)
    expect(refused.error).toContain(`Port ${ports.api}`)
  })
})

function uplinkOf(sample: CoreSample | null): number {
  return sample?.users.find(({ username }) => username === 'alice')?.uplink ?? 0
}
