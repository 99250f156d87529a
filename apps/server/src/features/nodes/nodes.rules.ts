import type { DeliveryHold } from '@causeway/contract'
import { clockTime, dateIn, dayName } from '../../lib/days.ts'

/** One in the morning. */
const RESET_TIME_MS = 3_600_000
/** A reset missed for longer is not made up for: tracking may have been switched on since. */
const CATCH_UP_MS = 3 * 86_400_000

interface DeliveryFacts {
  isDisabled: boolean
  isNodeOnline: boolean
  isXrayRunning: boolean
  isConnecting: boolean
  /** Anything at all waits. */
  isAnythingDue: boolean
  /** Some of it was told, and not taken. */
  isAnythingRefused: boolean
}

/** Names the nearest obstacle to deliveries of a node. */
export function deliveryHold(facts: DeliveryFacts): DeliveryHold | null {
  if (!facts.isAnythingDue) return null
  if (facts.isDisabled) return 'disabled'
  if (!facts.isNodeOnline) return 'agentAway'
  if (facts.isConnecting) return 'starting'
  if (!facts.isXrayRunning) return 'coreDown'
  return facts.isAnythingRefused ? 'refused' : 'underWay'
}

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
