import type { Line } from '../archive/kinds.ts'
import { Cells } from '../cells.ts'
import type { SourceRow } from '../copy-text.ts'
import { Findings } from '../findings.ts'
import { TextSet } from '../text-set.ts'
import { translateFleet, type Known, type SmallTables } from './fleet.ts'
import { translateSettings, type SourceSecrets } from './settings.ts'
import { settleNames, userLine, UserNames } from './users.ts'

/** Tables that are read at once and held in memory. */
export const SMALL_TABLES = [
  'admin',
  'api_tokens',
  'config_profile_inbounds',
  'config_profile_inbounds_to_nodes',
  'config_profiles',
  'hosts',
  'hosts_to_nodes',
  'infra_providers',
  'internal_squad_inbounds',
  'internal_squads',
  'keygen',
  'nodes',
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
  'user_subscription_request_history',
  'user_traffic_history',
] as const

/**
 * Translates a database of the 2.1 generation into lines of an archive. Names of users are added first; then come the small
 * tables, the users, and the rest.
 */
export class RemnawaveTranslator {
  readonly findings = new Findings()
  readonly names = new UserNames()
  readonly #secrets: SourceSecrets
  readonly #users = new TextSet()
  /** Users whose name another one has too, until all are read. */
  readonly #held: SourceRow[] = []
  #known: Known = { providers: new Set(), profiles: new Set(), inbounds: new Set(), squads: new Set(), nodes: new Set() }

  constructor(secrets: SourceSecrets) {
    this.#secrets = secrets
  }

  translateSmall(tables: SmallTables): Line[] {
    const settings = translateSettings(tables, this.#secrets, this.findings)
    const { lines, known } = translateFleet(tables, this.findings)
    this.#known = known
    return [...settings, ...lines]
  }

  translateUsers(rows: readonly SourceRow[]): Line[] {
    return rows.flatMap((row): Line[] => {
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
    return rows.flatMap((row): Line[] => {
      const line = this.#dependentLine(table, row)
      return line ? [line] : []
    })
  }

  #userLine(row: SourceRow) {
    return userLine(row, this.#known.nodes, this.findings)
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
        return hasUser()
          ? {
              kind: 'subscriptionRequest',
              user,
              requestIp: cells.maybeText('request_ip'),
              userAgent: cells.maybeText('user_agent'),
              requestAt: cells.instant('request_at'),
            }
          : undefined
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

const MOST_AMOUNT = 999_999_999_999

function amountOf(cells: Cells): number {
  const text = cells.text('amount')
  const amount = Number(text)
  return Math.abs(amount) <= MOST_AMOUNT ? amount : cells.replaced('amount', text, 0)
}
