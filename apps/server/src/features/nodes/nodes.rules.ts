import type { Input, updateNode } from '@causeway/contract'
import { clockTime, dateIn, dayName } from '../../lib/days.ts'

type NodeEdit = Omit<Input<typeof updateNode>, 'uuid' | 'configProfile' | 'providerUuid'>

/** The columns that an edit sets; what is absent stays as it is. Storage takes whole numbers only. */
export function nodeColumns(edit: NodeEdit) {
  const { name, address, port, trafficLimitBytes, notifyPercent, trafficResetDay, countryCode, consumptionMultiplier } = edit
  return {
    ...withoutUndefined({ isTrafficTrackingActive: edit.isTrafficTrackingActive }),
    ...withoutUndefined({ name: name?.trim(), address: address?.trim(), countryCode: countryCode?.toUpperCase() }),
    ...withoutUndefined({ port: whole(port), trafficLimitBytes: whole(trafficLimitBytes) }),
    ...withoutUndefined({ notifyPercent: whole(notifyPercent), trafficResetDay: whole(trafficResetDay) }),
    ...withoutUndefined({
      consumptionMultiplier: consumptionMultiplier === undefined ? undefined : oneDecimal(consumptionMultiplier),
    }),
  }
}

function whole(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value)
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10
}

/** Without the keys that have no value. */
function withoutUndefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // Entries that are undefined are the ones taken out.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** One in the morning. */
const RESET_TIME_MS = 3_600_000
/** A reset missed for longer is not made up for: tracking may have been switched on since. */
const CATCH_UP_MS = 3 * 86_400_000

interface ResetFacts {
  trafficResetDay: number
  lastResetAt: Date | null
  /** The latest day that a reset by itself was made for. */
  lastResetDay: string | null
  createdAt: Date
}

/**
 * The day for which the node's traffic is to be counted from zero now, if it is (docs/wire.md 27). A day that came in one time
 * zone does not come again in another.
 */
export function resetDue(node: ResetFacts, now: Date, zone: string): string | undefined {
  const { day, at } = lastResetTime(node.trafficResetDay, now, zone)
  const isRecent = now.getTime() - at.getTime() < CATCH_UP_MS
  const isNew = node.lastResetDay === null || node.lastResetDay < day
  return isRecent && isNew && node.createdAt < at && (node.lastResetAt === null || node.lastResetAt < at) ? day : undefined
}

/** When the day of the month last came; a month that is too short has it on its last day. */
function lastResetTime(resetDay: number, now: Date, zone: string): { day: string; at: Date } {
  const { year, month } = dateIn(zone, now)
  const inMonth = (number: number) => {
    const lastDay = new Date(Date.UTC(year, number, 0)).getUTCDate()
    const day = Math.min(resetDay, lastDay)
    return { day: dayName(year, number, day), at: clockTime(zone, year, number, day, RESET_TIME_MS) }
  }
  const thisMonth = inMonth(month)
  return thisMonth.at <= now ? thisMonth : inMonth(month - 1)
}

/** Whether the used share is one to tell the administrator of. 0 percent, or no limit, means never. */
export function isTrafficToldOf(node: { trafficUsedBytes: number; trafficLimitBytes: number; notifyPercent: number }): boolean {
  const { trafficUsedBytes, trafficLimitBytes, notifyPercent } = node
  return notifyPercent > 0 && trafficLimitBytes > 0 && trafficUsedBytes * 100 >= trafficLimitBytes * notifyPercent
}
