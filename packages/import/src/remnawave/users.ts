import { trafficLimitStrategy, userStatus, wireEmail, type TrafficLimitStrategy } from '@causeway/contract'
import type { LineOf } from '../archive/kinds.ts'
import { Cells } from '../cells.ts'
import type { SourceRow } from '../copy-text.ts'
import type { Findings } from '../findings.ts'
import { freeName } from '../free-names.ts'
import { TextSet } from '../text-set.ts'

/** Names of all users, read before them: which of them are equal but for case. */
export class UserNames {
  #names = new TextSet()
  readonly #shared = new Set<string>()

  add(username: string): void {
    const name = username.toLowerCase()
    if (!this.#names.add(name)) this.#shared.add(name)
  }

  /** After the last one: where no name is shared, no free one is looked for, and millions of names need not be kept. */
  end(): void {
    if (this.#shared.size === 0) this.#names = new TextSet()
  }

  isShared(username: string): boolean {
    return this.#shared.has(username.toLowerCase())
  }

  /** A name that no other user has, and that is taken from now on. */
  freeNameFor(username: string): string {
    const name = freeName(username, (candidate) => this.#names.has(candidate.toLowerCase()))
    this.#names.add(name.toLowerCase())
    return name
  }
}

/** Gives all but the user created first another name. */
export function settleNames(users: LineOf<'user'>[], names: UserNames, findings: Findings): LineOf<'user'>[] {
  const groups = Map.groupBy(users, ({ username }) => username.toLowerCase())
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
    const renamed = others.map((user) => {
      const username = names.freeNameFor(user.username)
      findings.note('nameTaken', `${user.username} becomes ${username}, as ${first?.username} is older`)
      return { ...user, username }
    })
    return first ? [first, ...renamed] : []
  })
}

function orderOf({ createdAt, uuid }: LineOf<'user'>): string {
  return `${createdAt} ${uuid}`
}

const ROLLING: TrafficLimitStrategy = 'MONTH'
const NEAREST: Record<string, TrafficLimitStrategy> = { MONTH_ROLLING: ROLLING }

interface Existing {
  nodes: ReadonlySet<string>
  externalSquads: ReadonlySet<string>
}

export function userLine(row: SourceRow, { nodes, externalSquads }: Existing, findings: Findings): LineOf<'user'> {
  const cells = new Cells(row, findings, `user ${row['username']}`)
  const lastNode = cells.maybeText('last_connected_node_uuid')
  const externalSquad = cells.maybeText('external_squad_uuid')
  return {
    id: cells.maybeWhole('t_id', { min: 1 }),
    uuid: cells.text('uuid'),
    shortUuid: cells.text('short_uuid'),
    username: cells.text('username'),
    status: statusOf(cells),
    trafficLimitBytes: cells.bytes('traffic_limit_bytes'),
    extraTrafficBytes: 0,
    trafficLimitStrategy: strategyOf(cells, findings),
    expireAt: cells.instant('expire_at'),
    description: cells.maybeText('description'),
    tag: cells.maybeText('tag'),
    telegramId: cells.maybeWhole('telegram_id', { min: Number.MIN_SAFE_INTEGER }),
    email: emailOf(cells),
    hwidDeviceLimit: cells.maybeWhole('hwid_device_limit', { min: 0 }),
    trojanPassword: cells.text('trojan_password'),
    vlessUuid: cells.text('vless_uuid'),
    ssPassword: cells.text('ss_password'),
    subRevokedAt: cells.maybeInstant('sub_revoked_at'),
    usedTrafficBytes: cells.bytes('used_traffic_bytes'),
    lifetimeUsedTrafficBytes: cells.bytes('lifetime_used_traffic_bytes'),
    onlineAt: cells.maybeInstant('online_at'),
    firstConnectedAt: cells.maybeInstant('first_connected_at'),
    lastConnectedNode: lastNode !== null && nodes.has(lastNode) ? lastNode : null,
    lastTrafficResetAt: cells.maybeInstant('last_traffic_reset_at'),
    lastTriggeredThreshold: cells.whole('last_triggered_threshold', { min: 0, max: 100 }),
    subLastOpenedAt: cells.maybeInstant('sub_last_opened_at'),
    subLastUserAgent: cells.maybeText('sub_last_user_agent'),
    externalSquad: externalSquad !== null && externalSquads.has(externalSquad) ? externalSquad : null,
    createdAt: cells.instant('created_at'),
    updatedAt: cells.instant('updated_at'),
  }
}

function statusOf(cells: Cells) {
  const text = cells.text('status')
  return userStatus.safeParse(text).data ?? cells.replaced('status', text, 'DISABLED' as const)
}

function strategyOf(cells: Cells, findings: Findings): TrafficLimitStrategy {
  const text = cells.text('traffic_limit_strategy')
  const known = trafficLimitStrategy.safeParse(text).data
  if (known) return known
  const nearest = NEAREST[text] ?? 'NO_RESET'
  findings.note('resetStrategy', `user ${cells.text('username')}: ${text} becomes ${nearest}`)
  return nearest
}

/** Clients refuse a user whose address is none. */
function emailOf(cells: Cells): string | null {
  const text = cells.maybeText('email')
  if (text === null || text === '') return null
  return wireEmail.safeParse(text).success ? text : cells.replaced('email', text, null)
}
