import type { ClientType } from '@causeway/contract'

/** Version numbers, most significant first. */
export type Version = readonly [number, number, number]

export type SubscriptionFormat =
  | { kind: 'links' | 'xray-json' | 'stash' | 'clash' | 'outline' }
  | { kind: 'mihomo'; version?: Version }
  | { kind: 'sing-box'; version: Version | null }

/** First match wins. User agents are tested from their start, case as written here. */
const clientFamilies: readonly [RegExp, 'mihomo' | 'clash' | 'stash' | 'sing-box' | 'outline'][] = [
  [
    /^(?:FlClash|[Cc]lash-[Vv]erge|[Kk]oala-[Cc]lash|[Cc]lash-?[Mm]eta|[Mm]urge|[Cc]lashX [Mm]eta|[Mm]ihomo|[Cc]lash-nyanpasu|clash\.meta)/,
    'mihomo',
  ],
  [/^[Cc]lash/, 'clash'],
  [/^[Ss]tash/, 'stash'],
  [/^(?:SF[AIMT]|[Kk]aring|Singbox|[Rr]abbit[Hh]ole)/, 'sing-box'],
  [/^(?:SS|Outline|Shadowsocks)/, 'outline'],
]

const jsonClients = /^(?:[Ss]treisand|Happ\/|ktor-client|V2Box|io\.github\.saeeddev94\.xray\/)/
/** These two understand Xray JSON from a version on, and only a version of three parts is believed. */
const jsonClientsByVersion: readonly [RegExp, Version][] = [
  [/^v2rayNG\/(\d+)\.(\d+)\.(\d+)/, [1, 8, 29]],
  [/^v2rayN\/(\d+)\.(\d+)\.(\d+)/, [6, 40, 0]],
]
/** Apps built on sing-box have its version, or say in brackets which one they contain. */
const singBoxVersions = [/\bsing-box[ /](\d+)\.(\d+)\.(\d+)/, /^(?:SFA|SFI|SFM|SFT|RabbitHole)\/(\d+)\.(\d+)\.(\d+)/]

/** The core's own name, or in brackets behind that of the app which contains it; versions of apps say nothing. */
const mihomoVersion = /\b(?:mihomo|clash[.-]?meta)[ /]v?(\d+)\.(\d+)\.(\d+)/i

const explicitFormats: Record<ClientType, SubscriptionFormat> = {
  mihomo: { kind: 'mihomo' },
  clash: { kind: 'clash' },
  stash: { kind: 'stash' },
  // For apps that do not say their version: what versions since 1.12 read; later ones refuse what came before.
  singbox: { kind: 'sing-box', version: [1, 12, 0] },
  'singbox-legacy': { kind: 'sing-box', version: [1, 10, 0] },
  json: { kind: 'xray-json' },
  'v2ray-json': { kind: 'xray-json' },
}

/** The format that an address names; which form of it an app reads, its name may tell. */
export function formatOfClientType(clientType: ClientType, userAgent = ''): SubscriptionFormat {
  if (clientType === 'mihomo') return mihomoFormat(userAgent)
  const version = clientType === 'singbox' ? singBoxVersionOf(userAgent) : null
  return version ? { kind: 'sing-box', version } : explicitFormats[clientType]
}

/** The format for a client that only gives its name. */
export function formatOfUserAgent(userAgent: string, serveJsonAtBaseSubscription: boolean): SubscriptionFormat {
  if (serveJsonAtBaseSubscription && readsXrayJson(userAgent)) return { kind: 'xray-json' }
  const kind = clientFamilies.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'links'
  if (kind === 'mihomo') return mihomoFormat(userAgent)
  return kind === 'sing-box' ? { kind, version: singBoxVersionOf(userAgent) } : { kind }
}

/** Part by part from the left; parts that `minimum` does not name count as 0. */
export function isAtLeast(version: Version, minimum: Version): boolean {
  for (const [index, part] of version.entries()) {
    const other = minimum[index] ?? 0
    if (part !== other) return part > other
  }
  return true
}

/** Apps known to read Xray JSON, some from a version on. */
export function readsXrayJson(userAgent: string): boolean {
  if (jsonClients.test(userAgent)) return true
  return jsonClientsByVersion.some(([pattern, minimum]) => {
    const version = versionOf(userAgent, pattern)
    return version !== null && isAtLeast(version, minimum)
  })
}

function mihomoFormat(userAgent: string): SubscriptionFormat {
  const version = versionOf(userAgent, mihomoVersion)
  return version ? { kind: 'mihomo', version } : { kind: 'mihomo' }
}

function singBoxVersionOf(userAgent: string): Version | null {
  return singBoxVersions.map((pattern) => versionOf(userAgent, pattern)).find((version) => version !== null) ?? null
}

function versionOf(userAgent: string, pattern: RegExp): Version | null {
  const match = pattern.exec(userAgent)
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : null
}
