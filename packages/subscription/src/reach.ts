import type { LinkPart, Misfit } from '@causeway/contract'
import {
  headerTypeOf,
  isObject,
  networkOf,
  objectAt,
  textAt,
  textsAt,
  transportSettingsOf,
  type XrayObject,
} from '@causeway/xray'
import { noAdditions, prepareHost, type PreparedHost, type SubscriptionHost } from './prepared-host.ts'

// Whether a link leads into an inbound: what the link says is compared with what the inbound takes.

/** An inbound as a node runs it. */
export interface RunInbound {
  type: string
  rawInbound: unknown
}

/** The members of a host that make its links. */
export type LinkHost = Pick<
  SubscriptionHost,
  'address' | 'port' | 'path' | 'host' | 'sni' | 'securityLayer' | 'overrideSniFromAddress'
>

/** Values that a host takes over from its inbound when that changes. An empty path clears what it said. */
export type FollowedChanges = Partial<Pick<LinkHost, 'port' | 'path' | 'host' | 'sni'> & { securityLayer: 'DEFAULT' }>

/** In which parts the link of a host, made for one inbound, does not fit the inbound that runs. */
export function misfitsOf(host: LinkHost, madeFor: RunInbound, running: RunInbound): Misfit[] {
  const link = linkOf(host, madeFor)
  const exact = linkOf({ ...host, ...NOTHING_OWN }, running)
  // Without a link there is nothing that could fit or not.
  if (!link || !exact) return []
  const raw = isObject(running.rawInbound) ? running.rawInbound : {}
  const misfits: Misfit[] = []
  const compare = (part: LinkPart, fits: boolean, said: string, taken: string) => {
    if (!fits) misfits.push({ part, link: said, inbound: taken })
  }
  compare('protocol', link.protocol === exact.protocol, link.protocol, exact.protocol)
  compare('port', takesPort(raw['port'], host.port), String(host.port), String(raw['port']))
  compare('transport', transportOf(link) === transportOf(exact), shownTransport(link), shownTransport(exact))
  if (link.network === exact.network) {
    const paths = pathsOf(raw)
    compare(
      'path',
      paths.some((path) => isSamePath(link.network, link.path, path)),
      link.path,
      paths.join(', '),
    )
    const wanted = wantedHost(raw)
    const said = link.host || link.sni || host.address
    compare('host', wanted === '' || said.toLowerCase() === wanted.toLowerCase(), said, wanted)
  }
  const [security, taken] = [link.security || 'none', exact.security || 'none']
  compare('security', security === taken, security, taken)
  if (security === 'reality' && taken === 'reality') {
    const names = serverNamesOf(raw)
    const said = host.overrideSniFromAddress ? host.address.split(',').map((address) => address.trim()) : [link.sni]
    compare(
      'sni',
      said.every((name) => names.includes(name)),
      said.join(', '),
      names.join(', '),
    )
  }
  if (security === taken) compare('keys', hasSameKeys(link, exact), '', '')
  return misfits
}

/** Something between app and node may forward to another port, end TLS, or rewrite paths and names. Nothing mends the rest. */
const FORWARDED: ReadonlySet<LinkPart> = new Set<LinkPart>(['port', 'path', 'host', 'security'])

/** Whether the link may lead in all the same, by something that stands before the node. */
export function isForwardable(misfits: readonly Misfit[]): boolean {
  const isOfReality = ({ part, link, inbound }: Misfit) => part === 'security' && [link, inbound].includes('reality')
  return misfits.every((misfit) => FORWARDED.has(misfit.part) && !isOfReality(misfit))
}

/** The changes by which a host goes on leading into its inbound: only values that it has in common with the inbound. */
export function followInbound(host: LinkHost, before: RunInbound, after: RunInbound): FollowedChanges {
  const [old, next] = [before, after].map(({ rawInbound }) => (isObject(rawInbound) ? rawInbound : {}))
  if (!old || !next) return {}
  const changes: FollowedChanges = {}
  const port = firstPort(next['port'])
  if (port !== undefined && takesPort(old['port'], host.port) && !takesPort(next['port'], host.port)) changes.port = port
  const [network, nextNetwork] = [networkOf(old), networkOf(next)]
  const [oldPaths, nextPaths] = [pathsOf(old), pathsOf(next)]
  if (host.path && oldPaths.some((path) => isSamePath(network, host.path ?? '', path))) {
    const isTaken = nextPaths.some((path) => isSamePath(nextNetwork, host.path ?? '', path))
    if (network !== nextNetwork || !isTaken) changes.path = nextPaths[0] ?? ''
  }
  const [oldHost, nextHost] = [wantedHost(old), wantedHost(next)]
  if (host.host && oldHost !== '' && host.host.toLowerCase() === oldHost.toLowerCase() && oldHost !== nextHost)
    changes.host = nextHost
  const [oldNames, nextNames] = [serverNamesOf(old), serverNamesOf(next)]
  const [nextName] = nextNames
  if (host.sni && nextName !== undefined && oldNames.includes(host.sni) && !nextNames.includes(host.sni)) changes.sni = nextName
  const layer = { tls: 'TLS', none: 'NONE', reality: undefined }
  if (host.securityLayer === layer[securityOf(old)] && securityOf(next) !== securityOf(old)) changes.securityLayer = 'DEFAULT'
  return changes
}

