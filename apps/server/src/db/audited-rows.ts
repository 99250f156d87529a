import { audited, type AuditedTable } from './audited.ts'

type Value = string | number | boolean | null | Value[] | { [key: string]: Value }
export type Row = Record<string, Value>
/** Rows by table; of some tables there may have been too many to keep. */
export type Rows = { [T in AuditedTable]?: Row[] | 'too many' }
export type KeptRows = { [T in AuditedTable]?: Row[] }

export interface Difference {
  before: KeptRows
  after: KeptRows
  /** Tables with too many rows to keep. */
  omitted: AuditedTable[]
}

/** The difference: rows on one side only as they are; of rows on both sides the key and the changed columns. */
export function differenceOf(before: Rows, after: Rows): Difference {
  const difference: Difference = { before: {}, after: {}, omitted: [] }
  for (const table of Object.keys(audited) as AuditedTable[]) {
    // the type of keys() does not tell
    const [old = [], now = []] = [before[table], after[table]]
    if (old === 'too many' || now === 'too many') {
      difference.omitted.push(table)
      continue
    }
    const later = new Map(now.map((row) => [keyOf(table, row), row]))
    const [kept, came]: [Row[], Row[]] = [[], []]
    for (const row of old) {
      const other = later.get(keyOf(table, row))
      later.delete(keyOf(table, row))
      const changed = other ? changedColumns(row, other) : Object.keys(row)
      if (changed.length === 0) continue
      kept.push(other ? pick(row, [...audited[table].key, ...changed]) : row)
      if (other) came.push(pick(other, [...audited[table].key, ...changed]))
    }
    came.push(...later.values())
    if (kept.length > 0) difference.before[table] = kept
    if (came.length > 0) difference.after[table] = came
  }
  return difference
}

/** The columns that identify a row of its table. */
export function keyOf(table: AuditedTable, row: Row): string {
  const values = audited[table].key.map((name) => row[name])
  return values.length === 1 ? asText(values[0] ?? null) : JSON.stringify(values)
}

/** The same rows with their secrets put through `wrap`. */
export function wrapSecrets(rows: KeptRows, wrap: (column: string, value: string) => Value): KeptRows {
  const entries = Object.entries(rows) as [AuditedTable, Row[]][] // keys of that very object
  return Object.fromEntries(
    entries.map(([table, list]) => {
      const { secret = [] } = audited[table]
      const wrapped = (row: Row) =>
        secret.flatMap((name) => {
          const value = row[name]
          return value === null || value === undefined ? [] : [[name, wrap(`${table}.${name}`, asText(value))] as const]
        })
      return [table, list.map((row) => ({ ...row, ...Object.fromEntries(wrapped(row)) }))]
    }),
  )
}

export function asText(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function changedColumns(row: Row, other: Row): string[] {
  // Most are the same text or number.
  return Object.keys(row).filter((name) => row[name] !== other[name] && JSON.stringify(row[name]) !== JSON.stringify(other[name]))
}

function pick(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.flatMap((name) => (name in row ? [[name, row[name] ?? null]] : [])))
}
