import type { Line, LineOf } from '../archive/kinds.ts'
import { Cells } from '../cells.ts'
import type { SourceRow } from '../copy-text.ts'
import type { Findings } from '../findings.ts'
import { inOrder, translateProfiles } from './inbounds.ts'

// Tables that are few rows and refer to each other: they are translated together.

const MULTIPLIER_UNIT = 1_000_000_000

export type SmallTables = ReadonlyMap<string, SourceRow[]>

/** Uuids that later rows may refer to. */
export interface Known {
  providers: Set<string>
  inbounds: Set<string>
  profiles: Set<string>
  squads: Set<string>
  nodes: Set<string>
}

/** Providers, profiles, inbounds, squads, nodes and hosts, each before what refers to it. */
export function translateFleet(tables: SmallTables, findings: Findings): { lines: Line[]; known: Known } {
  const rows = (table: string) => tables.get(table) ?? []
  const providers = inOrder(rows('infra_providers')).map((row) => providerLine(row, findings))
  const { profiles, inbounds } = translateProfiles(rows('config_profiles'), rows('config_profile_inbounds'), findings)
  const known: Known = {
    providers: uuidsOf(providers),
    profiles: uuidsOf(profiles),
    inbounds: uuidsOf(inbounds),
    squads: new Set(),
    nodes: new Set(),
  }
  const linksOf = (table: string, owner: string, owned: string) => ownedBy(rows(table), owner, owned)
  const squadInbounds = linksOf('internal_squad_inbounds', 'internal_squad_uuid', 'inbound_uuid')
  const squads = inOrder(rows('internal_squads')).map((row, place) => squadLine(row, place + 1, squadInbounds, known, findings))
  known.squads = uuidsOf(squads)
  const nodeInbounds = linksOf('config_profile_inbounds_to_nodes', 'node_uuid', 'config_profile_inbound_uuid')
  const nodes = inOrder(rows('nodes')).map((row) => nodeLine(row, nodeInbounds, known, findings))
  known.nodes = uuidsOf(nodes)
  const hostNodes = linksOf('hosts_to_nodes', 'host_uuid', 'node_uuid')
  const hosts = inOrder(rows('hosts')).map((row) => hostLine(row, hostNodes, known, findings))
  return {
    lines: [
      ...ofKind('provider', providers),
      ...ofKind('profile', profiles),
      ...ofKind('inbound', inbounds),
      ...ofKind('squad', squads),
      ...ofKind('node', nodes),
      ...ofKind('host', hosts),
    ],
    known,
  }
}

function ofKind<K extends Line['kind']>(kind: K, lines: LineOf<K>[]): Line[] {
  return lines.map((line) => ({ kind, ...line }) as unknown as Line) // a line of this very kind
}

function uuidsOf(lines: { uuid?: string | undefined }[]): Set<string> {
  return new Set(lines.flatMap(({ uuid }) => (uuid === undefined ? [] : [uuid])))
}

function times(cells: Cells) {
  return { createdAt: cells.instant('created_at'), updatedAt: cells.instant('updated_at') }
}

function providerLine(row: SourceRow, findings: Findings): LineOf<'provider'> {
  const cells = new Cells(row, findings, `provider ${row['name']}`)
  return {
    uuid: cells.text('uuid'),
    name: cells.text('name'),
    faviconLink: cells.maybeText('favicon_link'),
    loginUrl: cells.maybeText('login_url'),
    ...times(cells),
  }
}

type Links = Map<string, string[]>

function ownedBy(rows: SourceRow[], owner: string, owned: string): Links {
  const links: Links = new Map()
  for (const row of rows) links.set(row[owner] ?? '', [...(links.get(row[owner] ?? '') ?? []), row[owned] ?? ''])
  return links
}

/** Those of the linked things that exist. */
function existing(uuids: string[] | undefined, known: Set<string>, what: string, findings: Findings): string[] {
  return (uuids ?? []).filter((uuid) => {
    if (!known.has(uuid)) findings.note('missingReference', `${what} loses ${uuid}`)
    return known.has(uuid)
  })
}

function existingOne(uuid: string | null, known: Set<string>, what: string, findings: Findings): string | null {
  return existing(uuid === null ? [] : [uuid], known, what, findings)[0] ?? null
}

