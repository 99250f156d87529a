import { shadowsocksMethod, type Flow, type UserProtocol, type XrayObject } from '@causeway/xray'
import { encodedDescription } from './happ.ts'
import type { PreparedHost, Security } from './prepared-host.ts'
import { pick, type Random, type Subscriber } from './subscriber.ts'
import { fillTemplate, type TemplateValues } from './template-variables.ts'

/** One connection of a user as every format writes it. Texts are empty where there is nothing to say. */
export interface ProxyEntry {
  remark: string
  protocol: UserProtocol
  address: string
  port: number
  network: string
  headerType: string
  path: string
  host: string
  security: Security
  sni: string
  fingerprint: string
  alpn: string
  publicKey: string
  shortId: string
  spiderX: string
  flow: Flow
  credentials: { vlessUuid: string; trojanPassword: string; ssPassword: string }
  method: typeof shadowsocksMethod
  xhttp: PreparedHost['xhttp']
  mux: XrayObject | null
  sockopt: XrayObject | null
  /** Base64, for Happ only. */
  serverDescription: string
  /** What it was made of; absent for texts shown in place of hosts. */
  source: PreparedHost['source'] | null
}

/** Digits and letters that cannot be mistaken for one another. */
const randomAlphabet = '0123456789abcdefghjkmnopqrstuvwxyz'
const randomLength = 10

/** Hosts become entries of one user: names are filled and made unique, wildcards and lists are resolved at random. */
export function resolveEntries(
  hosts: readonly PreparedHost[],
  user: Subscriber,
  values: TemplateValues,
  random: Random,
): ProxyEntry[] {
  const names = new RemarkNames()
  return hosts.map((host) => resolveEntry(host, user, names.unique(fillTemplate(host.source.remark, values)), random))
}

function resolveEntry(host: PreparedHost, user: Subscriber, remark: string, random: Random): ProxyEntry {
  const { source } = host
  const address = resolveAddress(source.address, random)
  const sni = host.sni.includes('*.') ? host.sni.replace('*', randomText(random)) : host.sni
  return {
    remark,
    protocol: host.protocol,
    address,
    port: source.port,
    network: host.network,
    headerType: host.headerType,
    path: host.path,
    host: host.host.includes('*') ? host.host.replace('*', randomText(random)) : host.host,
    security: host.security,
    sni: source.overrideSniFromAddress ? address : sni,
    fingerprint: host.fingerprint,
    alpn: host.alpn,
    publicKey: host.publicKey,
    shortId: pick(host.shortIds, random) ?? '',
    spiderX: host.spiderX,
    flow: host.flow,
    credentials: {
      vlessUuid: withRouteId(user.vlessUuid, source.vlessRouteId),
      trojanPassword: user.trojanPassword,
      ssPassword: user.ssPassword,
    },
    method: shadowsocksMethod,
    xhttp: host.xhttp,
    mux: host.mux,
    sockopt: host.sockopt,
    serverDescription: encodedDescription(source.serverDescription),
    source,
  }
}

function resolveAddress(address: string, random: Random): string {
  if (address.includes(',')) return (pick(address.split(','), random) ?? '').trim()
  return address.includes('*') ? address.replace('*', randomText(random)) : address
}

function randomText(random: Random): string {
  return Array.from({ length: randomLength }, () => randomAlphabet[Math.floor(random() * randomAlphabet.length)]).join('')
}

/** Xray routes by the third group of the uuid and ignores it when it looks for the user. */
function withRouteId(uuid: string, routeId: number | null): string {
  return routeId ? `${uuid.slice(0, 14)}${routeId.toString(16).padStart(4, '0')}${uuid.slice(18)}` : uuid
}

/** Clients tell entries apart by name, so a name that is taken gets a number. */
class RemarkNames {
  readonly #taken = new Set<string>()
  readonly #next = new Map<string, number>()

  unique(text: string): string {
    if (!this.#taken.has(text)) {
      this.#taken.add(text)
      return text
    }
    const isNumbered = text.includes('^~') && text.endsWith('~^')
    let number = this.#next.get(text) ?? (isNumbered ? 1 : 2)
    while (this.#taken.has(numbered(text, number))) number++
    this.#next.set(text, number + 1)
    this.#taken.add(numbered(text, number))
    return numbered(text, number)
  }
}

function numbered(text: string, number: number): string {
  return `${text} ^~${number}~^`
}
