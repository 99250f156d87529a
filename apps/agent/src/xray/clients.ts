import { type InboundAccess, SHADOWSOCKS_CIPHERS, wireInt } from '@causeway/contract/agent'
import { z } from 'zod'

const common = { email: z.string(), level: wireInt, hashId: z.string() }

/** A user of one inbound, as the core knows it. `hashId` is the VLESS UUID that start requests are compared by. */
export const client = z.discriminatedUnion('protocol', [
  z.object({ protocol: z.literal('vless'), ...common, id: z.string(), flow: z.string() }),
  z.object({ protocol: z.literal('vmess'), ...common, id: z.string() }),
  z.object({ protocol: z.literal('trojan'), ...common, password: z.string() }),
  z.object({ protocol: z.literal('hysteria'), ...common, password: z.string() }),
  z.object({ protocol: z.literal('shadowsocks'), ...common, password: z.string(), cipherType: wireInt, ivCheck: z.boolean() }),
  z.object({ protocol: z.literal('shadowsocks2022'), ...common, password: z.string() }),
])
export type Client = z.output<typeof client>

const METHODS: Record<number, string> = {
  [SHADOWSOCKS_CIPHERS.AES_128_GCM]: 'aes-128-gcm',
  [SHADOWSOCKS_CIPHERS.AES_256_GCM]: 'aes-256-gcm',
  [SHADOWSOCKS_CIPHERS.CHACHA20_POLY1305]: 'chacha20-ietf-poly1305',
  [SHADOWSOCKS_CIPHERS.XCHACHA20_POLY1305]: 'xchacha20-ietf-poly1305',
}
/** Xray keeps the level of a configured user in one byte. */
const MAX_LEVEL = 255

/**
 * The client an access stands for; undefined for the kinds the wire accepts and ignores. What a core would take live but
 * refuse in its config is refused here, since live users must survive a restart of the core.
 */
export function clientOf(access: InboundAccess, hashId: string): Client | undefined {
  const { username: email, level } = access
  if (level < 0 || level > MAX_LEVEL) throw new Error(`The level of ${email} must be from 0 to ${MAX_LEVEL}, not ${level}.`)
  switch (access.type) {
    case 'vless':
      return { protocol: 'vless', email, level, hashId, id: access.uuid, flow: access.flow }
    case 'vmess':
      return { protocol: 'vmess', email, level, hashId, id: access.uuid }
    case 'trojan':
    case 'hysteria':
      return { protocol: access.type, email, level, hashId, password: access.password }
    case 'shadowsocks': {
      const { password, cipherType, ivCheck } = access
      if (!METHODS[cipherType]) throw new Error(`Shadowsocks users cannot have cipher type ${cipherType}.`)
      if (password === '') throw new Error(`The Shadowsocks password of ${email} is empty.`)
      return { protocol: 'shadowsocks', email, level, hashId, password, cipherType, ivCheck }
    }
    case 'shadowsocks2022':
      if (access.key === '') throw new Error(`The Shadowsocks key of ${email} is empty.`)
      return { protocol: 'shadowsocks2022', email, level, hashId, password: access.key }
    case 'socks':
    case 'http':
      return undefined
  }
}

/** The same user as an entry of `settings.clients`; `id` is there for every protocol, as the wire's hashes are built from it. */
export function clientEntry(client: Client): Record<string, unknown> {
  const level = client.level === 0 ? {} : { level: client.level }
  switch (client.protocol) {
    case 'vless':
      return { id: client.id, email: client.email, flow: client.flow, ...level }
    case 'vmess':
      return { id: client.id, email: client.email, ...level }
    case 'hysteria':
      return { auth: client.password, email: client.email, id: client.hashId, ...level }
    case 'trojan':
      return { password: client.password, email: client.email, id: client.hashId, ...level }
    case 'shadowsocks':
      // The config format knows no ivCheck; it is off after a restart of the core.
      return { password: client.password, method: METHODS[client.cipherType], email: client.email, id: client.hashId, ...level }
    case 'shadowsocks2022':
      // The method is the inbound's; the core refuses users that name one.
      return { password: client.password, email: client.email, id: client.hashId, ...level }
  }
}
