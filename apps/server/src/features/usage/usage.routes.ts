import { errors } from '@causeway/contract'
import * as api from '@causeway/contract'
import { gibText, sizeText } from '@causeway/subscription'
import type { Ctx } from '../../ctx.ts'
import { readTimeZone } from '../../ground/installation.queries.ts'
import type { OnlineCount, ReadOnline } from '../../ground/online.queries.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { countryFlag } from '../../lib/country-flag.ts'
import { listNodesUsage, listNodeUsersUsage, listRealtimeUsage, listTagUsage, sumPeriods } from './usage.queries.ts'
import { bandwidthPeriods, inWholeDays } from './usage.rules.ts'
import { DAY_MS, isTimeZone, utcDay } from '../../lib/days.ts'

const WEEK_MS = 7 * DAY_MS

export function usageRoutes(ctx: Ctx, online: ReadOnline): Route[] {
  const realtime = async () => {
    const rows = await listRealtimeUsage(ctx.db, ctx.now())
    return rows
      .map(({ seconds, ...row }) => {
        const perSecond = (bytes: number) => (seconds > 0 ? Math.round(bytes / seconds) : 0)
        const totalBytes = row.downloadBytes + row.uploadBytes
        return {
          ...row,
          totalBytes,
          downloadSpeedBps: perSecond(row.downloadBytes),
          uploadSpeedBps: perSecond(row.uploadBytes),
          totalSpeedBps: perSecond(totalBytes),
        }
      })
      .toSorted((one, other) => other.totalSpeedBps - one.totalSpeedBps)
  }
  return [
    on(api.listNodesUsage, async ({ start, end }) => {
      const rows = await usageWithin(ctx, instant(start), instant(end))
      return rows.map(({ totalDownload, totalUpload, ...row }) => ({
        ...row,
        total: totalDownload + totalUpload,
        totalDownload,
        totalUpload,
        humanReadableTotal: gibText(totalDownload + totalUpload),
        humanReadableTotalDownload: gibText(totalDownload),
        humanReadableTotalUpload: gibText(totalUpload),
      }))
    }),
    on(api.listNodeUsersUsage, async ({ uuid, start, end }) => {
      const days = { start: day(start), end: day(end) }
      const rows = await listNodeUsersUsage(ctx.db, uuid, days)
      return rows.map(({ day: date, ...row }) => ({ ...row, date: new Date(`${date}T00:00:00.000Z`) }))
    }),
    on(api.listNodesRealtimeUsage, realtime),
    on(api.getNodesRealtimeBandwidth, realtime),
    on(api.getBandwidthStats, ({ tz }) => bandwidth(ctx, tz ?? 'UTC')),
    on(api.getNodesStatistics, async ({ tz }) => {
      if (tz !== undefined) refuseUnknownZone(tz)
      const rows = await usageWithin(ctx, new Date(ctx.now().getTime() - WEEK_MS), ctx.now())
      return {
        lastSevenDays: rows.map(({ nodeName, date, totalDownload, totalUpload }) => ({
          nodeName,
          date: date.toISOString(),
          totalBytes: String(totalDownload + totalUpload),
        })),
      }
    }),
    on(api.getNodesMetrics, async () => ({ nodes: metricsOf(await listTagUsage(ctx.db), await online()) })),
  ]
}

/** Rows per node and day of the installation. Days before the first and after the last that may be kept are not looked for. */
async function usageWithin(ctx: Ctx, start: Date, end: Date) {
  const now = ctx.now()
  const from = new Date(Math.max(start.getTime(), 0))
  // Of a range both ends belong to it.
  const to = new Date(Math.min(end.getTime() + 1, now.getTime() + 2 * DAY_MS))
  if (from >= to) return []
  return listNodesUsage(ctx.db, inWholeDays({ from, to }, await readTimeZone(ctx.db), now))
}

function refuseUnknownZone(zone: string): void {
  if (!isTimeZone(zone)) fail(errors.timeZoneUnknown, { message: `tz must be a time zone such as Europe/Berlin, not "${zone}".` })
}

async function bandwidth(ctx: Ctx, zone: string) {
  refuseUnknownZone(zone)
  const { two, seven, thirty, month, year } = bandwidthPeriods(ctx.now(), zone)
  const comparisons = [two, seven, thirty, month, year]
  const [now, ownZone] = [ctx.now(), await readTimeZone(ctx.db)]
  const periods = comparisons.flatMap(({ current, previous }) => [current, previous])
  const sums = await sumPeriods(
    ctx.db,
    periods.map((period) => inWholeDays(period, ownZone, now)),
  )
  const compared = (index: number) => {
    const [current = 0, previous = 0] = sums.slice(2 * index, 2 * index + 2)
    return { current: sizeText(current), previous: sizeText(previous), difference: sizeText(current - previous) }
  }
  return {
    bandwidthLastTwoDays: compared(0),
    bandwidthLastSevenDays: compared(1),
    bandwidthLast30Days: compared(2),
    bandwidthCalendarMonth: compared(3),
    bandwidthCurrentYear: compared(4),
  }
}

function metricsOf(rows: Awaited<ReturnType<typeof listTagUsage>>, { onNodes }: OnlineCount) {
  return [...Map.groupBy(rows, (row) => row.uuid)].map(([nodeUuid, tags]) => {
    const [node] = tags
    const of = (direction: 'inbound' | 'outbound') =>
      tags
        .filter((tag) => tag.direction === direction)
        .map((tag) => ({ tag: tag.tag, upload: sizeText(tag.uploadBytes), download: sizeText(tag.downloadBytes) }))
    return {
      nodeUuid,
      nodeName: node?.name ?? '',
      countryEmoji: countryFlag(node?.countryCode ?? 'XX'),
      providerName: node?.providerName ?? 'unknown',
      usersOnline: onNodes[nodeUuid] ?? 0,
      inboundsStats: of('inbound'),
      outboundsStats: of('outbound'),
    }
  })
}

function instant(text: string): Date {
  const value = new Date(text)
  return Number.isNaN(value.getTime()) ? fail(errors.nodesUsageDateUnreadable, { message: `Not a date-time: ${text}` }) : value
}

function day(text: string): string {
  return (
    utcDay(text) ?? fail(errors.nodeUsersUsageDateUnreadable, { message: `Not a date-time of the years 1970 to 9999: ${text}` })
  )
}
