import type { SubscriptionFormat } from '@causeway/subscription'

/** Names of devices and programs are cut at this length; real ones are shorter. */
const MAX_TEXT = 255
const MAX_SHORT_UUID = 255

export interface SubscriptionRequest {
  userAgent: string
  /** The hardware id that the client app sent; empty when it sent none that can be used. */
  hwid: string
  platform: string | null
  osVersion: string | null
  deviceModel: string | null
  /** Whether a browser asks. */
  wantsPage: boolean
  /** Any header, by its name in lower case; undefined where there is none. */
  read: (name: string) => string | undefined
}

type Headers = Record<string, string | string[] | undefined>

/** The app and device as the request's headers describe them (docs/wire.md 18). */
export function readRequest(headers: Headers): SubscriptionRequest {
  const hwid = textOf(headers['x-hwid'])
  return {
    userAgent: textOf(headers['user-agent']).slice(0, MAX_TEXT),
    // An id too long to be stored would make storing fail, and failures are answered with the subscription.
    hwid: hwid.length <= MAX_TEXT ? hwid : '',
    platform: textOf(headers['x-device-os']).slice(0, MAX_TEXT) || null,
    osVersion: textOf(headers['x-ver-os']).slice(0, MAX_TEXT) || null,
    deviceModel: textOf(headers['x-device-model']).slice(0, MAX_TEXT) || null,
    wantsPage: textOf(headers['accept']).includes('text/html'),
    read: (name) => (headers[name] === undefined ? undefined : textOf(headers[name])),
  }
}

/** Anything may stand in an address; what cannot be a short uuid is not looked up. */
export function isShortUuid(text: string): boolean {
  return text.length > 0 && text.length <= MAX_SHORT_UUID && !text.includes('\0')
}

function textOf(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header.join(', ') : (header ?? '')).trim()
}

/** Formats by the last part of an address, as the panels name them. */
const FORMATS: Record<string, SubscriptionFormat> = {
  'sing-box': { kind: 'sing-box', version: [1, 12, 0] },
  sing_box: { kind: 'sing-box', version: [1, 12, 0] },
  'clash-meta': { kind: 'mihomo' },
  clash_meta: { kind: 'mihomo' },
  clash: { kind: 'clash' },
  outline: { kind: 'outline' },
  v2ray: { kind: 'links' },
  links: { kind: 'links' },
  links_base64: { kind: 'links' },
  'v2ray-json': { kind: 'xray-json' },
  xray: { kind: 'xray-json' },
}

export function formatOfSignedLink(client: string): SubscriptionFormat | undefined {
  return Object.hasOwn(FORMATS, client) ? FORMATS[client] : undefined
}
