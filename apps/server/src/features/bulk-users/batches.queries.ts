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

interface NewLimit {
  id: number
  trafficLimitBytes: number
  extraTrafficBytes: number
}

/** Gives each user a traffic limit of its own. */
export async function setLimits(tx: Tx, changes: NewLimit[], now: Date): Promise<void> {
  const column = (key: keyof NewLimit) => changes.map((change) => change[key])
  await sql`
    update "users" set "trafficLimitBytes" = wanted."limit", "extraTrafficBytes" = wanted."extra", "updatedAt" = ${now}
    from unnest(${column('id')}::bigint[], ${column('trafficLimitBytes')}::bigint[], ${column('extraTrafficBytes')}::bigint[])
      as wanted("id", "limit", "extra")
    where "users"."id" = wanted."id"
  `.execute(tx)
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

/** Those of these users whose own row a reset of traffic changes. */
export async function listChangedByReset(tx: Tx, ids: number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select "id" from "users" where "id" = any(${ids}::bigint[]) and ("status" = 'LIMITED' or "extraTrafficBytes" > 0)
  `.execute(tx)
  return rows.map((row) => row.id)
}
