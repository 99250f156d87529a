import { sql } from 'kysely'
import { auditedThings, type AuditedTable, type AuditedThing } from '../../db/audited.ts'
import type { Rows } from '../../db/audited-rows.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { references } from '../../db/undo/references.ts'
import { nameColumns } from '../../db/undo/things.ts'

/** The name of what a thing without a name belongs to: of the node of a bill, of the user of metadata. */
export async function nameOfOwner(tx: Tx, thing: AuditedThing, before: Rows, after: Rows): Promise<string | null> {
  const [root] = Object.keys(auditedThings[thing]) as AuditedTable[] // keys of that very object
  if (!root || nameColumns[root] !== undefined) return null
  const [row] = [before[root], after[root]].flatMap((rows) => (Array.isArray(rows) ? rows : []))
  const owner = (references[root] ?? []).find(({ table }) => nameColumns[table] !== undefined)
  const id = row?.[owner?.column ?? '']
  if (!owner || typeof id !== 'number') return null
  const name = sql.ref(nameColumns[owner.table] ?? 'id')
  const { rows } = await sql<{
    name: string
  }>`select ${name}::text as "name" from ${sql.table(owner.table)} where "id" = ${id}`.execute(tx)
  return rows[0]?.name ?? null
}
