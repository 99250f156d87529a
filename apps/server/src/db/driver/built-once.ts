import type pg from 'pg'
import { CompiledQuery, type Compilable, type RawBuilder } from 'kysely'
import { poolOf, type Db } from './connect.ts'
import { connectionOf } from './pipeline.ts'

/**
 * A statement of a hot path. The query builder makes the text at the first call; later calls bring their values
 * alone. Building the same text again costs as much as the rest of a look-up. Values are those of the text, in its
 * order.
 */
export function builtOnce<Row, Values extends unknown[]>(
  build: (db: Db, ...values: Values) => Compilable<Row>,
): (db: Db, ...values: Values) => Promise<Row[]> {
  let text: string | undefined
  return async (db, ...values) => rowsOf<Row>(db, (text ??= textOf(build(db, ...values), values)), values)
}

/** Callers choose which columns they set. Beyond this many different choices texts are made for each call. */
const MAX_SHAPES = 200

/** Columns that may be left out may also be undefined, which leaves them out. */
type Given<Fields> = { [K in keyof Fields]: {} extends Pick<Fields, K> ? Fields[K] | undefined : Fields[K] }

/**
 * The same for what sets columns of a row, which differ from call to call: a text is kept for each choice of columns. Its
 * values are those of the columns, and then the others.
 */
export function builtOncePerShape<Fields extends object, Row, Values extends unknown[]>(
  build: (db: Db, fields: Fields, ...values: Values) => Compilable<Row>,
): (db: Db, fields: Given<Fields>, ...values: Values) => Promise<Row[]> {
  const query = builtOnceFor()
  return (db, fields, ...values) => {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined)
    const shape = given.map(([name]) => name).join()
    return query(
      db,
      shape,
      [...given.map(([, value]) => value), ...values],
      () => build(db, Object.fromEntries(given) as Fields, ...values), // the same without what is undefined
    )
  }
}

/** Statements that are told apart by a shape: a text is kept for each. */
export function builtOnceFor(): <Row>(db: Db, shape: string, values: unknown[], build: () => Compilable<Row>) => Promise<Row[]> {
  const text = textsByShape()
  return async (db, shape, values, build) => rowsOf(db, text(shape, values, build), values)
}

/** Their texts alone, each built with the first call for its shape. */
export function textsByShape(): (shape: string, values: unknown[], build: () => Compilable) => string {
  const texts = new Map<string, string>()
  return (shape, values, build) => {
    const text = texts.get(shape) ?? textOf(build(), values)
    if (texts.size < MAX_SHAPES) texts.set(shape, text)
    return text
  }
}

/** A statement written as SQL, for the functions above. */
export function written<Row>(db: Db, statement: RawBuilder<Row>): Compilable<Row> {
  return { compile: () => statement.compile(db) }
}

/** The query builder would only find the connection, by way of ten promises. */
async function rowsOf<Row>(db: Db, text: string, values: readonly unknown[]): Promise<Row[]> {
  const pool = poolOf(db)
  if (pool) return (await pool.query<Row & pg.QueryResultRow>(text, [...values])).rows
  const query = CompiledQuery.raw(text, [...values])
  return (await (connectionOf(db)?.executeQuery<Row>(query) ?? db.executeQuery<Row>(query))).rows
}

/** Any other literal in the text would stay that of the first call. */
function textOf(query: Compilable, values: unknown[]): string {
  const { sql, parameters } = query.compile()
  if (parameters.length !== values.length || parameters.some((value, index) => value !== values[index]))
    throw new Error(`The values of a statement that is built once are not those given, in their order: ${sql}`)
  return sql
}
