import { CompiledQuery, type Compilable } from 'kysely'
import type { Db } from './connect.ts'

/**
 * A statement of a hot path. The query builder makes its text with the first call; later ones bring their values alone, since
 * making the same text again costs as much as all the rest of a look-up. The values are those of the text, in its order.
 */
export function builtOnce<Row, Values extends unknown[]>(
  build: (db: Db, ...values: Values) => Compilable<Row>,
): (db: Db, ...values: Values) => Promise<Row[]> {
  const text = onceBuilt(build)
  return async (db, ...values) => (await db.executeQuery<Row>(CompiledQuery.raw(text(db, values), values))).rows
}

/** The text of a statement, built with the first call. */
export function onceBuilt<Values extends unknown[]>(
  build: (db: Db, ...values: Values) => Compilable,
): (db: Db, values: Values) => string {
  let text: string | undefined
  return (db, values) => (text ??= textOf(build(db, ...values), values))
}

/** What else the text holds would be that of the first call for ever. */
function textOf(query: Compilable, values: unknown[]): string {
  const { sql, parameters } = query.compile()
  if (parameters.length !== values.length || parameters.some((value, index) => value !== values[index]))
    throw new Error(`The values of a statement that is built once are not those given, in their order: ${sql}`)
  return sql
}
