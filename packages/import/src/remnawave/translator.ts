import type { Line } from '../archive/kinds.ts'
import { Cells } from '../cells.ts'
import type { SourceRow } from '../copy-text.ts'
import { Findings } from '../findings.ts'
import { TextSet } from '../text-set.ts'
import { noneKnown, translateFleet, type Known, type SmallTables } from './fleet.ts'
import { LaterRows } from './later-rows.ts'
import { translateSettings, type SourceSecrets } from './settings.ts'
import { translateShared } from './shared.ts'
import { settleNames, userLine, UserNames } from './users.ts'

/** Tables that are read at once and held in memory. */
export const SMALL_TABLES = [
  'admin',
  'api_tokens',
  'config_profile_inbounds',
  'config_profile_inbounds_to_nodes',
  'config_profiles',
  'config_profile_snippets',
  'external_squads',
  'external_squads_templates',
  'hosts',
  'hosts_to_nodes',
  'infra_providers',
  'internal_squad_host_exclusions',
  'internal_squad_host_links',
  'internal_squad_inbounds',
  'internal_squads',
  'keygen',
  'node_meta',
  'node_plugin',
  'nodes',
  'shared_lists',
  'subscription_page_config',
  'subscription_settings',
  'subscription_templates',
] as const
/** Tables whose rows refer to users, nodes and squads; in any order, after the users. */
export const DEPENDENT_TABLES = [
  'hwid_user_devices',
  'infra_billing_history',
  'infra_billing_nodes',
  'internal_squad_members',
  'nodes_traffic_usage_history',
  'nodes_usage_history',
  'nodes_user_usage_history',
  'user_meta',
  'user_subscription_request_history',
  'user_traffic_history',
] as const
/** Since 2.3 it has what users have used. */
export const TOTALS_TABLE = 'user_traffic'

/**
 * Translates a database of the 2.x and 3.x generations into lines of an archive. Names of users are added first; then come the
 * small tables, what users have used where that is a table of its own, the users, and the rest.
 */
export class RemnawaveTranslator {
  readonly findings = new Findings()
  readonly names = new UserNames()
  readonly #secrets: SourceSecrets
  readonly #users = new TextSet()
  readonly #later = new LaterRows()
  /** Users whose name another one has too, until all are read. */
  readonly #held: SourceRow[] = []
  #known: Known = noneKnown()

  constructor(secrets: SourceSecrets) {
    this.#secrets = secrets
  }

