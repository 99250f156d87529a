import { Readable } from 'node:stream'
import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, onRaw, type Raw, type Route } from '../../http/mount.ts'
import { exportedHistory } from './export.actions.ts'
import { readDeleted, readEntry, readHistory, type Reader } from './history.actions.ts'
import { listActors } from './history.queries.ts'
import { actorKindOf } from './entries.actions.ts'

export function historyRoutes(ctx: Ctx): Route[] {
  return [
    onRaw(api.listHistory, ({ limit, cursor, ...asked }, raw) => readHistory(ctx, readerOf(raw), asked, { limit, cursor })),
    onRaw(api.listDeleted, ({ kind, search, limit, cursor }, raw) =>
      readDeleted(ctx, readerOf(raw), { kind, search }, { limit, cursor }),
    ),
    onRaw(api.exportHistory, async ({ format, ...asked }, { reply, ...raw }) => {
      const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8'
      reply.header('content-type', type).header('content-disposition', `attachment; filename="history.${format}"`)
      return reply.send(Readable.from(exportedHistory(ctx, readerOf(raw), asked, format)))
    }),
    on(api.listHistoryActors, async (_, { scope }) =>
      (await listActors(ctx.db, scope)).map((actor) => ({ ...actor, kind: actorKindOf(actor.kind) })),
    ),
    onRaw(api.getHistoryEntry, ({ id }, raw) => readEntry(ctx, readerOf(raw), id)),
  ]
}

function readerOf({ caller, permissions }: Pick<Raw, 'caller' | 'permissions'>): Reader {
  return { permissions, scope: caller.scope }
}
