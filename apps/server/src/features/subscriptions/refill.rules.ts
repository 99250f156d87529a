import type { TrafficLimitStrategy } from '@causeway/contract'
import { clockTime, periodAround } from '../../lib/days.ts'

/** How long after its period began a reset is announced, as the wire has it. It is made within a minute of the beginning. */
const ANNOUNCED_AFTER_MS = { DAY: 0, WEEK: 5 * 60_000, MONTH: 10 * 60_000 }

/** When used traffic goes back to zero next, by the periods that resets go by (docs/decisions/030). */
export function nextRefillAt(strategy: TrafficLimitStrategy, zone: string, now: Date): Date | null {
  if (strategy === 'NO_RESET') return null
  const [year = 0, month = 0, day = 0] = periodAround(zone, strategy, now).nextDay.split('-').map(Number)
  return clockTime(zone, year, month, day, ANNOUNCED_AFTER_MS[strategy])
}
