import { isObject } from '@causeway/xray'

// The routing configuration of the Happ client: a JSON object with capitalised keys, carried by a link.

const PREFIX = 'happ://routing/add/'
const IMPORT_PREFIX = /^happ:\/\/routing\/(?:add|onadd)\//i

/** Keys that a client reads; unknown keys are kept. */
export type RoutingConfig = Record<string, unknown>

/** Twice of what the settings hold. A field that grows with its text would hold up the page over much more. */
const MAX_TEXT = 100_000

export function isTooLong(text: string): boolean {
  return text.length > MAX_TEXT
}

export type ListKey = 'DirectSites' | 'DirectIp' | 'ProxySites' | 'ProxyIp' | 'BlockSites' | 'BlockIp'

export function defaultRouting(now: Date): RoutingConfig {
  return {
    Name: 'Causeway',
    GlobalProxy: 'true',
    UseChunkFiles: 'true',
    RemoteDNSType: 'DoH',
    RemoteDNSDomain: 'https://cloudflare-dns.com/dns-query',
    RemoteDNSIP: '1.1.1.1',
    DomesticDNSType: 'DoU',
    DomesticDNSDomain: '',
    DomesticDNSIP: '77.88.8.8',
    Geoipurl: 'https://github.com/Loyalsoldier/v2ray-rules-dat/releases/latest/download/geoip.dat',
    Geositeurl: 'https://github.com/Loyalsoldier/v2ray-rules-dat/releases/latest/download/geosite.dat',
    LastUpdated: timestamp(now),
    DnsHosts: { 'cloudflare-dns.com': '1.1.1.1' },
    DirectSites: ['geosite:ru', 'geosite:geolocation-ru'],
    DirectIp: ['geoip:cn'],
    ProxySites: ['geosite:com'],
    ProxyIp: [],
    BlockSites: [],
    BlockIp: [],
    DomainStrategy: 'IPIfNonMatch',
    FakeDNS: 'false',
  }
}

const NO_LISTS = { DirectSites: [], DirectIp: [], ProxySites: [], ProxyIp: [], BlockSites: [], BlockIp: [] }
const LAN = 'geoip:private'

export type Preset = 'default' | 'everything' | 'russia' | 'iran' | 'china' | 'noAds'
export const PRESETS: readonly Preset[] = ['default', 'everything', 'russia', 'iran', 'china', 'noAds']

/** Whole configurations to begin with. */
export function presetRouting(preset: Preset, now: Date): RoutingConfig {
  const base = { ...defaultRouting(now), ...NO_LISTS, DirectIp: [LAN] }
  switch (preset) {
    case 'default':
      return defaultRouting(now)
    case 'everything':
      return base
    case 'russia':
      return { ...base, DirectSites: ['geosite:category-ru'], DirectIp: ['geoip:ru', LAN], DomesticDNSIP: '77.88.8.8' }
    case 'iran':
      return { ...base, DirectSites: ['geosite:category-ir'], DirectIp: ['geoip:ir', LAN], DomesticDNSIP: '178.22.122.100' }
    case 'china':
      return { ...base, DirectSites: ['geosite:cn'], DirectIp: ['geoip:cn', LAN], DomesticDNSIP: '223.5.5.5' }
    case 'noAds':
      return { ...base, BlockSites: ['geosite:category-ads-all'] }
  }
}

/** Seconds since 1970, as text. */
export function timestamp(now: Date): string {
  return String(Math.floor(now.getTime() / 1000))
}

export function encodeRouting(config: RoutingConfig): string {
  const bytes = new TextEncoder().encode(JSON.stringify(config))
  return PREFIX + btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** A link of either prefix, or the Base64 alone. Nothing for what holds no configuration. */
export function decodeRouting(text: string): RoutingConfig | undefined {
  const base64 = text.trim().replace(IMPORT_PREFIX, '').replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/')
  if (base64 === '') return undefined
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return parseRouting(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/** The configuration that a JSON text holds; nothing for what is none yet. */
export function parseRouting(json: string): RoutingConfig | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function routingText(config: RoutingConfig): string {
  return JSON.stringify(config, null, 2)
}

export function textOf(config: RoutingConfig, key: string): string {
  const value = config[key]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** One of the words that a key knows; the first where something else stands. */
export function choiceOf<Word extends string>(config: RoutingConfig, key: string, words: readonly [Word, ...Word[]]): Word {
  const text = textOf(config, key)
  return words.find((word) => word === text) ?? words[0]
}

export function listOf(config: RoutingConfig, key: ListKey): string[] {
  const value = config[key]
  return Array.isArray(value) ? value.map(String) : []
}

/** One entry per line; blank lines are nothing. */
export function toList(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

export function hostsOf(config: RoutingConfig): Record<string, unknown> {
  const value = config['DnsHosts']
  return isObject(value) ? value : {}
}

/** A value that is no object of hosts counts as none. */
export function toHosts(json: string): Record<string, unknown> {
  return parseRouting(json) ?? {}
}
