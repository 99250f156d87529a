import { isObject, textAt, type XrayObject } from '@causeway/xray'
import type { Line } from '../archive/kinds.ts'
import { Cells } from '../cells.ts'
import type { SourceRow } from '../copy-text.ts'
import { Findings, type Finding } from '../findings.ts'
import type { Making } from '../other-panels.ts'
import { hostLines, profileLines, squadLines, type FleetInbound, type SourceConfig, type SourceSquad } from './fleet.ts'
import type { MarzbanSchema } from './schema.ts'
import { isMostlyWithoutFlow, keysOfColumn, keysOfRows, MarzbanUsers, type Keys } from './users.ts'

export interface MarzbanOptions extends Making {
  /** Of the server itself, where hosts stand at it. */
  address: string | null
  /** The core's configuration, which Marzban keeps in a file. */
  config: XrayObject | null
  /** That links stand under. */
  path: string
}

/** Translates a database of Marzban or PasarGuard. @throws Error with a sentence when something is missing that it needs */
export function translateMarzban(
  tables: ReadonlyMap<string, SourceRow[]>,
  { panel }: Pick<MarzbanSchema, 'panel'>,
  options: MarzbanOptions,
): { lines: Line[]; findings: Finding[] } {
  const findings = new Findings()
  const rows = (table: string) => tables.get(table) ?? []
  const isWithoutFlow = isMostlyWithoutFlow(
    panel === 'marzban'
      ? [...Map.groupBy(rows('proxies'), (row) => row['user_id']).values()].map((own) => keysOfRows(own, new Findings()))
      : rows('users').map((row) => keysOfColumn(new Cells(row, new Findings(), ''))),
  )
  const making = { ...options, isWithoutFlow }
  const { lines: profiles, inbounds } = profileLines(
    panel === 'marzban' ? [ownConfig(options.config)] : storedConfigs(rows('core_configs'), findings),
    making,
    findings,
  )
  const squads = squadLines(panel === 'marzban' ? squadsOfInbounds(inbounds) : squadsOfGroups(rows), inbounds, making)
  const access = panel === 'marzban' ? accessByProtocol(rows, inbounds, findings) : accessByGroup(rows, findings)
  const users = new MarzbanUsers(options, findings)
  const admins = new Map(rows('admins').map(({ id, username }) => [id, username ?? '']))
  const earlier = earlierBytes(rows('user_usage_logs'), findings)
  const lines: Line[] = [...profiles, ...squads.lines, ...hostLines(rows('hosts'), inbounds, making, findings)]
  for (const row of rows('users')) {
    const id = row['id'] ?? ''
    const { keys, squadKeys } = access(row)
    const hasFlow = keys['vless'] && textAt(keys['vless'], 'flow') !== ''
    if (hasFlow === isWithoutFlow) findings.note('otherKey', `user ${row['username']}: flow of VLESS`)
    const user = users.translate(row, { keys, earlierBytes: earlier.get(id) ?? 0, admin: admins.get(row['admin_id'] ?? null) })
    lines.push({ kind: 'user', ...user })
    const joined = squadKeys.flatMap((key) => squads.squads.get(key) ?? [])
    for (const squad of new Set(joined)) lines.push({ kind: 'member', squad, user: user.uuid })
  }
  const names = new Map(rows('users').map(({ id, username }) => [id, username]))
  for (const { user_id: user } of rows('next_plans'))
    findings.note('nextPlan', `of the user ${names.get(user ?? null) ?? `with the number ${user}`}`)
  const secret = rows('jwt')[0]?.['secret_key'] ?? ''
  if (secret === '')
    throw new Error('The source has no key in its table jwt, so that its links cannot go on. Nothing was changed.')
  const apps = panel === 'pasarguard' ? { apps: appsOf(rows('settings')[0], findings) } : {}
  lines.push({ kind: 'oldLinks', paths: [], signed: { path: options.path, secret, renamed: users.renamed, ...apps } })
  return { lines, findings: findings.list() }
}

