import { deriveInbounds, isObject, isUserProtocol, objectAt, seedProfile, textAt, type XrayObject } from '@causeway/xray'
import type { Line, LineOf } from '../archive/kinds.ts'
import { Cells } from '../cells.ts'
import type { SourceRow } from '../copy-text.ts'
import type { Findings } from '../findings.ts'
import { takeName, takeSquadName } from '../free-names.ts'
import { MAX_REMARK, UNSET_HOST } from '../other-panels.ts'

/** An inbound of the source, with its tag here. */
export interface SourceInbound {
  id: string
  tag: string
  remark: string
  protocol: string
  isOn: boolean
  /** The other server that it runs on; none for the panel's own. */
  server: string | null
  settings: XrayObject
  stream: XrayObject
  config: XrayObject
}

export function readInbounds(rows: SourceRow[], findings: Findings): Map<string, SourceInbound> {
  const tags = new Set<string>()
  const inbounds = new Map<string, SourceInbound>()
  for (const row of rows) {
    const inbound = readInbound(row, tags, findings)
    if (inbound) inbounds.set(inbound.id, inbound)
  }
  return inbounds
}

function readInbound(row: SourceRow, tags: Set<string>, findings: Findings): SourceInbound | undefined {
  const id = row['id'] ?? ''
  const asked = row['tag'] || `inbound-${id}`
  const [settings, stream, sniffing] = [row['settings'], row['stream_settings'], row['sniffing']].map(parsed)
  if (!settings || !stream || !sniffing) {
    findings.note('unreadableInbound', `inbound ${asked}`)
    return undefined
  }
  const tag = takeName(asked, tags)
  if (tag !== asked) findings.note('tagTwice', `inbound ${asked} becomes ${tag}`)
  const cells = new Cells(row, findings, `inbound ${tag}`)
  const server = cells.text('node_id')
  const protocol = cells.text('protocol')
  const { clients: _clients, ...kept } = settings
  const config: XrayObject = {
    tag,
    ...(row['listen'] ? { listen: row['listen'] } : {}),
    port: cells.whole('port', { min: 0, max: 65_535 }),
    protocol,
    settings: isUserProtocol(protocol) ? { ...kept, clients: [] } : settings,
    ...(Object.keys(stream).length > 0 ? { streamSettings: withoutClientValues(stream) } : {}),
    ...(Object.keys(sniffing).length > 0 ? { sniffing } : {}),
  }
  return {
    id,
    tag,
    remark: cells.text('remark') || tag,
    protocol,
    isOn: cells.flag('enable'),
    server: server === '' || server === '0' ? null : server,
    settings,
    stream,
    config,
  }
}

/** An empty text is an empty object; undefined where it is no object. */
function parsed(text: string | null | undefined): XrayObject | undefined {
  if (!text) return {}
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : value === null ? {} : undefined
  } catch {
    return undefined
  }
}

/** Values for the links of clients, which the source does not give to the core either. */
function withoutClientValues({ externalProxy: _proxy, ...stream }: XrayObject): XrayObject {
  const changed = { ...stream }
  for (const part of ['tlsSettings', 'realitySettings']) {
    const found = stream[part]
    if (!isObject(found)) continue
    const { settings: _settings, ...kept } = found
    changed[part] = kept
  }
  return changed
}

export interface FleetLines {
  lines: Line[]
  /** Squads by the source's number of their inbound. */
  squads: Map<string, string>
}

export interface Places {
  /** Of the panel's own server, for its hosts. */
  address: string
  now: string
  newUuid: () => string
}

