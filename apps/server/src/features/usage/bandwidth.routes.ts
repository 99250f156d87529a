import * as api from '@causeway/contract'
import { errors, type Input } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { utcDay } from '../../lib/days.ts'
import { findInternalSquadId } from '../internal-squads/internal-squads.queries.ts'
import { findNode } from '../nodes/nodes.queries.ts'
import { findUserKeys } from '../users/lookup.queries.ts'
import { listUserUsage } from '../users/users.queries.ts'
import {
  listNodeDays,
  listNodeLabels,
  listUserNodeDays,
  topUsersOfNodes,
  usageOfMember,
  usageOfMembers,
  usersByNode,
  type Days,
} from './bandwidth.queries.ts'
import { colorOf } from '../../lib/colors.ts'
import { chartOf, daysBetween, MOST_DAYS, type DayBytes } from './bandwidth.rules.ts'
import { listNodeUsersUsage } from './usage.queries.ts'

const TOP_NODES = 20
const TOP_USERS = 100
const SQUAD_PAGE = 250

export function bandwidthRoutes(ctx: Ctx): Route[] {
  const knownUser = async (uuid: string) => (await findUserKeys(ctx.db, { uuid })) ?? fail(errors.userNotFound)
  const knownNode = async (uuid: string) => (await findNode(ctx.db, uuid)) ?? fail(errors.nodeNotFound)
  const knownSquad = async (uuid: string) => (await findInternalSquadId(ctx.db, uuid)) ?? fail(errors.internalSquadNotFound)
  const byNodes = async (days: Days, rows: DayBytes[], limit: number) => {
    const categories = daysBetween(days.start, days.end)
    const { sparklineData, series } = chartOf(categories, rows)
    const shown = (await listNodeLabels(ctx.db))
      .flatMap(({ id, ...label }) => {
        const own = series.get(id)
        return own ? [{ ...label, color: colorOf(label.uuid), ...own }] : []
      })
      .toSorted((one, other) => other.total - one.total)
    return {
      categories,
      sparklineData,
      topNodes: shown.slice(0, limit).map(({ data: _data, ...node }) => node),
      series: shown.slice(0, limit),
    }
  }
  const byUsers = async (nodeUuids: string[], days: Days, limit: number) => {
    const categories = daysBetween(days.start, days.end)
    const { days: moved, users } = await topUsersOfNodes(ctx.db, nodeUuids, days, limit)
    const { sparklineData } = chartOf(
      categories,
      moved.map((row) => ({ ...row, id: 0 })),
    )
    return { categories, sparklineData, topUsers: users.map((user) => ({ ...user, color: colorOf(user.username) })) }
  }

  const squadUsage = async ({
    uuid,
    minTotalBytes = 0,
    limit = SQUAD_PAGE,
    cursor = '0',
    ...asked
  }: Input<typeof api.getSquadUsage>) => {
    await knownSquad(uuid)
    const after = Number(cursor)
    if (!Number.isSafeInteger(after)) refuseField('cursor', 'is no cursor of this route')
    const page = { least: Number(minTotalBytes), after, limit: Number(limit) }
    const found = await usageOfMembers(ctx.db, uuid, toDays(asked), page)
    const users = found.slice(0, page.limit)
    const hasMore = found.length > users.length
    return { squadUuid: uuid, users, nextCursor: hasMore ? String(users.at(-1)?.id) : null, hasMore }
  }

  return [
    on(api.getNodesBandwidth, async ({ topNodesLimit = TOP_NODES, ...asked }) => {
      const days = toDays(asked)
      return byNodes(days, await listNodeDays(ctx.db, days), Number(topNodesLimit))
    }),
    on(api.getUserBandwidth, async ({ uuid, topNodesLimit = TOP_NODES, ...asked }) => {
      await knownUser(uuid)
      const days = toDays(asked)
      return byNodes(days, await listUserNodeDays(ctx.db, uuid, days), Number(topNodesLimit))
    }),
    on(api.getNodeUsersBandwidth, async ({ uuid, topUsersLimit = TOP_USERS, ...asked }) => {
      await knownNode(uuid)
      return byUsers([uuid], toDays(asked), Number(topUsersLimit))
    }),
    on(api.getNodesUsersBandwidth, ({ nodesUuids, topUsersLimit = TOP_USERS, ...asked }) =>
      byUsers(nodesUuids, toDays(asked), Number(topUsersLimit)),
    ),
    on(api.getNodesUsage, async ({ nodesUuids, minTotalBytes = 0, ...asked }) => ({
      nodes: await usersByNode(ctx.db, nodesUuids, toDays(asked), Number(minTotalBytes)),
    })),
    on(api.getUserBandwidthLegacy, async ({ uuid, ...asked }) => {
      const usage = await listUserUsage(ctx.db, uuid, toDays(asked))
      return usage.map(({ day, ...row }) => ({ ...row, date: new Date(`${day}T00:00:00.000Z`) }))
    }),
    on(api.getNodeUsersBandwidthLegacy, async ({ uuid, ...asked }) => {
      const usage = await listNodeUsersUsage(ctx.db, uuid, toDays(asked))
      return usage.map(({ day, ...row }) => ({ ...row, date: new Date(`${day}T00:00:00.000Z`) }))
    }),
    on(api.getSquadUsage, squadUsage),
    on(api.getSquadUsageByAddress, squadUsage),
    on(api.getSquadUserUsage, async ({ squadUuid, userUuid, ...asked }) => {
      await knownSquad(squadUuid)
      await knownUser(userUuid)
      return { days: await usageOfMember(ctx.db, squadUuid, userUuid, toDays(asked)) }
    }),
  ]
}

function toDays(asked: Days): Days {
  const days = { start: toDay('start', asked.start), end: toDay('end', asked.end) }
  if (daysBetween(days.start, days.end).length > MOST_DAYS)
    refuseField('end', `must come at most ${MOST_DAYS} days after the start`)
  return days
}

function toDay(field: string, text: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  return utcDay(isDay ? `${text}T00:00:00Z` : text) ?? refuseField(field, 'must be a day of the years 1970 to 9999')
}
