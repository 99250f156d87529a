import { z } from 'zod'
import type { KeptRows, Row } from '../../db/audited-rows.ts'
import type { SecretStore } from '../../ground/secret-store.ts'

const wrapped = z.object({ wrapped: z.string() })
const kept = z.record(z.string(), z.array(z.record(z.string(), z.json())))

/** The rows of an entry as they were, with their secrets. */
export function openRows(secrets: Pick<SecretStore, 'unwrap'>, rows: unknown): KeptRows {
  const tables = kept.parse(rows ?? {})
  const opened = Object.entries(tables).map(([table, list]) => [table, list.map((row) => openRow(secrets, table, row))])
  return Object.fromEntries(opened)
}

function openRow(secrets: Pick<SecretStore, 'unwrap'>, table: string, row: Row): Row {
  const columns = Object.entries(row).map(([name, value]) => {
    const secret = wrapped.safeParse(value)
    return [name, secret.success ? secrets.unwrap(`audit ${table}.${name}`, secret.data.wrapped) : value]
  })
  return Object.fromEntries(columns)
}
