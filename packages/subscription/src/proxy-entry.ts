import { sharedKey, shadowsocksMethod } from '@causeway/xray'
import { encodedDescription } from './happ.ts'
import type { Connection, PreparedHost } from './prepared-host.ts'
import { pick, type Random, type Subscriber } from './subscriber.ts'
import { fillTemplate, type TemplateValues } from './template-variables.ts'

/** One connection of a user as every format writes it. */
export interface ProxyEntry extends Connection {
  remark: string
  /** A name or an address; one of IPv6 stands without brackets. */
  address: string
  port: number
  shortId: string
  credentials: { vlessUuid: string; trojanPassword: string; ssPassword: string }
  /** Base64, for Happ only. */
  serverDescription: string
  /** The host of this entry; absent for texts shown in place of hosts. */
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
  const { source, shortIds, ...connection } = host
  const address = resolveAddress(source.address, random)
  const sni = host.sni.includes('*.') ? host.sni.replace('*', randomText(random)) : host.sni
  return {
    ...connection,
    remark,
    address,
    port: source.port,
    host: host.host.includes('*') ? host.host.replace('*', randomText(random)) : host.host,
    sni: source.overrideSniFromAddress ? address : sni,
    shortId: pick(shortIds, random) ?? '',
    credentials: {
      vlessUuid: host.protocol === 'vless' ? withRouteId(user.vlessUuid, source.vlessRouteId) : user.vlessUuid,
      trojanPassword: user.trojanPassword,
      ssPassword: user.ssPassword,
    },
    serverDescription: encodedDescription(source.serverDescription),
    source,
  }
}

function resolveAddress(address: string, random: Random): string {
  if (address.includes(',')) return unbracketed((pick(address.split(','), random) ?? '').trim())
  return unbracketed(address.includes('*') ? address.replace('*', randomText(random)) : address)
}

/** Administrators write IPv6 addresses either way. */
function unbracketed(address: string): string {
  return /^\[([0-9a-f:.]+)\]$/i.exec(address)?.[1] ?? address
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

/** The password for a Shadowsocks server: for 2022 the key of the inbound and that of the user. */
export function shadowsocksPassword({ method, inboundKey, credentials }: ProxyEntry): string {
  return method === shadowsocksMethod ? credentials.ssPassword : `${inboundKey}:${sharedKey(credentials.vlessUuid, method)}`
}
