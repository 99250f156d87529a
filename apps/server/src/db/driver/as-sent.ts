import type { Compilable } from 'kysely'
import type pg from 'pg'
import type { RowTaker } from '../../lib/sent-rows.ts'
import { textsByShape } from './built-once.ts'
import type { Db } from './connect.ts'
import type { QueryRequest } from './prepared-query.ts'

/** A database and its connections. */
export interface SentFrom {
  db: Db
  pool: pg.Pool
}

/**
 * Runs hot statements whose cells are copied into the reply without being read. Parsing them into dates, numbers and
 * objects, only to print them again, costs as much as everything else. Statements are identified by a shape; the text
 * of each is built once.
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
    const asked: QueryRequest = { text: text(shape, values, build), values, taker }
    await pool.query(asked)
  }
}
