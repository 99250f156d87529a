import { errors, type Input } from '@causeway/contract'
import * as api from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { everyone, type Scope } from '../../lib/scope.ts'
import type { DatabaseChanges } from '../../ground/changes.ts'
import { readTimeZone } from '../../ground/installation.queries.ts'
import { hwidSettingsInForce } from '../../ground/hwid-settings.rules.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { on, onRaw, onWritten, Written, type Route } from '../../http/mount.ts'
import { Cache } from '../../lib/cache.ts'
import { refreshed } from '../../lib/recent.ts'
import { dayIn, utcDay } from '../../lib/days.ts'
import { JsonList, ListMemory } from '../../lib/json-rows.ts'
import { findAccessFacts, findMaker, listAccessHosts, listAccessNodes } from './access.queries.ts'
import { readSettings } from '../subscription-settings/subscription-settings.queries.ts'
import { accessSteps, canConnect, nodeAccess, unlikeHosts } from './access.rules.ts'
import { usersExport } from './export.actions.ts'
import { toUser } from './links.rules.ts'
import { countUsers, listIdsNearLimit, listPage } from './list.queries.ts'
import { statusesOfTotal, toUsersView } from './list.rules.ts'
import { listedUserWriters } from './listed.rules.ts'
import { resolveUser, streamUsers } from './lookup.actions.ts'
import { findUserKeys } from './lookup.queries.ts'
import { firstDayOf } from './traffic.rules.ts'
import { addTraffic, editUser, makeUser, removeUser, resetTraffic, revokeSubscription, switchUser } from './users.actions.ts'
import {
  findUser,
  findUserByShortUuid,
  findUserByUsername,
  listUserAccessibleNodes,
  listUsersBy,
  listTopUsers,
  listUsersById,
  listUserTags,
  listUserUsage,
  type StoredUser,
} from './users.queries.ts'

// Counting a filter's matches scans many rows; pages of one view, and all tabs that poll it, share one count.
const TOTAL_LIFETIME_MS = 3000
const MAX_TOTALS = 100
// Computed by a scan of all users, so that all open Home pages share one.
const NEAR_LIMIT_LIFETIME_MS = 60_000

/** Every open Home page asks for the top users; one scan serves all of them. */
const TOP_LIFETIME_MS = 15_000
const TOP_SIZE = 10
const TOP_MOST = 100

/** Now, and the day that it is in the installation's time zone. */
interface Present {
  zone: string
  now: Date
  today: string
}

