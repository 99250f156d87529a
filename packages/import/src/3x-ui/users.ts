import { isUuid, userTag, type TrafficLimitStrategy, type UserStatus } from '@causeway/contract'
import { shadowsocksMethod, sharedKey, sharedMethodOf } from '@causeway/xray'
import type { LineOf } from '../archive/kinds.ts'
import { Cells, NEVER } from '../cells.ts'
import type { SourceRow } from '../copy-text.ts'
import type { Findings } from '../findings.ts'
import { UNSET_USER, type Making } from '../other-panels.ts'
import { FreeUserNames } from '../user-names.ts'
import { credentialAt, methodOf, type Client } from './clients.ts'
import type { SourceInbound } from './inbounds.ts'

const LAST_INSTANT = Date.parse(NEVER)

/** Translates clients that one link answers for into a user. */
export class XuiUsers {
  readonly #traffics: Map<string, SourceRow>
  readonly #making: Making
  readonly #findings: Findings
  readonly #names: FreeUserNames
  readonly #links = new Set<string>()

  constructor(traffics: SourceRow[], making: Making, findings: Findings) {
    this.#traffics = new Map(traffics.map((row) => [row['email'] ?? '', row]))
    this.#making = making
    this.#findings = findings
    this.#names = new FreeUserNames(findings)
  }

