import type { AuditedTable } from '../audited.ts'
import { asText, type KeptRows, type Row } from '../audited-rows.ts'
import { references } from './references.ts'

// One thing of an entry about many: what an undo of this thing alone would set back.

/** Tables of the things that an entry can hold many of. */
export const MANY = ['users', 'hosts', 'nodes', 'internalSquads', 'configProfiles'] as const satisfies AuditedTable[]

export interface Thing {
  table: (typeof MANY)[number]
  id: number
}

/** The thing with this uuid where its whole row is among these. */
export function findThing(rows: { before: KeptRows; after: KeptRows }, uuid: string): Thing | undefined {
  for (const table of MANY) {
    const row = [...(rows.before[table] ?? []), ...(rows.after[table] ?? [])].find((each) => each['uuid'] === uuid)
    if (row) return { table, id: Number(row['id']) }
  }
  return undefined
}

/** The rows of this thing alone, with those that hang on it. */
export function rowsOfThing(rows: KeptRows, { table, id }: Thing): KeptRows {
  const isOf = (of: AuditedTable, row: Row) =>
    of === table
      ? Number(row['id']) === id
      : (references[of] ?? []).some(
          (reference) => reference.table === table && asText(row[reference.column] ?? null) === String(id),
        )
  const entries = Object.entries(rows) as [AuditedTable, Row[]][] // keys of that very object
  return Object.fromEntries(
    entries.map(([of, list]) => [of, list.filter((row) => isOf(of, row))] as const).filter(([, list]) => list.length > 0),
  )
}