const NOTHING_OWN = { path: null, host: null, sni: null, securityLayer: 'DEFAULT' as const, overrideSniFromAddress: false }
/** Fields of a host that decide nothing here. */
const INDIFFERENT = {
  uuid: '',
  viewPosition: 0,
  remark: '',
  alpn: null,
  fingerprint: null,
  isDisabled: false,
  isHidden: false,
  xHttpExtraParams: null,
  muxParams: null,
  sockoptParams: null,
  serverDescription: null,
  tags: [],
  vlessRouteId: null,
  shuffleHost: false,
  mihomoX25519: false,
  allowInsecure: false,
  ...noAdditions,
}

/** Public keys differ when private ones do, so that the private ones are compared as they stand. */
function linkOf(host: LinkHost, { type, rawInbound }: RunInbound): PreparedHost | null {
  const inbound = { uuid: '', profileUuid: '', tag: '', type, rawInbound }
  return prepareHost({ ...INDIFFERENT, ...host, inbound }, (key) => key)
}

/** A number, a list such as `443,8443`, or ranges such as `1000-2000`. Of a port by environment nothing is known. */
function takesPort(taken: unknown, port: number): boolean {
  if (typeof taken === 'number') return taken === port
  if (typeof taken !== 'string' || taken.startsWith('env:')) return true
  return taken.split(',').some((part) => {
    const [from = '', to = from] = part.split('-').map((bound) => bound.trim())
    return port >= Number(from) && port <= Number(to)
  })
}

function firstPort(taken: unknown): number | undefined {
  const first = typeof taken === 'number' ? taken : typeof taken === 'string' ? Number.parseInt(taken, 10) : NaN
  return Number.isInteger(first) && first >= 1 && first <= 65_535 ? first : undefined
}

function transportOf({ network, headerType, kcp, finalmask, xhttp }: PreparedHost): string {
  return JSON.stringify([network, headerType, kcp, finalmask, xhttp?.mode])
}

function shownTransport({ network, headerType }: PreparedHost): string {
  return headerType === '' ? network : `${network} (${headerType})`
}

/** The paths that requests may have; a transport without paths takes any. */
function pathsOf(inbound: XrayObject): string[] {
  const transport = transportSettingsOf(inbound)
  switch (networkOf(inbound)) {
    case 'ws':
    case 'httpupgrade':
    case 'xhttp':
      return [textAt(transport, 'path')]
    case 'grpc':
      return [textAt(transport, 'serviceName')]
    case 'tcp': {
      if (headerTypeOf(inbound) !== 'http') return ['']
      const paths = textsAt(objectAt(objectAt(transport, 'header'), 'request'), 'path')
      return paths.length > 0 ? paths : ['/']
    }
    default:
      return ['']
  }
}

/** As the core compares them: with a slash before, of XHTTP also behind, and without the query. */
function isSamePath(network: string, said: string, taken: string): boolean {
  if (network === 'tcp') return taken === '' || (said || '/') === taken
  if (network === 'grpc') return said === taken
  if (!['ws', 'httpupgrade', 'xhttp'].includes(network)) return true
  const normal = (path: string) => {
    const [bare = ''] = path.split('?')
    const begun = bare.startsWith('/') ? bare : `/${bare}`
    return network === 'xhttp' && !begun.endsWith('/') ? `${begun}/` : begun
  }
  return normal(said) === normal(taken)
}

/** The host name that the core demands of requests. */
function wantedHost(inbound: XrayObject): string {
  const hasHost = ['ws', 'httpupgrade', 'xhttp'].includes(networkOf(inbound))
  return hasHost ? textAt(transportSettingsOf(inbound), 'host') : ''
}

function securityOf(inbound: XrayObject): 'tls' | 'reality' | 'none' {
  const security = textAt(objectAt(inbound, 'streamSettings'), 'security')
  return security === 'tls' || security === 'reality' ? security : 'none'
}

function serverNamesOf(inbound: XrayObject): string[] {
  const stream = objectAt(inbound, 'streamSettings')
  if (securityOf(inbound) === 'reality') return textsAt(objectAt(stream, 'realitySettings'), 'serverNames')
  return securityOf(inbound) === 'tls' ? textsAt(objectAt(stream, 'tlsSettings'), 'serverName') : []
}

function hasSameKeys(link: PreparedHost, exact: PreparedHost): boolean {
  const known = exact.shortIds.length > 0 ? exact.shortIds : ['']
  const used = link.shortIds.length > 0 ? link.shortIds : ['']
  return (
    link.publicKey === exact.publicKey &&
    used.every((id) => known.includes(id)) &&
    link.encryption === exact.encryption &&
    link.method === exact.method &&
    link.inboundKey === exact.inboundKey
  )
}
