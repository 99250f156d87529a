import { agentApi } from '@causeway/contract/agent'
import { HashedSet, NOBODY, sharedKey } from '@causeway/xray'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeAuthority } from '../test/authority.ts'
import { AgentClient } from '../test/client.ts'
import { engine } from '../test/engine.ts'
import { BOB, freePorts, hashesOf, nodeConfig, type NodePorts } from '../test/node.ts'
import { type Agent, startAgent } from './agent.ts'

/** Cores are started, perhaps on a machine with much else to do. */
vi.setConfig({ testTimeout: 180_000 })

describe.skipIf(!engine.xray)('an agent with the real Xray', () => {
  let folder: string
  let ports: NodePorts
  let agent: Agent
  let client: AgentClient

  beforeEach(async () => {
    const authority = await makeAuthority()
    folder = await mkdtemp(path.join(os.tmpdir(), 'causeway-agent-'))
    const [port = 0, apiPort = 0, visionPort = 0, vless = 0, trojan = 0, shadowsocks = 0] = await freePorts(6)
    ports = { vless, trojan, shadowsocks }
    client = new AgentClient(authority, port)
    const { payload } = authority
    const config = { port, payload, xray: engine.xray ?? '', apiPort, visionPort, folder, logLevel: 'silent' as const }
    agent = await startAgent({ ...config, isHashCheckDisabled: false, isCoreEndedOnExit: true }, pino({ level: 'silent' }))
  })
  afterEach(async () => {
    await agent.core.exclusive(() => agent.core.stop())
    await agent.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('adds and removes users of VMess and Hysteria, which agents of the 2.1 generation do not know', async () => {
    const [vmess = 0, hysteria = 0] = await freePorts(2)
    const certificate: unknown = JSON.parse(spawnSync(engine.xray ?? '', ['tls', 'cert'], { encoding: 'utf8' }).stdout)
    const tls = {
      network: 'hysteria',
      security: 'tls',
      hysteriaSettings: { version: 2 },
      tlsSettings: { certificates: [certificate] },
    }
    const inbounds = [
      { tag: 'VMESS', listen: '127.0.0.1', port: vmess, protocol: 'vmess', settings: { clients: [] } },
      {
        tag: 'HYSTERIA',
        listen: '127.0.0.1',
        port: hysteria,
        protocol: 'hysteria',
        settings: { version: 2, clients: [] },
        streamSettings: tls,
      },
    ]
    const config = { ...nodeConfig(ports, []), inbounds }
    const { coreId } = await client.start(config, hashesOf([]))
    const data = [
      { type: 'vmess' as const, tag: 'VMESS', username: 'bob', uuid: BOB.uuid },
      { type: 'hysteria' as const, tag: 'HYSTERIA', username: 'bob', password: 'secret' },
    ]
    const change = { data, hashData: { vlessUuid: BOB.uuid } }
    expect(await client.call(agentApi.addUser, change)).toEqual({ success: true, error: null, failures: [] })
    const usersOf = async (tag: string) => (await client.call(agentApi.getInboundUsers, { tag })).users
    const bob = { username: 'bob', email: 'bob', level: 0 }
    expect(await usersOf('VMESS')).toEqual([{ ...bob, uuid: BOB.uuid }])
    expect(await usersOf('HYSTERIA')).toEqual([{ ...bob, password: 'secret' }])
    // The same users in a start request change nothing: they are counted by their uuid, as everywhere.
    const hashed = (tag: string) => ({ tag, usersCount: 1, hash: new HashedSet([BOB.uuid]).hash })
    const hashes = { ...hashesOf([]), inbounds: [hashed('VMESS'), hashed('HYSTERIA')] }
    expect((await client.start(config, hashes)).coreId).toBe(coreId)
    const removal = { username: 'bob', hashData: { vlessUuid: BOB.uuid } }
    expect(await client.call(agentApi.removeUser, removal)).toMatchObject({ success: true })
    expect([await usersOf('VMESS'), await usersOf('HYSTERIA')]).toEqual([[], []])
  })

  it('lets users into Shadowsocks 2022 live, and never whoever knows only the key of the inbound', async () => {
    const [port = 0] = await freePorts(1)
    const settings = { method: '2022-blake3-aes-128-gcm', password: Buffer.alloc(16, 7).toString('base64'), clients: [] }
    const inbounds = [{ tag: 'SS', listen: '127.0.0.1', port, protocol: 'shadowsocks', settings }]
    const config = { ...nodeConfig(ports, []), inbounds }
    const { coreId } = await client.start(config, hashesOf([]))
    const usersOf = async () => (await client.call(agentApi.getInboundUsers, { tag: 'SS' })).users
    const nobody = { username: NOBODY, email: NOBODY, level: 0, password: expect.any(String) as string }
    expect(await usersOf()).toEqual([nobody])
    const key = sharedKey(BOB.uuid, '2022-blake3-aes-128-gcm')
    const data = [{ type: 'shadowsocks2022' as const, tag: 'SS', username: 'bob', key }]
    const change = { data, hashData: { vlessUuid: BOB.uuid } }
    expect(await client.call(agentApi.addUser, change)).toEqual({ success: true, error: null, failures: [] })
    expect(await usersOf()).toEqual([nobody, { username: 'bob', email: 'bob', level: 0, password: key }])
    const hashed = [{ tag: 'SS', usersCount: 1, hash: new HashedSet([BOB.uuid]).hash }]
    expect((await client.start(config, { ...hashesOf([]), inbounds: hashed })).coreId).toBe(coreId)
    // A core that is started anew knows the user, and after the last has gone somebody is in it still.
    await agent.core.exclusive(() => agent.core.stop())
    const restarted = {
      ...config,
      inbounds: [{ ...inbounds[0], settings: { ...settings, clients: [{ password: key, email: 'bob', id: BOB.uuid }] } }],
    }
    await client.start(restarted, { ...hashesOf([]), inbounds: hashed })
    expect(await usersOf()).toEqual([{ username: 'bob', email: 'bob', level: 0, password: key }])
    expect(await client.call(agentApi.removeUser, { username: 'bob', hashData: { vlessUuid: BOB.uuid } })).toMatchObject({
      success: true,
    })
    expect(await usersOf()).toEqual([])
    expect(await client.call(agentApi.addUser, change)).toMatchObject({ success: true })
  })
})
