import type { Compilable } from 'kysely'
import type pg from 'pg'
import { onceBuilt } from './built-once.ts'
import type { TextRow } from '../lib/json-texts.ts'
import type { Db } from './connect.ts'

export interface TextRows {
  columns: readonly string[]
  rows: TextRow[]
}

const AS_SENT = { getTypeParser: () => (text: string) => text }

/**
 * A statement of a hot path whose many cells are not looked at, but written on: made dates, numbers and objects, which are made
 * texts again at once, they cost as much as all the rest.
 */
export function readAsTexts<Values extends unknown[]>(
  build: (db: Db, ...values: Values) => Compilable,
): (database: { db: Db; pool: pg.Pool }, ...values: Values) => Promise<TextRows> {
  const text = onceBuilt(build)
  return async ({ db, pool }, ...values) => {
    const { fields, rows } = await pool.query<(string | null)[]>({
      text: text(db, values),
      values,
      rowMode: 'array',
      types: AS_SENT,
    })
    return { columns: fields.map(({ name }) => name), rows }
  }
}
