import type { previewSubscription, Reply } from '@causeway/contract'

export type Preview = Reply<typeof previewSubscription>

/** Apps as they name themselves. A subscription looks at the beginning of the name and at the version. */
export const APPS = [
  { id: 'happ', name: 'Happ', userAgent: 'Happ/3.5.0' },
  { id: 'v2rayng', name: 'v2rayNG', userAgent: 'v2rayNG/1.10.5' },
  { id: 'v2rayn', name: 'v2rayN', userAgent: 'v2rayN/7.12.0' },
  { id: 'streisand', name: 'Streisand', userAgent: 'Streisand/1.6' },
  { id: 'flclash', name: 'FlClash', userAgent: 'FlClash/0.8.80' },
  { id: 'clash-verge', name: 'Clash Verge', userAgent: 'clash-verge/v2.2.0' },
  { id: 'clash', name: 'Clash', userAgent: 'Clash/1.20.0' },
  { id: 'stash', name: 'Stash', userAgent: 'Stash/3.1.0' },
  { id: 'sing-box', name: 'sing-box 1.12', userAgent: 'SFA/1.12.8 (sing-box 1.12.8)' },
  { id: 'sing-box-old', name: 'sing-box 1.9', userAgent: 'SFA/1.9.7 (sing-box 1.9.7)' },
  { id: 'outline', name: 'Outline', userAgent: 'Outline/1.14.0' },
  { id: 'browser', name: 'Browser', userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' },
] as const
export type AppId = (typeof APPS)[number]['id'] | 'other'

/** A body in readable form: share links are sent as Base64. Undefined where it is readable as sent. */
export function readableBody({ format, body }: Pick<Preview, 'format' | 'body'>): string | undefined {
  return format === 'links' && body !== '' ? fromBase64(body) : undefined
}

/** Values that apps decode begin with `base64:`. */
export function readableHeader(value: string): string | undefined {
  return value.startsWith('base64:') ? fromBase64(value.slice('base64:'.length)) : undefined
}

function fromBase64(text: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (sign) => sign.codePointAt(0) ?? 0))
  } catch {
    return undefined
  }
}

/** Headers of every answer of the panel, which say nothing of the subscription. Custom ones often begin with `x-`, too. */
const everywhere: ReadonlySet<string> = new Set([
  'cache-control',
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'strict-transport-security',
  'vary',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-robots-tag',
  'x-xss-protection',
])

/** Headers about this subscription come first. */
export function sortHeaders(headers: Preview['headers']): { own: [string, string][]; common: [string, string][] } {
  const all = Object.entries(headers).toSorted(([one], [other]) => one.localeCompare(other))
  const isCommon = ([name]: [string, string]) => everywhere.has(name)
  return { own: all.filter((header) => !isCommon(header)), common: all.filter(isCommon) }
}

/** Signs that are there and cannot be seen: line breaks, marks of direction, joiners. */
const invisible = /[\n\r\t\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
// A joiner within a sign of several parts belongs to it.
const joined = /\p{Extended_Pictographic}\ufe0f?\u200d(?=\p{Extended_Pictographic})/gu

export function countInvisible(text: string): number {
  return text.replaceAll(joined, '').match(invisible)?.length ?? 0
}

const serverKey = ({ remark, protocol, network, security, address, port }: Preview['servers'][number]) =>
  JSON.stringify([remark, protocol, network, security, address, port])

/** Places of servers that the other answer does not have. */
export function serversOnlyIn(preview: Pick<Preview, 'servers'>, other: Pick<Preview, 'servers'>): Set<number> {
  const known = new Set(other.servers.map(serverKey))
  return new Set(preview.servers.flatMap((server, place) => (known.has(serverKey(server)) ? [] : place)))
}

/** How a header differs from that of the other answer; undefined where it does not. */
export function headerDifference(name: string, value: string, other: Pick<Preview, 'headers'>): 'only' | 'differs' | undefined {
  const there = other.headers[name]
  if (there === undefined) return 'only'
  return there === value ? undefined : 'differs'
}

/** Lines of a body, each with whether the other body lacks it. */
export function comparedLines(text: string, other: string): { line: string; isOnlyHere: boolean }[] {
  const known = new Set(other.split('\n').map((line) => line.trim()))
  return text.split('\n').map((line) => ({ line, isOnlyHere: line.trim() !== '' && !known.has(line.trim()) }))
}

/** In how many servers and headers two answers differ. */
export function countDifferences(one: Preview, other: Preview): { servers: number; headers: number } {
  const names = new Set([...Object.keys(one.headers), ...Object.keys(other.headers)])
  return {
    servers: serversOnlyIn(one, other).size + serversOnlyIn(other, one).size,
    headers: [...names].filter((name) => one.headers[name] !== other.headers[name]).length,
  }
}
