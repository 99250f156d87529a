import type * as api from '@causeway/contract'
import type { CallInput } from '@causeway/contract'

// Who and what the world of the walk is made of.

export const NEVER = '2099-01-01T00:00:00.000Z'
/** Far off, but an end: only such an expiry can be extended. */
export const LATER = '2090-01-01T00:00:00.000Z'
/** An address of this machine where nothing listens: an agent there is away at once. */
export const NOWHERE = { port: 9 }

const inbound = (tag: string, protocol: string, port: number) => ({
  tag,
  port,
  protocol,
  settings: { clients: [], ...(protocol === 'vless' ? { decryption: 'none' } : {}) },
})
export const PROFILES = {
  Main: [inbound('M_VLESS', 'vless', 4401), inbound('M_TROJAN', 'trojan', 4402), inbound('M_SS', 'shadowsocks', 4403)],
  Side: [inbound('S_VLESS', 'vless', 4411), inbound('S_SS', 'shadowsocks', 4412)],
  Spare: [inbound('P_VLESS', 'vless', 4421)],
}
/** A configuration with these inbounds, and another one for each log level. */
export const configOf = (inbounds: object[], loglevel = 'warning') => ({
  log: { loglevel },
  inbounds,
  outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }],
})
export const profileConfig = (name: keyof typeof PROFILES, loglevel?: string) => configOf(PROFILES[name], loglevel)

export const SQUADS = { gold: ['M_VLESS', 'M_TROJAN'], silver: ['M_SS', 'S_VLESS'], bronze: ['P_VLESS'] } as const
export const NODES = {
  alpha: {
    address: '127.0.0.2',
    countryCode: 'DE',
    profile: 'Main',
    inbounds: ['M_VLESS', 'M_TROJAN', 'M_SS'],
    provider: 'acme',
  },
  beta: { address: '127.0.0.3', countryCode: 'NL', profile: 'Side', inbounds: ['S_VLESS', 'S_SS'], provider: 'acme' },
  gamma: { address: '127.0.0.4', countryCode: 'FI', profile: 'Spare', inbounds: ['P_VLESS'], provider: 'bolt' },
  delta: { address: '127.0.0.5', countryCode: 'DE', profile: 'Main', inbounds: ['M_VLESS'], provider: 'core' },
} as const
export const HOSTS = {
  one: { tag: 'EU', port: 443, profile: 'Main', inbound: 'M_VLESS', nodes: ['alpha', 'delta'] },
  two: { tag: 'ASIA', port: 8443, profile: 'Side', inbound: 'S_VLESS', nodes: ['beta'] },
  three: { tag: 'EU', port: 2053, profile: 'Spare', inbound: 'P_VLESS', nodes: ['gamma'] },
} as const
type SquadName = keyof typeof SQUADS
type NewUser = Partial<CallInput<typeof api.createUser>> & { squads: SquadName[] }
/** Two or more of each status. Those who are over or have used it all have become so by themselves. */
export const USERS = {
  ann: { tag: 'VIP', email: 'ann@example.com', telegramId: 1, trafficLimitBytes: 1000, squads: ['gold', 'silver'] },
  ben: { tag: 'VIP', email: 'family@example.com', telegramId: 2, trafficLimitBytes: 5000, squads: ['gold'] },
  cat: { tag: 'TEST', email: 'family@example.com', telegramId: 2, expireAt: NEVER, squads: ['bronze', 'silver'] },
  dan: { tag: 'OLD', email: 'dan@example.com', status: 'DISABLED', squads: ['gold', 'bronze'] },
  dora: { status: 'DISABLED', squads: ['silver'] },
  eve: { tag: 'VIP', trafficLimitBytes: 3000, trafficLimitStrategy: 'MONTH', squads: ['gold', 'silver'] },
  emil: { tag: 'TEST', trafficLimitBytes: 3000, trafficLimitStrategy: 'MONTH', squads: ['bronze'] },
  fay: { email: 'fay@example.com', telegramId: 9, expireAt: '2026-01-01T00:00:00.000Z', squads: ['gold'] },
  finn: { tag: 'OLD', expireAt: '2026-01-02T00:00:00.000Z', squads: ['bronze'] },
} as const satisfies Record<string, Omit<NewUser, 'squads'> & { squads: readonly SquadName[] }>

export interface World {
  /** Of the database that copies are made of. */
  url: string
  /** Headers of the administrator. */
  admin: Record<string, string>
  drop: () => Promise<void>
  profiles: Record<keyof typeof PROFILES, string>
  inbounds: Record<string, string>
  squads: Record<SquadName, string>
  providers: Record<'acme' | 'bolt' | 'core', string>
  plugins: Record<'wall' | 'gate' | 'fence', string>
  nodes: Record<keyof typeof NODES, string>
  hosts: Record<keyof typeof HOSTS, string>
  users: Record<keyof typeof USERS, string>
  roles: Record<'Helpers' | 'Watchers' | 'Unheld', string>
  resellers: Record<'North' | 'South' | 'East', string>
  /** Beside the calling administrator. */
  admins: Record<'mia' | 'noa' | 'otto', string>
  invitations: Record<'ola' | 'pia' | 'rex', string>
  /** Tokens of the links of these invitations. */
  links: Record<'ola' | 'pia' | 'rex', string>
  tokens: Record<'bot' | 'cli' | 'web', string>
  views: Record<'new ones' | 'old ones' | 'all', string>
  /** By provider and node, and by provider and amount. */
  bills: Record<string, string>
  payments: Record<string, string>
  rollouts: Record<'main' | 'side' | 'spare', string>
  jobs: Record<'first' | 'second' | 'third', string>
  settings: string
  /** By type. */
  templates: Record<string, string>
  spareTemplate: string
  /** Ann and cat are in the first, finn in the second. */
  externalSquads: Record<'vip' | 'trial' | 'press', string>
  pageConfigs: Record<'family' | 'club' | 'guild', string>
}
