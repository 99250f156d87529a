import { clockTime, dateIn } from '../../lib/days.ts'

/** When this month began there. */
export function monthStartIn(zone: string, now: Date): Date {
  const { year, month } = dateIn(zone, now)
  return clockTime(zone, year, month, 1, 0)
}
