import {
  createHost,
  createNode,
  createUser,
  getNode,
  getNodePublicKey,
  getUser,
  type ConfigProfile,
  type InternalSquad,
  type Node,
  type User,
} from '@causeway/contract'
import { startAgent, untilCore, type Agent } from './agent.ts'
import { apiClient, type Api } from './api-client.ts'
import { makeAuthority } from './certificates.ts'
import { CutDownload, download, startByteServer, type ByteServer } from './downloads.ts'
import { startLossyProxy, type LossyProxy } from './fault-proxy.ts'
import { makeNodeProfile, type NodeProfile } from './node-profile.ts'
import type { Panel } from './panel.ts'
import { until } from './processes.ts'
import { inDays, seeding } from './seeding.ts'
import { fetchXraySubscription, startXrayClient, type XrayClient } from './xray-client.ts'

/** One node with the real agent and the real Xray, behind a proxy that can lose the server's calls. */
export interface TrafficWorld {
  panel: Panel
  /** Of the server that is asked; another one while that is down. */
  api: Api
  token: string
  xray: string
  profile: ConfigProfile
  squad: InternalSquad
  node: Node
  agent: Agent
  calls: LossyProxy
  bytes: ByteServer
  authorityFile: string
  close(): Promise<void>
}

export async function buildTrafficWorld(panel: Panel, token: string, xray: string): Promise<TrafficWorld> {
  const api = apiClient(panel.origin, token)
  const seed = seeding(api)
  const authority = await makeAuthority()
  const inbounds = await makeNodeProfile('traffic', authority)
  const profile = await seed.makeConfigProfile({ config: inbounds.config })
  const squad = await seed.makeInternalSquad({ inbounds: profile.inbounds.map(({ uuid }) => uuid) })
  const { pubKey } = await api(getNodePublicKey, {})
  const agent = await startAgent(pubKey, xray)
  const calls = await startLossyProxy(agent.port)
  const node = await api(createNode, {
    name: 'Loopback',
    address: '127.0.0.1',
    port: calls.port,
    isTrafficTrackingActive: true,
    configProfile: { activeConfigProfileUuid: profile.uuid, activeInbounds: profile.inbounds.map(({ uuid }) => uuid) },
  })
  await makeHosts(api, profile, inbounds)
  const bytes = await startByteServer()
  await until('the node is connected', async () => (await api(getNode, { uuid: node.uuid })).isConnected, 60_000)
  await untilCore(agent)
  return {
    panel,
    api,
    token,
    xray,
    profile,
    squad,
    node,
    agent,
    calls,
    bytes,
    authorityFile: authority.file,
    close: async () => {
      await calls.close()
      await agent.close()
      await bytes.close()
      await inbounds.close()
    },
  }
}

export async function makeHosts(api: Api, profile: ConfigProfile, { ways }: NodeProfile): Promise<void> {
  for (const { tag, port, sni, fingerprint } of ways) {
    const inbound = profile.inbounds.find((candidate) => candidate.tag === tag)
    if (!inbound) throw new Error(`The profile has no inbound ${tag}.`)
    await api(createHost, {
      remark: tag,
      address: '127.0.0.1',
      port,
      inbound: { configProfileUuid: profile.uuid, configProfileInboundUuid: inbound.uuid },
      ...(sni === undefined ? {} : { sni }),
      ...(fingerprint === undefined ? {} : { fingerprint }),
    })
  }
}

/** A user with a device that runs a client per host of the subscription. */
export interface Subscriber {
  user: User
  clients: XrayClient[]
  /** Downloads by one of the ways; gives the bytes that arrived, also when it was cut. */
  fetch(way: number, bytes: number, bytesPerSecond?: number): Promise<number>
  /** Whether a new connection gets through, within so long. */
  canConnect(way?: number, patienceMs?: number): Promise<boolean>
  usedBytes(): Promise<number>
  close(): Promise<void>
}

export async function subscribe(world: TrafficWorld, username: string): Promise<Subscriber> {
  const { panel, squad, xray, bytes: server } = world
  const user = await world.api(createUser, { username, expireAt: inDays(30), activeInternalSquads: [squad.uuid] })
  const configs = await fetchXraySubscription(panel.origin, user.shortUuid)
  const clients: XrayClient[] = []
  for (const config of configs) clients.push(await startXrayClient(xray, config, world.authorityFile))
  const portOf = (way: number): number => {
    const client = clients[way]
    if (!client) throw new Error(`The subscription has ${clients.length} configurations, not one with number ${way}.`)
    return client.socksPort
  }
  const subscriber: Subscriber = {
    user,
    clients,
    fetch: async (way, bytes, bytesPerSecond) => {
      const options = { socksPort: portOf(way), server, bytes }
      try {
        return await download(bytesPerSecond === undefined ? options : { ...options, bytesPerSecond })
      } catch (error) {
        if (error instanceof CutDownload) return error.received
        throw error
      }
    },
    canConnect: async (way = 0, patienceMs) => {
      const patience = patienceMs === undefined ? {} : { patienceMs }
      try {
        return (await download({ socksPort: portOf(way), server, bytes: 1000, ...patience })) === 1000
      } catch {
        return false
      }
    },
    usedBytes: async () => (await world.api(getUser, { uuid: user.uuid })).usedTrafficBytes,
    close: async () => {
      for (const client of clients) await client.close()
    },
  }
  await until('the node takes the user', () => subscriber.canConnect())
  return subscriber
}
