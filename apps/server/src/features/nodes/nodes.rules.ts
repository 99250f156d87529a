import type { Input, updateNode } from '@causeway/contract'
import { clockTime, dateIn, dayName } from '../../lib/days.ts'

type Columns = Omit<Input<typeof updateNode>, 'uuid' | 'configProfile' | 'providerUuid'>
type NodeFields = { [Name in keyof Columns]-?: Exclude<Columns[Name], undefined> }
type NodeEdit = { [Name in keyof NodeFields]?: NodeFields[Name] | undefined }

/** How each field of an edit is stored. A field of the contract without an entry does not compile. */
const STORED: { [Name in keyof NodeFields]: (value: NodeFields[Name]) => NodeFields[Name] } = {
  name: (name) => name.trim(),
  address: (address) => address.trim(),
  port: Math.round,
  isTrafficTrackingActive: (isActive) => isActive,
  trafficLimitBytes: Math.round,
  notifyPercent: Math.round,
  trafficResetDay: Math.round,
  countryCode: (code) => code.toUpperCase(),
  consumptionMultiplier: (multiplier) => Math.round(multiplier * 10) / 10,
}

/** The columns that an edit sets; what is absent stays as it is. */
export function nodeColumns(edit: NodeEdit): Partial<NodeFields> {
  const names = Object.keys(STORED) as (keyof NodeFields)[] // the keys of a constant
  return Object.fromEntries(names.filter((name) => edit[name] !== undefined).map((name) => [name, storedValue(name, edit)]))
}

function storedValue<Name extends keyof NodeFields>(name: Name, edit: NodeEdit): NodeFields[Name] | undefined {
  const value = edit[name]
  return value === undefined ? undefined : STORED[name](value)
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