/** Apps that its page of a subscription offers, as they are stored. */
function appsOf(settings: SourceRow | undefined, findings: Findings): XrayObject[] {
  const subscription = settings && new Cells(settings, findings, 'settings').json('subscription')
  const apps = isObject(subscription) ? subscription['applications'] : undefined
  return Array.isArray(apps) ? apps.filter(isObject) : []
}

function ownConfig(config: XrayObject | null): SourceConfig {
  if (config === null)
    throw new Error(
      'This panel keeps the configuration of its core in a file (XRAY_JSON). Give its contents (--xray-config on a terminal). Nothing was changed.',
    )
  return { name: 'Moved-in', config }
}

function storedConfigs(rows: SourceRow[], findings: Findings): SourceConfig[] {
  return rows.flatMap((row) => {
    const config = new Cells(row, findings, `core ${row['name']}`).json('config')
    return isObject(config) ? [{ name: row['name'] || `core-${row['id']}`, config }] : []
  })
}

function squadsOfInbounds(inbounds: ReadonlyMap<string, FleetInbound>): SourceSquad[] {
  return [...inbounds.keys()].map((tag) => ({ key: tag, name: tag, tags: [tag] }))
}

type Rows = (table: string) => SourceRow[]

function squadsOfGroups(rows: Rows): SourceSquad[] {
  const tags = new Map(rows('inbounds').map(({ id, tag }) => [id, tag ?? '']))
  const links = Map.groupBy(rows('inbounds_groups_association'), (row) => columnLike(row, 'group'))
  // A group that is off gives access to nothing.
  return rows('groups').map(({ id, name, is_disabled: isOff }) => ({
    key: id ?? '',
    name: name ?? '',
    tags:
      isOff === '1' || isOff === 't'
        ? []
        : (links.get(id ?? null) ?? []).flatMap((row) => tags.get(columnLike(row, 'inbound')) ?? []),
  }))
}

/** Versions differ in the names of these columns. */
function columnLike(row: SourceRow, beginning: string): string | null {
  const column = Object.keys(row).find((name) => name.startsWith(beginning))
  return column === undefined ? null : (row[column] ?? null)
}

type Access = (user: SourceRow) => { keys: Keys; squadKeys: string[] }

/** Every inbound of the user's protocols but those that are excluded. */
function accessByProtocol(rows: Rows, inbounds: ReadonlyMap<string, FleetInbound>, findings: Findings): Access {
  const proxies = Map.groupBy(rows('proxies'), (row) => row['user_id'])
  const excluded = Map.groupBy(rows('exclude_inbounds_association'), (row) => row['proxy_id'])
  return ({ id }) => {
    const own = proxies.get(id ?? null) ?? []
    const squadKeys = own.flatMap((proxy) => {
      const without = new Set((excluded.get(proxy['id'] ?? null) ?? []).map((row) => row['inbound_tag']))
      const protocol = (proxy['type'] ?? '').toLowerCase()
      return [...inbounds].flatMap(([tag, inbound]) => (inbound.protocol === protocol && !without.has(tag) ? [tag] : []))
    })
    return { keys: keysOfRows(own, findings), squadKeys }
  }
}

function accessByGroup(rows: Rows, findings: Findings): Access {
  const groups = Map.groupBy(rows('users_groups_association'), (row) => columnLike(row, 'user'))
  return (row) => ({
    keys: keysOfColumn(new Cells(row, findings, `user ${row['username']}`)),
    squadKeys: (groups.get(row['id'] ?? null) ?? []).flatMap((link) => columnLike(link, 'group') ?? []),
  })
}

function earlierBytes(logs: SourceRow[], findings: Findings): Map<string, number> {
  const sums = new Map<string, number>()
  for (const row of logs) {
    const user = row['user_id'] ?? ''
    const bytes = new Cells(row, findings, `usage of the user ${user}`).bytes('used_traffic_at_reset')
    sums.set(user, (sums.get(user) ?? 0) + bytes)
  }
  return sums
}
