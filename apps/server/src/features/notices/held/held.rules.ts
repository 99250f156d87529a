import type { HeldBack, NoticeDigest } from '@causeway/contract'
import { whyHeld } from '../due.rules.ts'

/** Notices of one rule for one way that are in no message yet. */
export interface HeldRow {
  wayId: number
  ruleId: number
  count: number
  /** Of the first of them. */
  dueAt: Date
  digest: NoticeDigest
  quietFrom: string | null
  quietTo: string | null
  zone: string | null
  /** When the rule may send its next message there; null where it may now. */
  rateEndsAt: Date | null
}

export interface Held extends Omit<HeldBack, 'until'> {
  until: Date
}

/** Notices of these groups that are held back, by the first that is sent; null where none is. A group that is due waits for no rule. */
export function heldBack(rows: readonly HeldRow[], installationZone: string, now: Date): Held | null {
  const held = rows.flatMap((row): Held[] => {
    const { count, dueAt, rateEndsAt, zone } = row
    if (dueAt > now) return [{ count, until: dueAt, reason: whyHeld(row, zone ?? installationZone, dueAt) }]
    return rateEndsAt === null ? [] : [{ count, until: rateEndsAt, reason: 'rate' }]
  })
  const [first] = held.toSorted((one, other) => one.until.getTime() - other.until.getTime())
  return first === undefined ? null : { ...first, count: held.reduce((total, { count }) => total + count, 0) }
}
