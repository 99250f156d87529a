import { z } from 'zod'

/** A time that ends now: the day of the installation, the last 7 and 30 of them, the calendar month. */
export const trafficPeriod = z.enum(['today', 'week', 'thirtyDays', 'month'])
export type TrafficPeriod = z.output<typeof trafficPeriod>

/** Orders of the list by what was moved in a period. Own addition. */
export const TRAFFIC_SORTS = {
  trafficToday: 'today',
  trafficWeek: 'week',
  trafficThirtyDays: 'thirtyDays',
  trafficMonth: 'month',
} as const satisfies Record<string, TrafficPeriod>
export type TrafficSortId = keyof typeof TRAFFIC_SORTS
