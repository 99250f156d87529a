import { z } from 'zod'
import type { KeptRows, Row } from '../../db/audited-rows.ts'
import type { SecretStore } from '../../ground/secret-store.ts'

const wrapped = z.object({ wrapped: z.string() })
// The database gives JSON by its type; looking at each value would cost seconds for an entry about thousands of users.
const row = z.custom<Row>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
const kept = z.record(z.string(), z.array(row))

/**
 * The rows of an entry as they were, with their secrets.
 * @param tables where secrets are opened; elsewhere they stay wrapped. All, unless given.
 */
export function openRows(secrets: Pick<SecretStore, 'unwrap'>, rows: unknown, tables?: ReadonlySet<string>): KeptRows {
  const opened = Object.entries(kept.parse(rows ?? {})).map(([table, list]) => [
    table,
    tables === undefined || tables.has(table) ? list.map((each) => openRow(secrets, table, each)) : list,
  ])
  return Object.fromEntries(opened)
}

function openRow(secrets: Pick<SecretStore, 'unwrap'>, table: string, closed: Row): Row {
  const columns = Object.entries(closed).map(([name, value]) => {
    if (typeof value !== 'object' || value === null) return [name, value]
    const secret = wrapped.safeParse(value)
    return [name, secret.success ? secrets.unwrap(`audit ${table}.${name}`, secret.data.wrapped) : value]
  })
  return Object.fromEntries(columns)
}
