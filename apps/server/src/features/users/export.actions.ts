import { Readable } from 'node:stream'
import { errors, type Input, type exportUsers } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail, refuseField } from '../../http/errors.ts'
import type { Raw } from '../../http/mount.ts'
import { subscriptionUrl } from '../../ground/subscription-url.rules.ts'
import { exportColumns, exportWriter } from './export.rules.ts'
import { readAllUsers } from './export.queries.ts'
import { toUsersView, type UsersView } from './list.rules.ts'
import { trafficOf } from './traffic.rules.ts'

/** Each export holds a connection of the database for as long as its reader takes. */
const MOST_AT_ONCE = 2

interface Present {
  zone: string
  now: Date
  today: string
}

/** Answers exports of the users list as streams. @throws tooManyAtOnce */
export function usersExport(ctx: Ctx, present: () => Promise<Present>) {
  let running = 0
  return async ({ format = 'csv', columns: names, ...query }: Input<typeof exportUsers>, { caller, request, reply }: Raw) => {
    const { zone, now, today } = await present()
    const view = toUsersView(query, caller.scope, now, zone)
    if ('refusal' in view) return refuseField(view.refusal.path, view.refusal.message)
    const columns = exportColumns(names)
    if ('unknown' in columns) return refuseField('columns', `users have no column ${columns.unknown}`)
    if (running >= MOST_AT_ONCE) return fail(errors.tooManyAtOnce)
    const writer = exportWriter(format, columns)
    const list: UsersView = view
    async function* parts() {
      running++ // by the stream itself, which never begins for a reader that has left already
      try {
        yield writer.begin
        for await (const stored of readAllUsers(ctx.db, list)) {
          // Links that are encrypted for one app cost more than all the rest, and are no column.
          const users = stored.map(({ nodeName, ...user }) => ({
            ...user,
            subscriptionUrl: subscriptionUrl(ctx.config, caller.origin, user.shortUuid),
            lastConnectedNode: nodeName === null || user.onlineAt === null ? null : { nodeName },
            traffic: trafficOf(user, today),
          }))
          // Empties withheld columns; the form stays.
          yield writer.rows(request.withhold ? (request.withhold(users) as typeof users) : users)
        }
        yield writer.end
      } finally {
        running--
      }
    }
    reply.header('content-disposition', `attachment; filename="users-${today}.${format}"`)
    reply.type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
    return reply.send(Readable.from(parts()))
  }
}
