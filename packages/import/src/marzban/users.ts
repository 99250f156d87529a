import { isUuid, type TrafficLimitStrategy, type UserStatus } from '@causeway/contract'
import { isObject, shadowsocksMethod, textAt, type XrayObject } from '@causeway/xray'
import type { LineOf } from '../archive/kinds.ts'
import { Cells, LONG_AGO, NEVER } from '../cells.ts'
import type { SourceRow } from '../copy-text.ts'
import type { Findings } from '../findings.ts'
import { UNSET_USER, type Making } from '../other-panels.ts'
import { FreeUserNames } from '../user-names.ts'

const LAST_SECOND = Date.parse(NEVER) / 1000

/** Keys of a user by protocol, as both panels name them. */
export type Keys = Record<string, XrayObject>

/** Keys of PasarGuard, which stand in one column. */
export function keysOfColumn(cells: Cells): Keys {
  const settings = cells.json('proxy_settings')
  if (!isObject(settings)) return {}
  return Object.fromEntries(Object.entries(settings).filter((entry): entry is [string, XrayObject] => isObject(entry[1])))
}

/** Keys of Marzban, a row for each protocol. */
export function keysOfRows(rows: SourceRow[], findings: Findings): Keys {
  return Object.fromEntries(
    rows.map((row) => {
      const settings = new Cells(row, findings, `keys of the user ${row['user_id']}`).json('settings')
      return [(row['type'] ?? '').toLowerCase(), isObject(settings) ? settings : {}]
    }),
  )
}

/** Whether most users that have a key for VLESS have no flow there. Users have one for all inbounds. */
export function isMostlyWithoutFlow(keys: readonly Keys[]): boolean {
  const flows = keys.flatMap(({ vless }) => (vless ? [textAt(vless, 'flow')] : []))
  return flows.filter((flow) => flow !== '').length * 2 < flows.length
}

interface Beside {
  keys: Keys
  /** Bytes before the last resets. */
  earlierBytes: number
  admin: string | undefined
}

export class MarzbanUsers {
  /** Names here by those of the source, where they differ. */
  readonly renamed: Record<string, string> = {}
  readonly #making: Making
  readonly #findings: Findings
  readonly #names: FreeUserNames

  constructor(making: Making, findings: Findings) {
    this.#making = making
    this.#findings = findings
    this.#names = new FreeUserNames(findings)
  }

  translate(row: SourceRow, { keys, earlierBytes, admin }: Beside): LineOf<'user'> {
    const original = row['username'] ?? ''
    const username = this.#names.take(original)
    if (username !== original) this.renamed[original] = username
    const cells = new Cells(row, this.#findings, `user ${username}`)
    const usedTrafficBytes = cells.bytes('used_traffic')
    const notes = [cells.text('note'), username === original ? '' : original, admin === undefined ? '' : `admin: ${admin}`]
    const { newUuid, newText, now } = this.#making
    return {
      ...UNSET_USER,
      id: cells.whole('id', { min: 1 }),
      uuid: newUuid(),
      shortUuid: newText(),
      username,
      status: this.#statusOf(cells),
      trafficLimitBytes: cells.bytes('data_limit'),
      trafficLimitStrategy: this.#strategyOf(cells, username),
      expireAt: this.#expiryOf(cells, username),
      description: notes.filter((text) => text !== '').join('\n') || null,
      tag: null,
      telegramId: null,
      hwidDeviceLimit: cells.maybeWhole('hwid_limit', { min: 0 }),
      ...this.#keysOf(keys, username),
      subRevokedAt: cells.maybeInstant('sub_revoked_at', LONG_AGO),
      usedTrafficBytes,
      lifetimeUsedTrafficBytes: Math.min(usedTrafficBytes + earlierBytes, Number.MAX_SAFE_INTEGER),
      onlineAt: cells.maybeInstant('online_at', LONG_AGO),
      subLastUserAgent: cells.maybeText('sub_last_user_agent'),
      // One in the future would make each of the user's links older than the user.
      createdAt: cells.instant('created_at', LONG_AGO),
      updatedAt: now,
    }
  }

  #statusOf(cells: Cells): UserStatus {
    const status = cells.text('status')
    return STATUSES[status] ?? cells.replaced('status', status, 'DISABLED' as const)
  }

  /** PasarGuard has an instant where Marzban has seconds. On hold, the time begins with the import. */
  #expiryOf(cells: Cells, username: string): string {
    if (cells.text('status') === 'on_hold') {
      const seconds = cells.whole('on_hold_expire_duration', { min: 0, max: LAST_SECOND })
      this.#findings.note('firstUse', username)
      return seconds === 0
        ? NEVER
        : new Date(Math.min(Date.parse(this.#making.now) + seconds * 1000, Date.parse(NEVER))).toISOString()
    }
    if (/^\d+-/.test(cells.text('expire'))) return cells.maybeInstant('expire') ?? NEVER
    const seconds = cells.whole('expire', { min: 0, max: LAST_SECOND })
    return seconds === 0 ? NEVER : new Date(seconds * 1000).toISOString()
  }

  #strategyOf(cells: Cells, username: string): TrafficLimitStrategy {
    const word = cells.text('data_limit_reset_strategy')
    const exact = STRATEGIES[word]
    if (exact === undefined) this.#findings.note('resetStrategy', `user ${username}: ${word} becomes NO_RESET`)
    return exact ?? 'NO_RESET'
  }

  #keysOf(keys: Keys, username: string): Pick<LineOf<'user'>, 'vlessUuid' | 'trojanPassword' | 'ssPassword'> {
    const at = (protocol: string, member: string) => textAt(keys[protocol], member)
    const { newUuid, newText } = this.#making
    const uuids = [at('vless', 'id'), at('vmess', 'id')]
    const made = {
      vlessUuid: uuids.find(isUuid) ?? newUuid(),
      trojanPassword: at('trojan', 'password') || at('hysteria', 'auth') || newText(),
      ssPassword: at('shadowsocks', 'password') || newText(),
    }
    const differs = (is: string, here: string) => is !== '' && is !== here
    const others = [
      ...(differs(at('vless', 'id'), made.vlessUuid) ? ['vless'] : []),
      ...(differs(at('vmess', 'id'), made.vlessUuid) ? ['vmess'] : []),
      ...(differs(at('hysteria', 'auth'), made.trojanPassword) ? ['hysteria'] : []),
      ...(differs(at('shadowsocks', 'method'), shadowsocksMethod) ? ['shadowsocks'] : []),
    ]
    if (others.length > 0) this.#findings.note('otherKey', `user ${username}: ${others.join(', ')}`)
    return made
  }
}

const STATUSES: Record<string, UserStatus> = {
  active: 'ACTIVE',
  on_hold: 'ACTIVE',
  disabled: 'DISABLED',
  limited: 'LIMITED',
  expired: 'EXPIRED',
}
const STRATEGIES: Record<string, TrafficLimitStrategy> = {
  '': 'NO_RESET',
  no_reset: 'NO_RESET',
  day: 'DAY',
  week: 'WEEK',
  month: 'MONTH',
}