function squadLine(row: SourceRow, viewPosition: number, links: Links, known: Known, findings: Findings): LineOf<'squad'> {
  const cells = new Cells(row, findings, `squad ${row['name']}`)
  const uuid = cells.text('uuid')
  const inbounds = existing(links.get(uuid), known.inbounds, `squad ${row['name']}`, findings)
  return { uuid, name: cells.text('name'), inbounds, viewPosition, tags: [], ...times(cells) }
}

function nodeLine(row: SourceRow, links: Links, known: Known, findings: Findings): LineOf<'node'> {
  const what = `node ${row['name']}`
  const cells = new Cells(row, findings, what)
  const uuid = cells.text('uuid')
  const profile = existingOne(cells.maybeText('active_config_profile_uuid'), known.profiles, what, findings)
  const isDisabled = cells.flag('is_disabled')
  return {
    uuid,
    name: cells.text('name'),
    address: cells.text('address'),
    port: cells.maybeWhole('port', { min: 1, max: 65_535 }),
    isDisabled,
    isTrafficTrackingActive: cells.flag('is_traffic_tracking_active'),
    trafficLimitBytes: cells.bytes('traffic_limit_bytes'),
    trafficUsedBytes: cells.bytes('traffic_used_bytes'),
    notifyPercent: cells.whole('notify_percent', { min: 0, max: 100 }),
    trafficResetDay: cells.whole('traffic_reset_day', { min: 1, max: 31 }),
    countryCode: cells.text('country_code'),
    consumptionMultiplier: cells.whole('consumption_multiplier', { min: 0, none: MULTIPLIER_UNIT }) / MULTIPLIER_UNIT,
    profile,
    inbounds: existing(links.get(uuid), known.inbounds, what, findings),
    provider: existingOne(cells.maybeText('provider_uuid'), known.providers, what, findings),
    viewPosition: cells.whole('view_position', { min: 0 }),
    isRunning: profile !== null && !isDisabled && cells.flag('is_connected') && cells.flag('is_xray_running'),
    xrayVersion: cells.maybeText('xray_version'),
    nodeVersion: cells.maybeText('node_version'),
    cpuCount: cells.maybeWhole('cpu_count', { min: 0 }),
    cpuModel: cells.maybeText('cpu_model'),
    totalRam: cells.maybeText('total_ram'),
    ...times(cells),
  }
}

const LAYERS = ['DEFAULT', 'TLS', 'NONE'] as const

function hostLine(row: SourceRow, links: Links, known: Known, findings: Findings): LineOf<'host'> {
  const what = `host ${row['remark']}`
  const cells = new Cells(row, findings, what)
  const uuid = cells.text('uuid')
  const layer = cells.text('security_layer')
  const linked = cells.maybeText('config_profile_inbound_uuid')
  const inbound = linked !== null && known.inbounds.has(linked) ? linked : null
  if (inbound === null) findings.note('hostWithoutInbound', what)
  return {
    uuid,
    viewPosition: cells.whole('view_position', { min: 0 }),
    remark: cells.text('remark'),
    address: cells.text('address'),
    port: cells.whole('port', { min: 0, max: 65_535 }),
    path: cells.maybeText('path'),
    sni: cells.maybeText('sni'),
    host: cells.maybeText('host'),
    alpn: cells.maybeText('alpn'),
    fingerprint: cells.maybeText('fingerprint'),
    isDisabled: cells.flag('is_disabled'),
    securityLayer: LAYERS.find((each) => each === layer) ?? cells.replaced('security_layer', layer, 'DEFAULT'),
    xHttpExtraParams: cells.json('xhttp_extra_params'),
    muxParams: cells.json('mux_params'),
    sockoptParams: cells.json('sockopt_params'),
    serverDescription: cells.maybeText('server_description'),
    tag: cells.maybeText('tag'),
    isHidden: cells.flag('is_hidden'),
    overrideSniFromAddress: cells.flag('override_sni_from_address'),
    vlessRouteId: cells.maybeWhole('vless_route_id', { min: 0, max: 65_535 }),
    shuffleHost: cells.flag('shuffle_host'),
    mihomoX25519: cells.flag('mihomo_x25519'),
    allowInsecure: cells.flag('allow_insecure'),
    profile: existingOne(cells.maybeText('config_profile_uuid'), known.profiles, what, findings),
    inbound,
    nodes: existing(links.get(uuid), known.nodes, what, findings),
  }
}
