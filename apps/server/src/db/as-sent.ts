import type { Compilable } from 'kysely'
import type pg from 'pg'
import type { RowTaker } from '../lib/sent-rows.ts'
import { textsByShape } from './built-once.ts'
import type { Db } from './connect.ts'
import type { Asked } from './prepared-query.ts'

/** What has a database and its connections. */
export interface SentFrom {
  db: Db
  pool: pg.Pool
}

/**
 * Statements of a hot path whose many cells are not looked at, but written on: made dates, numbers and objects, which are made
 * texts again at once, they cost as much as all the rest. They are told apart by a shape; the text of each is built once.
 */
export function readAsSent(): (
  from: SentFrom,
  taker: RowTaker,
  shape: string,
  values: unknown[],
  build: () => Compilable,
) => Promise<void> {
  const text = textsByShape()
  return async ({ pool }, taker, shape, values, build) => {
    taker.begin()
    const asked: Asked = { text: text(shape, values, build), values, taker }
    await pool.query(asked)
  }
}
