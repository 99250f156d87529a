import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { readTimeZone } from '../../ground/installation.queries.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { dayIn, isTimeZone } from '../../lib/days.ts'
import { listOnline, listTraffic, listTrafficByDay } from './usage-history.queries.ts'
import { historySteps } from './usage-history.rules.ts'

export function usageHistoryRoutes(ctx: Ctx): Route[] {
  return [
    on(api.getUsageHistory, async ({ period, tz }) => {
      if (tz !== undefined && !isTimeZone(tz))
        fail(api.errors.timeZoneUnknown, { message: `tz must be a time zone such as Europe/Berlin, not "${tz}".` })
      const ownZone = await readTimeZone(ctx.db)
      const timeZone = tz ?? ownZone
      const { step, starts } = historySteps(period, ctx.now(), timeZone)
      const [first = ctx.now()] = starts
      const areDaysKept = step === 'day' && timeZone === ownZone
      const [traffic, online] = await Promise.all([
        areDaysKept ? listTrafficByDay(ctx.db, dayIn(ownZone, first)) : listTraffic(ctx.db, starts),
        listOnline(ctx.db, starts),
      ])
      return {
        timeZone,
        step,
        starts,
        nodes: [...Map.groupBy(traffic, (row) => row.uuid).values()].flatMap((rows) => {
          const [first] = rows
          if (!first) return []
          const { uuid, name, countryCode } = first
          const bytesAt = new Map(rows.map((row) => [row.place, row.bytes]))
          return { uuid, name, countryCode, bytes: starts.map((_, place) => bytesAt.get(place) ?? 0) }
        }),
        usersOnline: starts.map((_, place) => online.find((row) => row.place === place)?.usersOnline ?? null),
      }
    }),
  ]
}
