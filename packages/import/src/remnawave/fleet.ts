import { excludedType, hostMapper, mihomoIpVersion } from '@causeway/contract'
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
  templates: Set<string>
  plugins: Set<string>
  externalSquads: Set<string>
}

export function noneKnown(): Known {
  return {
    providers: new Set(),
    inbounds: new Set(),
    profiles: new Set(),
    squads: new Set(),
    nodes: new Set(),
    templates: new Set(),
    plugins: new Set(),
    externalSquads: new Set(),
  }
}

/** Providers, profiles, inbounds, squads, nodes and hosts, each before what refers to it. */
export function translateFleet(tables: SmallTables, shared: Known, findings: Findings): { lines: Line[]; known: Known } {
  const rows = (table: string) => tables.get(table) ?? []
  const providers = inOrder(rows('infra_providers')).map((row) => providerLine(row, findings))
  const { profiles, inbounds } = translateProfiles(rows('config_profiles'), rows('config_profile_inbounds'), findings)
  const known: Known = {
    ...shared,
    providers: uuidsOf(providers),
    profiles: uuidsOf(profiles),
    inbounds: uuidsOf(inbounds),
  }
  const linksOf = (table: string, owner: string, owned: string) => ownedBy(rows(table), owner, owned)
  const squadInbounds = linksOf('internal_squad_inbounds', 'internal_squad_uuid', 'inbound_uuid')
  const squads = inOrder(rows('internal_squads')).map((row, place) => squadLine(row, place + 1, squadInbounds, known, findings))
  known.squads = uuidsOf(squads)
  const nodeInbounds = linksOf('config_profile_inbounds_to_nodes', 'node_uuid', 'config_profile_inbound_uuid')
  const nodes = inOrder(rows('nodes')).map((row) => nodeLine(row, nodeInbounds, known, findings))
  known.nodes = uuidsOf(nodes)
  const hostNodes = linksOf('hosts_to_nodes', 'host_uuid', 'node_uuid')
  const hostSquads = ownedBy(
    [...rows('internal_squad_host_exclusions'), ...rows('internal_squad_host_links')],
    'host_uuid',
    'squad_uuid',
  )
  const hosts = inOrder(rows('hosts')).map((row) => hostLine(row, { nodes: hostNodes, squads: hostSquads }, known, findings))
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

export function ofKind<K extends Line['kind']>(kind: K, lines: LineOf<K>[]): Line[] {
  return lines.map((line) => ({ kind, ...line }) as unknown as Line) // a line of this very kind
}

export function uuidsOf(lines: { uuid?: string | undefined }[]): Set<string> {
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
export function existing(uuids: string[] | undefined, known: Set<string>, what: string, findings: Findings): string[] {
  return (uuids ?? []).filter((uuid) => {
    if (!known.has(uuid)) findings.note('missingReference', `${what} loses ${uuid}`)
    return known.has(uuid)
  })
}

export function existingOne(uuid: string | null, known: Set<string>, what: string, findings: Findings): string | null {
  return existing(uuid === null ? [] : [uuid], known, what, findings)[0] ?? null
}

function squadLine(row: SourceRow, viewPosition: number, links: Links, known: Known, findings: Findings): LineOf<'squad'> {
  const cells = new Cells(row, findings, `squad ${row['name']}`)
  const uuid = cells.text('uuid')
  const inbounds = existing(links.get(uuid), known.inbounds, `squad ${row['name']}`, findings)
  return { uuid, name: cells.text('name'), inbounds, viewPosition, tags: cells.list('tags'), ...times(cells) }
}

function nodeLine(row: SourceRow, links: Links, known: Known, findings: Findings): LineOf<'node'> {
  const what = `node ${row['name']}`
  const cells = new Cells(row, findings, what)
  const uuid = cells.text('uuid')
  const profile = existingOne(cells.maybeText('active_config_profile_uuid'), known.profiles, what, findings)
  const isDisabled = cells.flag('is_disabled')
  noteLeft(cells, what, findings)
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
    isRunning:
      profile !== null &&
      !isDisabled &&
      cells.flag('is_connected') &&
      (!cells.has('is_xray_running') || cells.flag('is_xray_running')),
    xrayVersion: cells.maybeText('xray_version'),
    nodeVersion: cells.maybeText('node_version'),
    cpuCount: cells.maybeWhole('cpu_count', { min: 0 }),
    cpuModel: cells.maybeText('cpu_model'),
    totalRam: cells.maybeText('total_ram'),
    plugin: existingOne(cells.maybeText('active_plugin_uuid'), known.plugins, what, findings),
    tags: cells.list('tags'),
    note: cells.maybeText('note'),
    ips: cells.json('ips') ?? [],
    ...times(cells),
  }
}

/** Members of later versions without a place here, where they are set. */
function noteLeft(cells: Cells, what: string, findings: Findings): void {
  if ((cells.maybeText('proxy_url') ?? '') !== '') findings.note('notCarried', `the proxy of the ${what}`)
  if (cells.whole('node_consumption_multiplier', { min: 0, none: MULTIPLIER_UNIT }) !== MULTIPLIER_UNIT)
    findings.note('notCarried', `the multiplier of the ${what} itself`)
  if (cells.list('integration_uuids').length > 0) findings.note('notCarried', `the integrations of the ${what}`)
}

const LAYERS = ['DEFAULT', 'TLS', 'NONE'] as const

function hostLine(row: SourceRow, links: { nodes: Links; squads: Links }, known: Known, findings: Findings): LineOf<'host'> {
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
    tags: cells.has('tags') ? cells.list('tags') : [cells.maybeText('tag') ?? []].flat(),
    isHidden: cells.flag('is_hidden'),
    overrideSniFromAddress: cells.flag('override_sni_from_address'),
    vlessRouteId: cells.maybeWhole('vless_route_id', { min: 0, max: 65_535 }),
    shuffleHost: cells.flag('shuffle_host'),
    mihomoX25519: cells.flag('mihomo_x25519'),
    allowInsecure: cells.flag('allow_insecure'),
    ...additionsOf(cells, links.squads.get(uuid), known, findings),
    profile: existingOne(cells.maybeText('config_profile_uuid'), known.profiles, what, findings),
    inbound,
    nodes: existing(links.nodes.get(uuid), known.nodes, what, findings),
  }
}

