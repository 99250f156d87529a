import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import type { Db } from '../../db/driver/connect.ts'
import { readTimeZone } from '../../ground/installation.queries.ts'
import { fail } from '../../http/errors.ts'
import { DAY_MS, dayIn, isTimeZone } from '../../lib/days.ts'
import {
  findOnline,
  isKnownSince,
  listOnline,
  listTotals,
  listTotalsByDay,
  listTraffic,
  listTrafficByDay,
} from './usage-history.queries.ts'
import { historySteps, stepsBefore, type Steps } from './usage-history.rules.ts'

const WEEK_MS = 7 * DAY_MS

/** Traffic by node and users online, in the steps of the period. @throws timeZoneUnknown */
export async function readUsageHistory(ctx: Ctx, { period, tz }: api.Input<typeof api.getUsageHistory>) {
  if (tz !== undefined && !isTimeZone(tz))
    fail(api.errors.timeZoneUnknown, { message: `tz must be a time zone such as Europe/Berlin, not "${tz}".` })
  const ownZone = await readTimeZone(ctx.db)
  const timeZone = tz ?? ownZone
  const now = ctx.now()
  const { step, starts } = historySteps(period, now, timeZone)
  const [first = now] = starts
  const areDaysKept = step === 'day' && timeZone === ownZone
  const [traffic, online, before, onlineWeekAgo] = await Promise.all([
    areDaysKept ? listTrafficByDay(ctx.db, dayIn(ownZone, first)) : listTraffic(ctx.db, starts),
    listOnline(ctx.db, starts, new Date(now.getTime() + 1)),
    readBefore(ctx.db, stepsBefore(period, now, timeZone), { ownZone, areDaysKept }),
    findOnline(ctx.db, new Date(now.getTime() - WEEK_MS)),
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
    before,
    onlineWeekAgo,
  }
}

/** The figures that a period is compared with. */
async function readBefore(db: Db, { starts, until }: Steps, { ownZone, areDaysKept }: { ownZone: string; areDaysKept: boolean }) {
  const [first = until] = starts
  if (!(await isKnownSince(db, dayIn(ownZone, first)))) return undefined
  const [traffic, online] = await Promise.all([
    areDaysKept ? listTotalsByDay(db, dayIn(ownZone, first), dayIn(ownZone, until)) : listTotals(db, starts, until),
    listOnline(db, starts, until),
  ])
  return {
    bytes: starts.map((_, place) => traffic.find((row) => row.place === place)?.bytes ?? 0),
    usersOnline: starts.map((_, place) => online.find((row) => row.place === place)?.usersOnline ?? null),
  }
}