  translateSmall(tables: SmallTables): Line[] {
    this.#later.takeNodes(tables.get('nodes') ?? [])
    const settings = translateSettings(tables, this.#secrets, this.findings)
    const shared = translateShared(tables, settings, this.findings)
    const { lines, known } = translateFleet(tables, shared.known, this.findings)
    this.#known = known
    const metadata = (tables.get('node_meta') ?? []).flatMap((row) => this.#dependentLines('node_meta', row))
    return [...settings, ...shared.lines, ...lines, ...metadata]
  }

  takeTotals(rows: readonly SourceRow[]): void {
    this.#later.takeTotals(rows)
  }

  translateUsers(rows: readonly SourceRow[]): Line[] {
    return rows.flatMap((given): Line[] => {
      const row = this.#later.user(given)
      this.#users.add(row['uuid'] ?? '')
      if (!this.names.isShared(row['username'] ?? '')) return [{ kind: 'user', ...this.#userLine(row) }]
      this.#held.push(row)
      return []
    })
  }

  /** Users that were held back. */
  finishUsers(): Line[] {
    const users = this.#held.map((row) => this.#userLine(row))
    return settleNames(users, this.names, this.findings).map((user) => ({ kind: 'user', ...user }))
  }

  translateDependents(table: string, rows: readonly SourceRow[]): Line[] {
    return rows.flatMap((row) => this.#dependentLines(table, row))
  }

  #userLine(row: SourceRow) {
    return userLine(row, this.#known, this.findings)
  }

  #dependentLines(table: string, row: SourceRow): Line[] {
    const line = this.#dependentLine(table, this.#later.dependent(row))
    return line ? [line] : []
  }

  #dependentLine(table: string, row: SourceRow): Line | undefined {
    const cells = new Cells(row, this.findings, table)
    const { nodes, providers, squads } = this.#known
    const [user, node] = [row['user_uuid'] ?? '', row['node_uuid'] ?? '']
    const hasUser = () => this.#users.has(user) || this.#missing(table, 'user', user)
    const hasNode = () => nodes.has(node) || this.#missing(table, 'node', node)
    switch (table) {
      case 'internal_squad_members': {
        const squad = cells.text('internal_squad_uuid')
        return (squads.has(squad) || this.#missing(table, 'squad', squad)) && hasUser()
          ? { kind: 'member', squad, user }
          : undefined
      }
      case 'hwid_user_devices':
        return hasUser() ? deviceLine(user, cells) : undefined
      case 'user_traffic_history':
        return hasUser()
          ? { kind: 'userTrafficReset', user, usedBytes: cells.bytes('used_bytes'), resetAt: cells.instant('reset_at') }
          : undefined
      case 'nodes_user_usage_history':
        return hasNode() && hasUser()
          ? { kind: 'userUsage', user, node, day: cells.text('created_at'), ...this.#moved(table, cells) }
          : undefined
      case 'nodes_usage_history':
        return hasNode()
          ? { kind: 'nodeUsage', node, beginsAt: cells.instant('created_at'), ...this.#moved(table, cells) }
          : undefined
      case 'nodes_traffic_usage_history':
        return hasNode()
          ? { kind: 'nodeTrafficReset', node, trafficBytes: cells.bytes('traffic_bytes'), resetAt: cells.instant('reset_at') }
          : undefined
      case 'user_subscription_request_history':
        return hasUser() ? requestLine(user, cells) : undefined
      case 'user_meta':
        return hasUser() ? { kind: 'userMetadata', user, metadata: cells.json('metadata') } : undefined
      case 'node_meta':
        return hasNode() ? { kind: 'nodeMetadata', node, metadata: cells.json('metadata') } : undefined
    }
    const provider = cells.text('provider_uuid')
    if (!providers.has(provider) && !this.#missing(table, 'provider', provider)) return undefined
    if (table === 'infra_billing_history')
      return {
        kind: 'billingRecord',
        uuid: cells.text('uuid'),
        provider,
        amount: amountOf(cells),
        billedAt: cells.instant('billed_at'),
      }
    if (table !== 'infra_billing_nodes') throw new Error(`No rule says how the table ${table} is translated.`)
    if (cells.has('name') && node === '') {
      this.findings.note('notCarried', `the billing of ${cells.text('name')}, which is no node`)
      return undefined
    }
    return hasNode()
      ? {
          kind: 'billingNode',
          uuid: cells.text('uuid'),
          node,
          provider,
          nextBillingAt: cells.instant('next_billing_at'),
          createdAt: cells.instant('created_at'),
          updatedAt: cells.instant('updated_at'),
        }
      : undefined
  }

  #missing(table: string, what: string, uuid: string): false {
    this.findings.note('missingReference', `a row of ${table} of the missing ${what} ${uuid} is left out`)
    return false
  }

  /** The sum is what the source shows. */
  #moved(table: string, cells: Cells): { uploadBytes: number; downloadBytes: number } {
    const [uploadBytes, downloadBytes, total] = [
      cells.bytes('upload_bytes'),
      cells.bytes('download_bytes'),
      cells.bytes('total_bytes'),
    ]
    if (uploadBytes + downloadBytes === total) return { uploadBytes, downloadBytes }
    this.findings.note(
      'usageSum',
      `${table} of ${cells.text('created_at')}: ${uploadBytes} + ${downloadBytes} bytes, where the sum is ${total}`,
    )
    const upload = Math.min(uploadBytes, total)
    return { uploadBytes: upload, downloadBytes: total - upload }
  }
}

function deviceLine(user: string, cells: Cells): Line {
  return {
    kind: 'device',
    user,
    hwid: cells.text('hwid'),
    platform: cells.maybeText('platform'),
    osVersion: cells.maybeText('os_version'),
    deviceModel: cells.maybeText('device_model'),
    userAgent: cells.maybeText('user_agent'),
    createdAt: cells.instant('created_at'),
    updatedAt: cells.instant('updated_at'),
  }
}

function requestLine(user: string, cells: Cells): Line {
  return {
    kind: 'subscriptionRequest',
    user,
    requestIp: cells.maybeText('request_ip'),
    userAgent: cells.maybeText('user_agent'),
    requestAt: cells.instant('request_at'),
    ruleName: cells.maybeText('srr_rule_name'),
    responseType: cells.maybeText('srr_response_type') ?? 'UNKNOWN',
  }
}

const MOST_AMOUNT = 999_999_999_999

function amountOf(cells: Cells): number {
  const text = cells.text('amount')
  const amount = Number(text)
  return Math.abs(amount) <= MOST_AMOUNT ? amount : cells.replaced('amount', text, 0)
}
