import { sql, type Updateable } from 'kysely'
import type { Tx } from '../../db/driver/connect.ts'
import type { Tables } from '../../db/tables.ts'

export interface Credentials {
  shortUuid: string
  trojanPassword: string
  ssPassword: string
  vlessUuid: string
}

/** Gives each user credentials of its own. */
export async function setCredentials(tx: Tx, changes: ({ id: number } & Credentials)[], now: Date): Promise<void> {
  const column = (key: keyof Credentials) => changes.map((change) => change[key])
  await sql`
    update "users" set "shortUuid" = new."shortUuid", "trojanPassword" = new."trojanPassword", "ssPassword" = new."ssPassword",
      "vlessUuid" = new."vlessUuid", "subRevokedAt" = ${now}, "updatedAt" = ${now}
    from unnest(${changes.map((change) => change.id)}::bigint[], ${column('shortUuid')}::text[], ${column('trojanPassword')}::text[],
      ${column('ssPassword')}::text[], ${column('vlessUuid')}::uuid[]) as new("id", "shortUuid", "trojanPassword", "ssPassword", "vlessUuid")
    where "users"."id" = new."id"
  `.execute(tx)
}

/** Sets the same columns of each user. */
export async function setFields(tx: Tx, ids: number[], fields: Updateable<Tables['users']>): Promise<void> {
  await tx
    .updateTable('users')
    .set(fields)
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
}

export async function listIdsByUuid(tx: Tx, uuids: string[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select "id" from "users" where "uuid" = any(${uuids}::uuid[]) order by "id"`.execute(
    tx,
  )
  return rows.map((row) => row.id)
}

export async function listAllIds(tx: Tx): Promise<number[]> {
  const rows = await tx.selectFrom('users').select('id').orderBy('id').execute()
  return rows.map((row) => row.id)
}

export async function listLimited(tx: Tx, ids: number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select "id" from "users" where "id" = any(${ids}::bigint[]) and "status" = 'LIMITED'
  `.execute(tx)
  return rows.map((row) => row.id)
}
