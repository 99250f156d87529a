import { errors } from '@causeway/contract'
import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { readTimeZone } from '../../ground/installation.queries.ts'
import { withOnline, type ReadOnline } from '../../ground/online.queries.ts'
import { on, type Route } from '../../http/mount.ts'
import { periodAround } from '../../lib/days.ts'
import { findNodeId } from '../nodes/nodes.queries.ts'
import { listNodesByDay, listNodesTraffic } from './charts.queries.ts'
import { addUpUsers, findUserCount, listKeptTopUsers, listUserDays, listUsersByDay } from './top-users.queries.ts'
import { lastDays, topUsersOf, uncountedFrom } from './top-users.rules.ts'

/** Data of the node charts. */
export function chartsRoutes(ctx: Ctx, online: ReadOnline): Route[] {
  return [
    on(api.listNodesUsageByDay, async ({ days: count }) => {
      const zone = await readTimeZone(ctx.db)
      const days = lastDays(count, zone, ctx.now())
      const rows = await listNodesByDay(ctx.db, days[0] ?? '')
      const nodes = rows.map(({ byDay, ...node }) => ({ ...node, bytes: days.map((_, place) => byDay[place] ?? 0) }))
      return { days, runningSince: periodAround(zone, 'DAY', ctx.now()).since, nodes }
    }),
    on(api.getNodeTopUsers, ({ uuid, days }) => topUsers(ctx, uuid, days)),
    on(api.listNodesTraffic, async () => {
      const [rows, count] = await Promise.all([listNodesTraffic(ctx.db), online()])
      return {
        nodes: [...Map.groupBy(rows, (row) => row.uuid).values()].flatMap((tags) => {
          const [first] = tags
          if (!first) return []
          const { direction: _, tag: __, uploadBytes: ___, downloadBytes: ____, ...node } = first
          const of = (direction: 'inbound' | 'outbound') =>
            tags.flatMap(({ tag, uploadBytes, downloadBytes, ...row }) =>
              row.direction === direction && tag !== null
                ? [{ tag, uploadBytes: uploadBytes ?? 0, downloadBytes: downloadBytes ?? 0 }]
                : [],
            )
          return [{ ...withOnline(node, count), inbounds: of('inbound'), outbounds: of('outbound') }]
        }),
      }
    }),
  ]
}

/** The order of days that are over is kept; what came since is added, and the figures themselves are those of this moment. */
async function topUsers(ctx: Ctx, uuid: string, count: number) {
  const nodeId = (await findNodeId(ctx.db, uuid)) ?? fail(errors.nodeNotFound)
  const days = lastDays(count, await readTimeZone(ctx.db), ctx.now())
  const span = { nodeId, from: days[0] ?? '', to: days.at(-1) ?? '' }
  const { shown, candidates } = topUsersOf(count)
  const kept = await findUserCount(ctx.db, nodeId, count)
  const { from, isCountKept } = uncountedFrom(kept?.countedThrough ?? null, days)
  const [keptTop, keptDays, recent] = await Promise.all([
    isCountKept ? listKeptTopUsers(ctx.db, nodeId, count, candidates) : [],
    isCountKept ? listUserDays(ctx.db, span) : [],
    addUpUsers(ctx.db, { ...span, from }, candidates),
  ])
  const found = await listUsersByDay(ctx.db, span, [...new Set([...keptTop, ...recent.top])])
  const users = found
    .map(({ days: bytesOn, ...user }) => {
      const bytes = days.map((day) => bytesOn[day] ?? 0)
      return { ...user, total: bytes.reduce((sum, one) => sum + one, 0), bytes }
    })
    .toSorted((one, other) => other.total - one.total)
  const byDay = new Map([...keptDays, ...recent.days].map((day) => [day.day, day]))
  return {
    days,
    users: users.slice(0, shown),
    userCount: Math.max(isCountKept ? (kept?.users ?? 0) : 0, recent.users),
    usersByDay: days.map((day) => byDay.get(day)?.users ?? 0),
    bytesByDay: days.map((day) => byDay.get(day)?.bytes ?? 0),
    countedThrough: isCountKept ? (kept?.countedThrough ?? null) : null,
  }
}