/** A profile for each server, and for each inbound that users can be given a squad and its hosts. */
export function fleetLines(inbounds: ReadonlyMap<string, SourceInbound>, places: Places, findings: Findings): FleetLines {
  const made: FleetLines = { lines: [], squads: new Map() }
  const times = { createdAt: places.now, updatedAt: places.now }
  const squadNames = new Set<string>()
  const later: Line[] = []
  let [profileCount, hostCount] = [0, 0]
  for (const [server, group] of Map.groupBy(inbounds.values(), (inbound) => inbound.server)) {
    const profile = places.newUuid()
    const name = server === null ? 'Moved-in' : `Moved-in-node-${server}`
    const config = { ...seedProfile(), inbounds: group.map((inbound) => inbound.config) }
    made.lines.push({ kind: 'profile', uuid: profile, name, config, viewPosition: ++profileCount, tags: [], ...times })
    findings.note('nodeToInstall', `profile ${name}`)
    const records = new Map(deriveInbounds(config).map((record) => [record.tag, record]))
    const others = group.filter(({ tag }) => !records.has(tag)).map(({ tag }) => tag)
    const alone = others.length === 0 ? '' : `; without squad and host, as users have no keys there: ${others.join(', ')}`
    findings.note('madeProfile', `profile ${name} with ${group.length} inbounds${alone}`)
    for (const inbound of group) {
      const record = records.get(inbound.tag)
      if (!record) continue
      const [uuid, squad] = [places.newUuid(), places.newUuid()]
      made.lines.push({ kind: 'inbound', uuid, profile, ...record })
      made.squads.set(inbound.id, squad)
      later.push({
        kind: 'squad',
        uuid: squad,
        name: takeSquadName(inbound.tag, squadNames),
        inbounds: [uuid],
        viewPosition: made.squads.size,
        tags: [],
        ...times,
      })
      if (!inbound.isOn) findings.note('inboundOff', `inbound ${inbound.tag}`)
      for (const endpoint of endpointsOf(inbound, places.address))
        later.push({
          kind: 'host',
          ...hostLine(inbound, endpoint),
          uuid: places.newUuid(),
          viewPosition: ++hostCount,
          profile,
          inbound: uuid,
        })
    }
  }
  made.lines.push(...later)
  return made
}

interface Endpoint {
  address: string
  port: number
  remark: string
  securityLayer: LineOf<'host'>['securityLayer']
}

const LAYERS: Record<string, Endpoint['securityLayer']> = { tls: 'TLS', none: 'NONE' }

/** Where clients connect: other addresses that the inbound names, else its own. */
function endpointsOf({ stream, config, remark }: SourceInbound, ownAddress: string): Endpoint[] {
  const port = Number(config['port'])
  const others = Array.isArray(stream['externalProxy']) ? stream['externalProxy'].filter(isObject) : []
  const named = others.flatMap((proxy): Endpoint[] => {
    const [address, note] = [textAt(proxy, 'dest'), textAt(proxy, 'remark')]
    if (address === '') return []
    const securityLayer = LAYERS[textAt(proxy, 'forceTls')] ?? 'DEFAULT'
    return [{ address, port: portOf(proxy['port']) ?? port, remark: note === '' ? remark : `${remark}-${note}`, securityLayer }]
  })
  return named.length > 0 ? named : [{ address: ownAddress, port, remark, securityLayer: 'DEFAULT' }]
}

function portOf(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= 65_535 ? Number(value) : undefined
}

function hostLine(
  { stream, isOn }: SourceInbound,
  endpoint: Endpoint,
): Omit<LineOf<'host'>, 'uuid' | 'viewPosition' | 'profile' | 'inbound'> {
  const forClients = ['tlsSettings', 'realitySettings'].map((part) => objectAt(objectAt(stream, part), 'settings'))
  const fingerprint = forClients.map((values) => textAt(values, 'fingerprint')).find((text) => text !== '') ?? null
  return {
    ...UNSET_HOST,
    ...endpoint,
    remark: endpoint.remark.slice(0, MAX_REMARK),
    path: null,
    sni: null,
    host: null,
    alpn: null,
    fingerprint,
    isDisabled: !isOn,
    allowInsecure: forClients.some((values) => values['allowInsecure'] === true),
  }
}
