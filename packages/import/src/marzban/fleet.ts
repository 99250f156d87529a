import { deriveInbounds, inboundFlow, inboundsOf, isObject, isUserProtocol, textAt, type XrayObject } from '@causeway/xray'
import type { Line, LineOf } from '../archive/kinds.ts'
import { Cells } from '../cells.ts'
import type { SourceRow } from '../copy-text.ts'
import type { Findings } from '../findings.ts'
import { takeSquadName } from '../free-names.ts'
import { MAX_REMARK, UNSET_HOST, withoutFlow } from '../other-panels.ts'

export interface SourceConfig {
  name: string
  config: XrayObject
}

export interface FleetInbound {
  uuid: string
  profile: string
  protocol: string
  network: string
  port: number
}

export interface FleetMaking {
  /** In the place of the server's own, which addresses of hosts may name. */
  address: string | null
  /** Users are given no flow. */
  isWithoutFlow: boolean
  now: string
  newUuid: () => string
}

/** A profile for each configuration, without its users. Of inbounds with the same tag the first comes. */
export function profileLines(configs: SourceConfig[], { isWithoutFlow, now, newUuid }: FleetMaking, findings: Findings) {
  const inbounds = new Map<string, FleetInbound>()
  const tags = new Set<string>()
  const lines = configs.flatMap(({ name, config }, place): Line[] => {
    const profile = newUuid()
    const kept = inboundsOf(config).filter((inbound) => {
      const tag = textAt(inbound, 'tag')
      if (tags.has(tag)) findings.note('tagTwice', `inbound ${tag} of ${name} is left out`)
      const isFirst = !tags.has(tag)
      tags.add(tag)
      return isFirst
    })
    const emptied = { ...config, inbounds: kept.map((inbound) => withoutClients(inbound, isWithoutFlow)) }
    findings.note('madeProfile', `profile ${name} with ${kept.length} inbounds`)
    findings.note('nodeToInstall', `profile ${name}`)
    const records = deriveInbounds(emptied).map((record) => ({ uuid: newUuid(), profile, ...record }))
    for (const { uuid, tag, type, port, network } of records)
      inbounds.set(tag, { uuid, profile, protocol: type, network: network ?? 'tcp', port: port ?? 0 })
    return [
      {
        kind: 'profile',
        uuid: profile,
        name,
        config: emptied,
        viewPosition: place + 1,
        tags: [],
        createdAt: now,
        updatedAt: now,
      },
      ...records.map((record): Line => ({ kind: 'inbound', ...record })),
    ]
  })
  return { lines, inbounds }
}

function withoutClients(inbound: XrayObject, isWithoutFlow: boolean): XrayObject {
  const { settings, protocol } = inbound
  if (!isUserProtocol(protocol)) return inbound
  const emptied = { ...inbound, settings: { ...(isObject(settings) ? settings : {}), clients: [] } }
  return isWithoutFlow && protocol === 'vless' && inboundFlow(inbound) !== '' ? withoutFlow(emptied) : emptied
}

export interface SourceSquad {
  /** The source's own number or tag. */
  key: string
  name: string
  tags: string[]
}

export function squadLines(squads: SourceSquad[], inbounds: ReadonlyMap<string, FleetInbound>, { now, newUuid }: FleetMaking) {
  const byKey = new Map<string, string>()
  const names = new Set<string>()
  const lines = squads.map(({ key, name, tags }, place): Line => {
    const uuid = newUuid()
    byKey.set(key, uuid)
    const linked = tags.flatMap((tag) => inbounds.get(tag)?.uuid ?? [])
    return {
      kind: 'squad',
      uuid,
      name: takeSquadName(name, names),
      inbounds: [...new Set(linked)],
      viewPosition: place + 1,
      tags: [],
      createdAt: now,
      updatedAt: now,
    }
  })
  return { lines, squads: byKey }
}

/** @throws Error when a host stands at the server's own address and that is not known */
export function hostLines(
  rows: SourceRow[],
  inbounds: ReadonlyMap<string, FleetInbound>,
  making: FleetMaking,
  findings: Findings,
): Line[] {
  return rows.map((row, place) => ({ kind: 'host', ...hostLine(row, place + 1, inbounds, making, findings) }))
}