/** Members of hosts of later versions. */
function additionsOf(cells: Cells, linked: string[] | undefined, known: Known, findings: Findings) {
  const what = `host ${cells.text('remark')}`
  const squads = existing(linked, known.squads, what, findings)
  const isForSome = cells.text('internal_squads_mode') === 'ALLOW_ONLY'
  if (isForSome) findings.note('hostSquads', what)
  const types = cells.list('exclude_from_subscription_types')
  const mapper = hostMapper.safeParse(cells.json('mapper') ?? {})
  if (!mapper.success) findings.note('notCarried', `the mapper of the ${what}`)
  const ipVersion = cells.maybeText('mihomo_ip_version')
  return {
    keepSniBlank: cells.flag('keep_sni_blank'),
    xrayJsonTemplate: existingOne(cells.maybeText('xray_json_template_uuid'), known.templates, what, findings),
    excludedSquads: isForSome ? [...known.squads].filter((squad) => !squads.includes(squad)) : squads,
    excludedTypes: types.flatMap((type) => excludedType.safeParse(type).data ?? []),
    finalMask: cells.json('final_mask'),
    pinnedPeerCertSha256: cells.maybeText('pinned_peer_cert_sha256'),
    verifyPeerCertByName: cells.maybeText('verify_peer_cert_by_name'),
    mihomoIpVersion:
      ipVersion === null
        ? null
        : (mihomoIpVersion.safeParse(ipVersion).data ?? cells.replaced('mihomo_ip_version', ipVersion, null)),
    mapper: mapper.data ?? {},
  }
}
