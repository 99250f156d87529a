import { deriveInbounds, inboundsOf, isObject, isUserProtocol, textAt, type XrayObject } from '@causeway/xray'
import type { Line, LineOf } from '../archive/kinds.ts'
import { Cells } from '../cells.ts'
import type { SourceRow } from '../copy-text.ts'
import type { Findings } from '../findings.ts'
import { takeSquadName } from '../free-names.ts'
import { MAX_REMARK, UNSET_HOST } from '../other-panels.ts'

export interface SourceConfig {
  name: string
  config: XrayObject
}

export interface FleetInbound {
  uuid: string
  profile: string
  protocol: string
  port: number
}

export interface FleetMaking {
  /** In the place of the server's own, which addresses of hosts may name. */
  address: string | null
  now: string
  newUuid: () => string
}

/** A profile for each configuration, without its users. Of inbounds with the same tag the first comes. */
export function profileLines(configs: SourceConfig[], { now, newUuid }: FleetMaking, findings: Findings) {
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
    const emptied = { ...config, inbounds: kept.map(withoutClients) }
    findings.note('madeProfile', `profile ${name} with ${kept.length} inbounds`)
    findings.note('nodeToInstall', `profile ${name}`)
    const records = deriveInbounds(emptied).map((record) => ({ uuid: newUuid(), profile, ...record }))
    for (const { uuid, tag, type, port } of records) inbounds.set(tag, { uuid, profile, protocol: type, port: port ?? 0 })
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

function withoutClients(inbound: XrayObject): XrayObject {
  const { settings } = inbound
  return isUserProtocol(inbound['protocol'])
    ? { ...inbound, settings: { ...(isObject(settings) ? settings : {}), clients: [] } }
    : inbound
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
    remark: cells.text('remark').replaceAll('{USERNAME}', '{{USERNAME}}').slice(0, MAX_REMARK),
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
