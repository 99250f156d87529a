import type { Ctx } from '../../ctx.ts'
import { eventDataOf, writeData } from './event-data.actions.ts'
import { insertEvents, lockPublishing, takeOutbox, type OutboxRow, type PublishedEvent } from './outbox.queries.ts'

/** Events published in one transaction: bounds the memory of a mass action. */
const BATCH_SIZE = 200

/** Numbers and writes out what was committed; gives how many events that were. One server at a time. */
export function publishEvents(ctx: Ctx): Promise<number> {
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await lockPublishing(tx))) return 0
    const rows = await takeOutbox(tx, BATCH_SIZE)
    if (rows.length === 0) return 0
    const data = await eventDataOf(ctx, tx, rows)
    await insertEvents(
      tx,
      rows.flatMap((row) => published(ctx, row, data.get(row.id))),
    )
    return rows.length
  })
}

function published(ctx: Ctx, { event, thing, at, facts }: OutboxRow, data: unknown): PublishedEvent[] {
  try {
    return [{ event, thing, at, data: writeData(event, data), facts: facts.meta ? { meta: facts.meta } : {} }]
  } catch (error) {
    // One event that cannot be written must not hold up all others for ever.
    ctx.log.error({ err: error, event, thing }, 'domain event cannot be written out; it is left out')
    return []
  }
}
