import { Readable } from 'node:stream'
import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, onRaw, type Route } from '../../http/mount.ts'
import { exportedHistory } from './export.actions.ts'
import { readDeleted, readEntry, readHistory } from './history.actions.ts'
import { listActors } from './history.queries.ts'
import { actorKindOf } from './entries.actions.ts'

export function historyRoutes(ctx: Ctx): Route[] {
  return [
    onRaw(api.listHistory, ({ limit, cursor, ...asked }, { permissions }) =>
      readHistory(ctx, permissions, asked, { limit, cursor }),
    ),
    onRaw(api.listDeleted, ({ kind, search, limit, cursor }, { permissions }) =>
      readDeleted(ctx, permissions, { kind, search }, { limit, cursor }),
    ),
    onRaw(api.exportHistory, async ({ format, ...asked }, { permissions, reply }) => {
      const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8'
      reply.header('content-type', type).header('content-disposition', `attachment; filename="history.${format}"`)
      return reply.send(Readable.from(exportedHistory(ctx, permissions, asked, format)))
    }),
    on(api.listHistoryActors, async () =>
      (await listActors(ctx.db)).map((actor) => ({ ...actor, kind: actorKindOf(actor.kind) })),
    ),
    onRaw(api.getHistoryEntry, ({ id }, { permissions }) => readEntry(ctx, permissions, id)),
  ]
}
