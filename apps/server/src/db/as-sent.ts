import type { Compilable } from 'kysely'
import type pg from 'pg'
import type { RowTaker } from '../lib/sent-rows.ts'
import { onceBuilt } from './built-once.ts'
import type { Db } from './connect.ts'
import type { Asked } from './prepared-query.ts'

/**
 * A statement of a hot path whose many cells are not looked at, but written on: made dates, numbers and objects, which are made
 * texts again at once, they cost as much as all the rest.
 */
export function readAsSent<Values extends unknown[]>(
  build: (db: Db, ...values: Values) => Compilable,
): (database: { db: Db; pool: pg.Pool }, taker: RowTaker, ...values: Values) => Promise<void> {
  const text = onceBuilt(build)
  return async ({ db, pool }, taker, ...values) => {
    taker.begin()
    const asked: Asked = { text: text(db, values), values, taker }
    await pool.query(asked)
  }
}
