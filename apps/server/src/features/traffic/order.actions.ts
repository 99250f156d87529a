import type { Ctx } from '../../ctx.ts'
import { finishPass, gaugePlaces, hasPlaces, orderBatch } from './order.queries.ts'

/** Users updated in one transaction. */
const ORDER_SIZE = 20_000

/** Brings everyone in step with what is booked, for this day. */
export async function passOver(db: Ctx['db'], day: string, madeAt: Date, size = ORDER_SIZE): Promise<void> {
  const begun = performance.now()
  const isFirst = !(await hasPlaces(db))
  for (let after: number | undefined = 0; after !== undefined;) {
    const from: number = after
    after = await db.transaction().execute((tx) => orderBatch(tx, from, size, day))
  }
  if (isFirst) await gaugePlaces(db)
  await finishPass(db, { day, madeAt, tookMs: Math.round(performance.now() - begun) })
}
