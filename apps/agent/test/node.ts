import { HashedSet } from '@causeway/xray'
import type { HashPayload } from '@causeway/contract/agent'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface TestUser {
  name: string
  uuid: string
}

export const ALICE: TestUser = { name: 'alice', uuid: '550e8400-e29b-41d4-a716-446655440000' }
export const BOB: TestUser = { name: 'bob', uuid: '123e4567-e89b-12d3-a456-426614174000' }

export interface NodePorts {
  vless: number
  trojan: number
  shadowsocks: number
}

/** A config as a server sends it: an inbound of each kind, each with the given users, and a way out. */
export function nodeConfig(ports: NodePorts, users: TestUser[]): Record<string, unknown> {
  const listen = '127.0.0.1'
  return {
    log: { loglevel: 'warning' },
    policy: { levels: { 0: { connIdle: 123 } } },
    inbounds: [
      {
        tag: 'VLESS_A',
        listen,
        port: ports.vless,
        protocol: 'vless',
        settings: { decryption: 'none', clients: users.map(({ name, uuid }) => ({ id: uuid, email: name, flow: '' })) },
        streamSettings: { network: 'tcp' },
      },
      {
        tag: 'TROJAN_B',
        listen,
        port: ports.trojan,
        protocol: 'trojan',
        settings: { clients: users.map(({ name, uuid }) => ({ password: `trojan-${name}`, email: name, id: uuid })) },
      },
      {
        tag: 'SS_C',
        listen,
        port: ports.shadowsocks,
        protocol: 'shadowsocks',
        settings: {
          network: 'tcp,udp',
          clients: users.map(({ name, uuid }) => ({
            password: `ss-${name}`,
            method: 'chacha20-ietf-poly1305',
            email: name,
            id: uuid,
          })),
        },
      },
    ],
    outbounds: [
      { tag: 'DIRECT', protocol: 'freedom' },
      { tag: 'BLOCK', protocol: 'blackhole' },
    ],
    routing: { rules: [] },
  }
}

export function hashesOf(users: TestUser[], emptyConfig = 'profile-1'): HashPayload {
  if (users.length === 0) return { emptyConfig, inbounds: [] }
  const { hash } = new HashedSet(users.map(({ uuid }) => uuid))
  return { emptyConfig, inbounds: ['VLESS_A', 'TROJAN_B', 'SS_C'].map((tag) => ({ tag, usersCount: users.length, hash })) }
}

/** All three inbounds for a user, as add-user takes them. */
export function addBody({ name, uuid }: TestUser) {
  const username = name
  return {
    data: [
      { type: 'vless' as const, tag: 'VLESS_A', username, uuid, flow: '' as const },
      { type: 'trojan' as const, tag: 'TROJAN_B', username, password: `trojan-${name}` },
      { type: 'shadowsocks' as const, tag: 'SS_C', username, password: `ss-${name}`, cipherType: 7, ivCheck: false },
    ],
    hashData: { vlessUuid: uuid },
  }
}

/** Below the range the system takes the ends of outgoing connections from: one of those might have the port by the time it is used. */
const FIRST_PORT = 10_000
const LAST_PORT = 32_000

export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(FIRST_PORT, LAST_PORT)
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}

/** Looks until something is true; for processes, whose ends nobody announces. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
  const deadline = Date.now() + 100_000
  while (Date.now() < deadline) {
    const seen = await look()
    if (seen) return seen
    await pause(50)
  }
  throw new Error(`Waited in vain until ${what}.`)
}