export function usersRoutes(ctx: Ctx, changes: DatabaseChanges): Route[] {
  const timeZone = changes.remember('settings', () => readTimeZone(ctx.db))
  const present = async (): Promise<Present> => {
    const [zone, now] = [await timeZone(''), ctx.now()]
    return { zone, now, today: dayIn(zone, now) }
  }
  const nearLimit = refreshed(NEAR_LIMIT_LIFETIME_MS, () => listIdsNearLimit(ctx.db, everyone))
  const readTop = async (scope: Scope, period: api.TrafficPeriod) => {
    const { today, now } = await present()
    return { from: firstDayOf(period, today), users: await listTopUsers(ctx.db, scope, period, { today, now }, TOP_MOST) }
  }
  const topOf = (period: api.TrafficPeriod) => refreshed(TOP_LIFETIME_MS, () => readTop(everyone, period))
  const top = { today: topOf('today'), week: topOf('week'), thirtyDays: topOf('thirtyDays'), month: topOf('month') }
  const sent = (row: StoredUser, caller: Caller) => toUser(ctx.config, caller.origin, row)
  const found = (row: StoredUser | undefined, caller: Caller) => sent(row ?? fail(errors.getUserByUniqueFieldsNotFound), caller)
  const foundSome = (rows: StoredUser[], caller: Caller) => {
    if (rows.length === 0) fail(errors.usersNotFound)
    return rows.map((row) => sent(row, caller))
  }
  const changed = async (change: Promise<StoredUser>, caller: Caller) => sent(await change, caller)

  return [
    on(api.createUser, (user, caller) => changed(makeUser(ctx, caller, user), caller)),
    on(api.updateUser, (edit, caller) => changed(editUser(ctx, caller, edit), caller)),
    on(api.deleteUser, ({ uuid }, caller) => removeUser(ctx, caller, uuid)),
    onWritten(api.listUsers, usersPage(ctx, present)),
    onRaw(api.exportUsers, usersExport(ctx, present)),
    on(api.listTopUsers, async ({ period, size = TOP_SIZE }, { scope }) => {
      const { from, users } = await (scope === everyone ? top[period]() : readTop(scope, period))
      return { from, users: users.slice(0, size) }
    }),
    on(api.listUsersNearLimit, async (_, caller) => {
      const { scope } = caller
      const { ids, total: found } = await (scope === everyone ? nearLimit() : listIdsNearLimit(ctx.db, scope))
      return { users: (await listUsersById(ctx.db, ids)).map((row) => sent(row, caller)), total: found }
    }),
    on(api.listUserTags, async (_, { scope }) => ({ tags: await listUserTags(ctx.db, scope) })),
    on(api.getUser, async ({ uuid }, caller) => found(await findUser(ctx.db, uuid), caller)),
    on(api.getUserById, async ({ uuid }, caller) => found(await findUser(ctx.db, uuid), caller)),
    on(api.resolveUser, async (by) => resolveUser(ctx.db, by)),
    on(api.streamUsers, async (query, caller) => {
      const { rows, nextCursor } = await streamUsers(ctx.db, caller.scope, query)
      return { users: rows.map((row) => sent(row, caller)), nextCursor, hasMore: nextCursor !== null }
    }),
    on(api.getUserByShortUuid, async ({ shortUuid }, caller) => found(await findUserByShortUuid(ctx.db, shortUuid), caller)),
    on(api.getUserByUsername, async ({ username }, caller) => found(await findUserByUsername(ctx.db, username), caller)),
    on(api.listUsersByTelegramId, async ({ telegramId }, caller) => {
      const id = /^\d+$/.test(telegramId) ? Number(telegramId) : Number.NaN
      if (!Number.isSafeInteger(id)) fail(errors.telegramIdUnreadable)
      return foundSome(await listUsersBy(ctx.db, caller.scope, 'telegramId', id), caller)
    }),
    on(api.listUsersByEmail, async ({ email }, caller) =>
      foundSome(await listUsersBy(ctx.db, caller.scope, 'email', email), caller),
    ),
    on(api.listUsersByTag, async ({ tag }, caller) => foundSome(await listUsersBy(ctx.db, caller.scope, 'tag', tag), caller)),
    on(api.enableUser, ({ uuid }, caller) => changed(switchUser(ctx, caller, uuid, 'ACTIVE'), caller)),
    on(api.disableUser, ({ uuid }, caller) => changed(switchUser(ctx, caller, uuid, 'DISABLED'), caller)),
    on(api.resetUserTraffic, ({ uuid }, caller) => changed(resetTraffic(ctx, caller, uuid), caller)),
    on(api.addUserTraffic, ({ uuid, ...added }, caller) => changed(addTraffic(ctx, caller, uuid, added), caller)),
    on(api.revokeUserSubscription, ({ uuid, shortUuid, revokeOnlyPasswords = false }, caller) =>
      changed(revokeSubscription(ctx, caller, uuid, { shortUuid, keepsLink: revokeOnlyPasswords }), caller),
    ),
    on(api.getUserAccessibleNodes, async ({ uuid }) => {
      const [user, activeNodes] = await Promise.all([findUserKeys(ctx.db, { uuid }), listUserAccessibleNodes(ctx.db, uuid)])
      return { userUuid: uuid, ...(user ? { userId: user.id } : {}), activeNodes }
    }),
    on(api.getUserAccess, async ({ uuid }) => {
      const [user, hosts, reached, madeBy, settings] = await Promise.all([
        findAccessFacts(ctx.db, uuid),
        listAccessHosts(ctx.db, uuid),
        listAccessNodes(ctx.db, uuid),
        findMaker(ctx.db, uuid),
        readSettings(ctx.db),
      ])
      if (!user) return fail(errors.userNotFound)
      const devices = hwidSettingsInForce(ctx.config, settings.hwidSettings)
      const nodes = reached.map((node) => nodeAccess(node, user.status))
      const unlike = unlikeHosts(hosts)
      const reach = { hosts: hosts.length, unlike, nodes }
      const steps = accessSteps(user, reach, devices.enabled ? devices.fallbackDeviceLimit : undefined, ctx.now())
      const astray = unlike.filter(({ isForwarded }) => !isForwarded)
      return {
        canConnect: canConnect(steps),
        steps,
        astray,
        nodes,
        subLastOpenedAt: user.subLastOpenedAt,
        changedAt: user.updatedAt,
        madeBy,
      }
    }),
    on(api.getUserUsage, async ({ uuid, start, end }) => {
      const usage = await listUserUsage(ctx.db, uuid, { start: toDay(start), end: toDay(end) })
      return usage.map(({ day, ...row }) => ({ ...row, date: new Date(`${day}T00:00:00.000Z`) }))
    }),
  ]
}

/** Answers the users list: a page, and how many there are. */
function usersPage(ctx: Ctx, present: () => Promise<Present>) {
  const totals = new Cache<Promise<number>>({ most: MAX_TOTALS, isFresh: (ageMs) => ageMs < TOTAL_LIFETIME_MS })
  const writers = listedUserWriters(ctx.config)
  const memory = new ListMemory()
  return async (query: Input<typeof api.listUsers>, caller: Caller): Promise<Written> => {
    const { zone, now, today } = await present()
    const view = toUsersView(query, caller.scope, now, zone)
    if ('refusal' in view) return refuseField(view.refusal.path, view.refusal.message)
    // Only looking at them tells how many a filter lets through, which goes on beside the search for the page.
    const count = () => totals.find(JSON.stringify(view.filters), () => countUsers(ctx.db, view.filters))
    const counting = statusesOfTotal(view.filters) ? undefined : count()
    counting?.catch(() => {}) // a caller that needs it gets the failure below
    const { origin } = caller
    const rows = new JsonList('{"response":{"users":[', view.size, memory, (columns) => writers(columns, { origin, today }))
    const known = await listPage(ctx, view, now, rows)
    // A page that is not full ends the list, and so tells how long it is.
    const isEnd = rows.count < view.size && (rows.count > 0 || view.start === 0)
    const counted = isEnd ? view.start + rows.count : (known ?? (await (counting ?? count())))
    return new Written(rows.end(`],"total":${counted}}}`), () => rows.release())
  }
}

function toDay(text: string): string {
  return utcDay(text) ?? fail(errors.userUsageDateUnreadable, { message: `Not a date-time of the years 1970 to 9999: ${text}` })
}
