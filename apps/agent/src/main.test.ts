import { agentApi } from '@causeway/contract/agent'
import { HashedSet } from '@causeway/xray'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Authority, makeAuthority, secretKey } from '../test/authority.ts'
import { AgentClient } from '../test/client.ts'
import { engine } from '../test/engine.ts'
import { addBody, ALICE, BOB, freePorts, hashesOf, nodeConfig, type NodePorts, until } from '../test/node.ts'
import { sendBytes } from '../test/traffic.ts'
import { strayProcesses } from './xray/process.ts'

/** Whole processes are started, perhaps on a machine with much else to do. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let authority: Authority
let folder: string
let ports: NodePorts & { agent: number; api: number }
let agent: { process: ChildProcess; output: () => string }
let client: AgentClient

const launch = (settings: Record<string, string> = {}) => {
  let output = ''
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts')], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, '../../../node_modules/.cache/node'),
      NODE_PORT: String(ports.agent),
      XTLS_PORT: String(ports.api),
      SECRET_KEY: secretKey(authority.payload),
      XRAY_BIN: engine.xray,
      DATA_DIR: folder,
      ...settings,
    },
  })
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  child.stderr.on('data', (part: Buffer) => (output += part.toString()))
  return { process: child, output: () => output }
}

beforeAll(async () => {
  authority = await makeAuthority()
})
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'causeway agent-')) // a path with a space
  const [agentPort = 0, api = 0, vless = 0, trojan = 0, shadowsocks = 0] = await freePorts(5)
  ports = { agent: agentPort, api, vless, trojan, shadowsocks }
  client = new AgentClient(authority, ports.agent)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe.skipIf(!engine.xray)('the agent as a process', () => {
  const launchReady = async (settings?: Record<string, string>) => {
    agent = launch(settings)
    await until('agent ready', () => agent.output().includes('agent ready'))
  }
  const end = async (signal: NodeJS.Signals) => {
    agent.process.kill(signal)
    if (agent.process.exitCode === null && agent.process.signalCode === null) await once(agent.process, 'exit')
  }
  const cores = () => strayProcesses(path.join(folder, 'config-'), undefined)
  const start = (users = [ALICE]) => client.start(nodeConfig(ports, users), hashesOf(users))

  beforeEach(() => launchReady())
  afterEach(async () => {
    await client.call(agentApi.stop).catch(() => undefined)
    await end('SIGTERM')
  })

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'leaves its core serving when ended with %s, and takes it up again',
    async (signal) => {
      const first = await start()
      await client.call(agentApi.addUser, addBody(BOB))
      await end(signal)
      await sendBytes(ports)
      await launchReady()
      const core = await client.call(agentApi.getCore)
      expect(core).toMatchObject({ status: 'running', coreId: first.coreId, restarts: 0 })
      expect((await start([ALICE, BOB])).coreId).toBe(first.coreId)
      const { current } = await client.call(agentApi.takeSample, {})
      expect(current?.users.find(({ username }) => username === 'alice')?.uplink).toBe(100_000)
    },
  )

  it('hands over what a core counted that was killed together with the agent', async () => {
    const first = await start()
    await sendBytes(ports)
    const { current } = await client.call(agentApi.takeSample, {})
    const { pid } = agent.process
    const core = /"pid":(\d+),"msg":"the core runs"/.exec(agent.output())?.[1]
    if (pid === undefined || core === undefined) throw new Error('both processes have a number')
    process.kill(Number(core), 'SIGKILL')
    await end('SIGKILL')
    await launchReady()
    await until('the core is back', async () => (await client.call(agentApi.getCore)).status === 'running')
    const after = await client.call(agentApi.takeSample, {})
    expect(after.ended).toMatchObject([{ coreId: first.coreId, users: current?.users, outbounds: current?.outbounds }])
    expect(after.current?.coreId).not.toBe(first.coreId)
  })

  it('keeps its word about every user, whenever it or its core is killed', async () => {
    await start([])
    /** What the agent said yes to last: the user's UUID, or null once removed. */
    const promised = new Map<string, string | null>()
    for (const victims of ['agent', 'core', 'both', 'agent', 'both'] as const) {
      let isGoing = true
      const work = (async () => {
        for (let turn = 0; isGoing; turn += 1) {
          const user = { name: `user${turn % 20}`, uuid: randomUUID() }
          const isAdded = turn % 3 > 0
          promised.delete(user.name)
          const reply = await (
            isAdded
              ? client.call(agentApi.addUser, addBody(user))
              : client.call(agentApi.removeUser, { username: user.name, hashData: { vlessUuid: user.uuid } })
          ).catch(() => undefined)
          if (reply?.success && reply.failures?.length === 0) promised.set(user.name, isAdded ? user.uuid : null)
        }
      })()
      await until('some are promised', () => promised.size > 10)
      if (victims !== 'agent') for (const { pid } of cores()) process.kill(pid, 'SIGKILL')
      if (victims !== 'core') await end('SIGKILL')
      isGoing = false
      await work
      if (victims !== 'core') await launchReady()
      await until('the core answers', () => client.call(agentApi.getSystemStats).catch(() => undefined))
      const { users } = await client.call(agentApi.getInboundUsers, { tag: 'VLESS_A' })
      const has = new Map(users.map(({ username, uuid }) => [username, uuid]))
      expect([...promised].map(([name]) => [name, has.get(name) ?? null])).toEqual([...promised])
      const { hashes } = await client.call(agentApi.getCore)
      const { hash } = new HashedSet(users.flatMap(({ uuid = '' }) => [uuid]))
      expect(hashes?.inbounds.find(({ tag }) => tag === 'VLESS_A')?.hash).toBe(hash)
      expect(cores()).toHaveLength(1)
    }
  })

  it('ends its core with itself when told so for trying out', async () => {
    await end('SIGTERM')
    await launchReady({ STOP_CORE_ON_EXIT: 'true' })
    await start()
    await end('SIGINT')
    await expect(sendBytes(ports)).rejects.toThrow(/ECONNREFUSED/)
  })

  it('refuses to share its data folder or its port, with a sentence', async () => {
    const twin = launch({ NODE_PORT: '1' })
    await once(twin.process, 'exit')
    expect(twin.output()).toMatch(/^Another agent \(process \d+\) uses .*causeway agent-/)
    const other = await mkdtemp(path.join(os.tmpdir(), 'causeway-agent-'))
    const neighbour = launch({ DATA_DIR: other })
    await once(neighbour.process, 'exit')
    await rm(other, { recursive: true, force: true })
    expect(neighbour.output()).toMatch(/Port \d+ is taken by another program\. Set NODE_PORT to a free one\./)
    expect(neighbour.process.exitCode).toBe(1)
  })
})

describe.skipIf(!engine.xray)('an agent that is given what it cannot use', () => {
  it('refuses settings it cannot work with, a sentence each', async () => {
    const refused = launch({ NODE_PORT: 'x', LOG_LEVEL: 'y' })
    await once(refused.process, 'exit')
    expect(refused.output()).toMatch(/^NODE_PORT must be .*\nLOG_LEVEL must be .*\n$/)
  })

  it('refuses a data folder it cannot write to', async () => {
    const refused = launch({ DATA_DIR: '/dev/null/agent' })
    await once(refused.process, 'exit')
    expect(refused.output()).toMatch(
      /^The data folder \/dev\/null\/agent cannot be used \(.*\)\. Set DATA_DIR to one that can\.\n$/,
    )
  })

  it('refuses a program that is not an Xray', async () => {
    const refused = launch({ XRAY_BIN: process.execPath })
    await once(refused.process, 'exit')
    expect(refused.output()).toContain('is not an Xray binary')
  })
})
