import { sql } from 'kysely'
import type { Reseller } from '@causeway/contract'
import type { ResellerScope } from '../../lib/scope.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { isVisible } from '../../ground/scope/scope.queries.ts'
import { DAY_MS } from '../../lib/days.ts'

const WEEK_MS = 7 * DAY_MS

/** Resellers one after the other, as each is measured over the users that it sees. */
export async function listResellers(db: Db, now: Date): Promise<Reseller[]> {
  const { rows } = await sql<ListedReseller>`
    select reseller."id", reseller."uuid", reseller."name", reseller."maxUsers", reseller."maxBytes", reseller."maxDays",
      array(select admin."username" from "admins" admin where admin."resellerId" = reseller."id" order by admin."id") as "admins",
      (select count(*) from "apiTokens" token where token."resellerId" = reseller."id") as "tokens",
      coalesce((
        select json_agg(json_build_object('id', squad."id", 'uuid', squad."uuid", 'name', squad."name") order by squad."viewPosition", squad."id")
        from "internalSquads" squad where squad."uuid" = any(reseller."squadUuids")), '[]') as "squads"
    from "resellers" reseller order by reseller."name"
  `.execute(db)
  const measured: Reseller[] = []
  for (const { id, squads, ...row } of rows) {
    const scope = { squadIds: squads.map((squad) => squad.id) }
    measured.push({
      ...row,
      squads: squads.map(({ uuid, name }) => ({ uuid, name })),
      ...(await measure(db, { ...NO_BOUNDS, id, ...scope }, now)),
    })
  }
  return measured
}

type ListedReseller = Pick<Reseller, 'uuid' | 'name' | 'maxUsers' | 'maxBytes' | 'maxDays' | 'admins' | 'tokens'> & {
  id: number
  squads: { id: number; uuid: string; name: string }[]
}

const NO_BOUNDS = { name: '', squadUuids: [], maxUsers: null, maxBytes: null, maxDays: null }

type Measured = 'users' | 'promisedBytes' | 'usedBytes' | 'lifetimeUsedBytes' | 'unlimitedUsers' | 'endingThisWeek'

/** Sums over the users of a reseller: promised, used, and how many end soon. */
async function measure(db: Db, scope: ResellerScope, now: Date) {
  const { rows } = await sql<Pick<Reseller, Measured>>`
    select count(*) as "users", coalesce(sum(u."trafficLimitBytes"), 0)::bigint as "promisedBytes",
      coalesce(sum(usage."usedTrafficBytes"), 0)::bigint as "usedBytes",
      coalesce(sum(usage."lifetimeUsedTrafficBytes"), 0)::bigint as "lifetimeUsedBytes",
      count(*) filter (where u."trafficLimitBytes" = 0) as "unlimitedUsers",
      count(*) filter (where u."status" = 'ACTIVE' and u."expireAt" >= ${now} and u."expireAt" < ${new Date(now.getTime() + WEEK_MS)}) as "endingThisWeek"
    from "users" u join "userUsage" usage on usage."userId" = u."id" where ${isVisible(scope, sql`u."id"`)}
  `.execute(db)
  return rows[0] ?? { users: 0, promisedBytes: 0, usedBytes: 0, lifetimeUsedBytes: 0, unlimitedUsers: 0, endingThisWeek: 0 }
}

export interface ResellerFields {
  name: string
  squadUuids: string[]
  maxUsers: number | null
  maxBytes: number | null
  maxDays: number | null
}

type Edit = { [Name in keyof ResellerFields]?: ResellerFields[Name] | undefined }

export async function countResellers(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('resellers')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

export async function isResellerNameTaken(db: Db, name: string, exceptId: number | null): Promise<boolean> {
  const named = db.selectFrom('resellers').select('id').where('name', '=', name)
  return (await (exceptId === null ? named : named.where('id', '!=', exceptId)).executeTakeFirst()) !== undefined
}

export function insertReseller(tx: Tx, fields: ResellerFields) {
  return tx.insertInto('resellers').values(fields).returning(['id', 'uuid', 'name']).executeTakeFirstOrThrow()
}

/** Waits for changes of the reseller that go on, so that new bounds hold from the next one on. */
export async function updateResellerRow(tx: Tx, id: number, edit: Edit, now: Date): Promise<void> {
  await tx
    .updateTable('resellers')
    .set({ ...edit, updatedAt: now })
    .where('id', '=', id)
    .execute()
}

/** Whether administrators, open invitations or tokens belong to it. */
export async function isResellerHeld(tx: Tx, id: number, now: Date): Promise<boolean> {
  const { rows } = await sql<{ isHeld: boolean }>`
    select exists (select from "admins" where "resellerId" = ${id}) or exists (select from "apiTokens" where "resellerId" = ${id})
      or exists (select from "invitations" where "resellerId" = ${id} and "acceptedAt" is null and "recalledAt" is null
        and "expiresAt" > ${now}) as "isHeld"
  `.execute(tx)
  return rows[0]?.isHeld ?? false
}

export async function deleteResellerRow(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('resellers').where('id', '=', id).execute()
}