  /** @param group at least one client */
  translate(group: readonly Client[]): LineOf<'user'> {
    const { now, newUuid } = this.#making
    const cells = group.map(({ row }) => new Cells(row, this.#findings, `client ${row['email']}`))
    const [first] = cells
    if (!first) throw new Error('A group without a client cannot be.')
    const original = first.text('email') || first.text('sub_id')
    const username = this.#names.take(original)
    if (group.length > 1) this.#findings.note('sameLink', `${username}: ${group.map(({ row }) => row['email']).join(', ')}`)
    const usage = this.#usageOf(group)
    const trafficLimitBytes = sumOfLimits(cells.map((each) => each.bytes('total_gb')))
    const expireAt = this.#expiryOf(cells, username)
    const created = cells.map((each) => instantOf(each, 'created_at')).filter((text) => text !== null)
    const createdAt = created.toSorted()[0] ?? now
    const notes = [first.text('comment'), original === username ? '' : original].filter((text) => text !== '')
    return {
      ...UNSET_USER,
      id: null,
      uuid: newUuid(),
      shortUuid: this.#linkOf(first.text('sub_id')),
      username,
      status: statusOf({ isOn: cells.some((each) => each.flag('enable')), expireAt, trafficLimitBytes, ...usage }, now),
      trafficLimitBytes,
      trafficLimitStrategy: this.#strategyOf(first, username),
      expireAt,
      description: notes.length > 0 ? notes.join('\n') : null,
      tag: this.#tagOf(first, username),
      telegramId: first.text('tg_id') === '' ? null : first.maybeWhole('tg_id', { min: Number.MIN_SAFE_INTEGER }) || null,
      hwidDeviceLimit: this.#deviceLimitOf(cells, username),
      ...this.#keysOf(group, username),
      subRevokedAt: null,
      usedTrafficBytes: usage.usedTrafficBytes,
      lifetimeUsedTrafficBytes: usage.usedTrafficBytes,
      onlineAt: usage.onlineAt,
      subLastUserAgent: null,
      createdAt,
      updatedAt: now,
    }
  }

  /** The source's own word of the link, where it can stand in an address. */
  #linkOf(subId: string): string {
    const isFree = subId !== '' && subId.length <= 255 && !/[/?#\0]/.test(subId) && !this.#links.has(subId)
    const link = isFree ? subId : this.#making.newText()
    this.#links.add(link)
    return link
  }

  #usageOf(group: readonly Client[]): { usedTrafficBytes: number; onlineAt: string | null } {
    const emails = [...new Set(group.map(({ row }) => row['email'] ?? ''))]
    const rows = emails.map((email) => this.#traffics.get(email)).filter((row) => row !== undefined)
    const cells = rows.map((row) => new Cells(row, this.#findings, `traffic of ${row['email']}`))
    const bytes = cells.map((each) => each.bytes('up') + each.bytes('down')).reduce((sum, each) => sum + each, 0)
    const seen = cells.map((each) => instantOf(each, 'last_online')).filter((text) => text !== null)
    return { usedTrafficBytes: Math.min(bytes, Number.MAX_SAFE_INTEGER), onlineAt: seen.toSorted().at(-1) ?? null }
  }

  /** The latest; a negative one is a duration from the first use. */
  #expiryOf(cells: readonly Cells[], username: string): string {
    const instants = cells.map((each) => each.whole('expiry_time', { min: Number.MIN_SAFE_INTEGER, none: 0 }))
    if (instants.some((each) => each < 0)) this.#findings.note('firstUse', username)
    const latest = Math.max(
      ...instants.map((each) => (each === 0 ? LAST_INSTANT : each < 0 ? Date.parse(this.#making.now) - each : each)),
    )
    return new Date(Math.min(latest, LAST_INSTANT)).toISOString()
  }

  #strategyOf(cells: Cells, username: string): TrafficLimitStrategy {
    const word = cells.text('traffic_reset').toLowerCase()
    const days = cells.whole('reset', { min: 0, none: 0 })
    const exact = STRATEGIES[word]
    if (exact !== undefined && days === 0) return exact
    const nearest = exact !== undefined && exact !== 'NO_RESET' ? exact : (BY_DAYS[days] ?? NEAREST[word] ?? 'NO_RESET')
    const was = [...(word === '' ? [] : [word]), ...(days === 0 ? [] : [`renewal after ${days} days`])].join(', ')
    this.#findings.note('resetStrategy', `user ${username}: ${was} becomes ${nearest}`)
    return nearest
  }

  #tagOf(cells: Cells, username: string): string | null {
    const group = cells.text('group_name')
    if (group === '') return null
    const tag = userTag.safeParse(group.toUpperCase()).data
    return tag ?? cells.replaced(`group_name of ${username}`, group, null)
  }

  /** Addresses at once cannot be limited here, devices can. */
  #deviceLimitOf(cells: readonly Cells[], username: string): number | null {
    const limits = cells.map((each) => each.maybeWhole('limit_hwid', { min: 0 }) ?? 0)
    if (cells.some((each) => (each.maybeWhole('limit_ip', { min: 0 }) ?? 0) > 0))
      this.#findings.note('notCarried', `limit of addresses of ${username}`)
    return Math.max(...limits) || null
  }

  #keysOf(group: readonly Client[], username: string): Pick<LineOf<'user'>, 'vlessUuid' | 'trojanPassword' | 'ssPassword'> {
    const at = group.flatMap((client) => client.inbounds.map((inbound) => ({ inbound, key: credentialAt(client, inbound) })))
    const firstAt = (...protocols: string[]) =>
      protocols.flatMap((name) => at.filter(({ inbound, key }) => inbound.protocol === name && key !== ''))
    const own = (column: string) => group.map(({ row }) => row[column] ?? '').find((text) => text !== '')
    const { newUuid, newText } = this.#making
    const uuids = [...firstAt('vless', 'vmess').map(({ key }) => key), own('uuid') ?? '']
    const keys = {
      vlessUuid: uuids.find(isUuid) ?? newUuid(),
      trojanPassword: firstAt('trojan', 'hysteria')[0]?.key ?? own('password') ?? own('auth') ?? newText(),
      ssPassword: firstAt('shadowsocks')[0]?.key ?? own('password') ?? newText(),
    }
    const others = at.filter(({ inbound, key }) => key !== keyHere(inbound, keys)).map(({ inbound }) => inbound.tag)
    if (others.length > 0) this.#findings.note('otherKey', `user ${username}: ${[...new Set(others)].join(', ')}`)
    return keys
  }
}

/** The credential that this user has at an inbound here; none where the app's method is another. */
function keyHere(
  inbound: SourceInbound,
  keys: { vlessUuid: string; trojanPassword: string; ssPassword: string },
): string | undefined {
  switch (inbound.protocol) {
    case 'vless':
    case 'vmess':
      return keys.vlessUuid
    case 'trojan':
    case 'hysteria':
      return keys.trojanPassword
    case 'shadowsocks': {
      const shared = sharedMethodOf(inbound.config)
      if (shared) return sharedKey(keys.vlessUuid, shared)
      return methodOf(inbound) === shadowsocksMethod ? keys.ssPassword : undefined
    }
    default:
      return undefined
  }
}

const STRATEGIES: Record<string, TrafficLimitStrategy> = {
  '': 'NO_RESET',
  never: 'NO_RESET',
  daily: 'DAY',
  weekly: 'WEEK',
  monthly: 'MONTH',
}
const NEAREST: Record<string, TrafficLimitStrategy> = { hourly: 'DAY' }
const BY_DAYS: Record<number, TrafficLimitStrategy> = { 1: 'DAY', 7: 'WEEK', 28: 'MONTH', 29: 'MONTH', 30: 'MONTH', 31: 'MONTH' }

/** Without a limit where one of them has none. */
function sumOfLimits(limits: number[]): number {
  if (limits.includes(0)) return 0
  return Math.min(
    limits.reduce((sum, limit) => sum + limit, 0),
    Number.MAX_SAFE_INTEGER,
  )
}

/** Milliseconds since 1970; 0 is none. */
function instantOf(cells: Cells, column: string): string | null {
  const at = cells.maybeWhole(column, { min: 0, max: LAST_INSTANT }) ?? 0
  return at === 0 ? null : new Date(at).toISOString()
}

interface Standing {
  isOn: boolean
  expireAt: string
  trafficLimitBytes: number
  usedTrafficBytes: number
}

/** The source switches off users past a limit, so that limits count first. */
function statusOf({ isOn, expireAt, trafficLimitBytes, usedTrafficBytes }: Standing, now: string): UserStatus {
  if (Date.parse(expireAt) <= Date.parse(now)) return 'EXPIRED'
  if (trafficLimitBytes > 0 && usedTrafficBytes >= trafficLimitBytes) return 'LIMITED'
  return isOn ? 'ACTIVE' : 'DISABLED'
}