const LAYERS: Record<string, LineOf<'host'>['securityLayer']> = {
  inbound_default: 'DEFAULT',
  '': 'DEFAULT',
  tls: 'TLS',
  none: 'NONE',
}
const NOT_CARRIED = ['fragment_setting', 'noise_setting', 'random_user_agent', 'mux_enable']

function hostLine(
  row: SourceRow,
  viewPosition: number,
  inbounds: ReadonlyMap<string, FleetInbound>,
  { address, newUuid }: FleetMaking,
  findings: Findings,
): LineOf<'host'> {
  const what = `host ${row['remark']}`
  const cells = new Cells(row, findings, what)
  const inbound = inbounds.get(row['inbound_tag'] ?? '')
  if (!inbound) findings.note('hostWithoutInbound', what)
  for (const column of NOT_CARRIED)
    if (!['', '0', 'f', 'null', '{}'].includes(cells.text(column))) findings.note('notCarried', `${column} of the ${what}`)
  const layer = cells.text('security').toLowerCase()
  const sni = firstOf(cells, 'sni')
  return {
    ...UNSET_HOST,
    uuid: newUuid(),
    viewPosition,
    remark: remarkOf(cells.text('remark'), inbound, (name) =>
      findings.note('notCarried', `${name} in the remark of the ${what}`),
    ),
    address: addressOf(listAt(cells, 'address').join(','), address, what),
    port: cells.maybeWhole('port', { min: 1, max: 65_535 }) ?? inbound?.port ?? 0,
    path: cells.text('path') || null,
    sni,
    host: cells.flag('use_sni_as_host') ? sni : firstOf(cells, 'host'),
    alpn: wordOf(listAt(cells, 'alpn').join(',')),
    fingerprint: wordOf(cells.text('fingerprint')),
    isDisabled: cells.flag('is_disabled'),
    securityLayer: LAYERS[layer] ?? cells.replaced('security', layer, 'DEFAULT' as const),
    allowInsecure: cells.flag('allowinsecure'),
    profile: inbound?.profile ?? null,
    inbound: inbound?.uuid ?? null,
  }
}

/** A host whose remark had nothing else than variables that are left out. */
const UNNAMED = 'Host'

/** Variables of the source that have another name here. */
const VARIABLES: Record<string, string> = {
  USERNAME: '{{USERNAME}}',
  DAYS_LEFT: '{{DAYS_LEFT}}',
  DATA_USAGE: '{{TRAFFIC_USED}}',
  DATA_LEFT: '{{TRAFFIC_LEFT}}',
  DATA_LIMIT: '{{TOTAL_TRAFFIC}}',
  STATUS_TEXT: '{{STATUS}}',
}

/** With the variables of here; those of the inbound become its words, and others are left out. */
function remarkOf(text: string, inbound: FleetInbound | undefined, leaveOut: (name: string) => void): string {
  const words: Record<string, string | undefined> = { ...VARIABLES, PROTOCOL: inbound?.protocol, TRANSPORT: inbound?.network }
  const filled = text.replaceAll(/\{([A-Z][A-Z0-9_]*)\}/g, (written, name: string) => {
    const word = words[name]
    if (word === undefined) leaveOut(written)
    return word ?? ''
  })
  // A variable that is cut through would stand as text.
  const cut = filled.length > MAX_REMARK ? filled.slice(0, MAX_REMARK).replace(/\{\{[A-Z_]*\}?$/, '') : filled
  return cut.trim() || UNNAMED
}

/** PasarGuard keeps sets, as JSON or with commas between the values. */
function listAt(cells: Cells, column: string): string[] {
  const text = cells.text(column).trim()
  if (!text.startsWith('['))
    return text
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean)
  const values = cells.json(column)
  return Array.isArray(values) ? values.filter((each) => typeof each === 'string') : []
}

/** The source draws one of several; here one stands. */
function firstOf(cells: Cells, column: string): string | null {
  const [first, ...others] = listAt(cells, column)
  if (first === undefined) return null
  return others.length > 0 ? cells.replaced(column, [first, ...others].join(','), first) : first
}

function wordOf(text: string): string | null {
  return text === '' || text === 'none' ? null : text
}

const OWN = '{SERVER_IP}'

function addressOf(text: string, own: string | null, what: string): string {
  if (!text.includes(OWN)) return text
  if (own === null)
    throw new Error(
      `The ${what} stands at the server's own address, which the source does not know. Give it with --address. Nothing was changed.`,
    )
  return text.replaceAll(OWN, own)
}
