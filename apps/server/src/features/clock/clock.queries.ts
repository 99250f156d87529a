import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'
import type { ClockState } from './clock.rules.ts'

/** Locked, so that several servers look one after the other. */
export async function lockClock(tx: Tx): Promise<ClockState | undefined> {
  return tx.selectFrom('clock').select(['trustedAt', 'doubtedAt']).forUpdate().executeTakeFirst()
}

/** When the clock jumped to a time that is not believed yet; undefined while all is well. */
export async function findClockDoubt(db: Db): Promise<Date | undefined> {
  return (await db.selectFrom('clock').select('doubtedAt').executeTakeFirst())?.doubtedAt ?? undefined
}

export async function holdClock(tx: Tx, state: ClockState): Promise<void> {
  await tx
    .insertInto('clock')
    .values({ isOnly: true, ...state })
    .onConflict((conflict) => conflict.column('isOnly').doUpdateSet(state))
    .execute()
}

/** Whether more than this many quarters of an hour were counted later than `after`. */
export async function hasQuartersAfter(db: Db, after: Date, more: number): Promise<boolean> {
  const { rows } = await sql`select from "onlineQuarters" where "quarter" > ${after} offset ${more} limit 1`.execute(db)
  return rows.length > 0
}

/** Deletes what a clock ahead wrote of the online count, and gives its instants of users and resets the time it is now. */
export async function mendFuture(tx: Tx, after: Date, now: Date): Promise<void> {
  const mended = (column: string) =>
    sql`${sql.ref(column)} = case when ${sql.ref(column)} > ${after} then ${now} else ${sql.ref(column)} end`
  await sql`
    update "userUsage" set ${mended('onlineAt')}, ${mended('firstConnectedAt')}, ${mended('lastTrafficResetAt')},
      "dayBytes" = case when "trafficDay" > ${after}::date then 0 else "dayBytes" end,
      "trafficDay" = case when "trafficDay" > ${after}::date then null else "trafficDay" end
    where "onlineAt" > ${after} or "firstConnectedAt" > ${after} or "lastTrafficResetAt" > ${after}
      or "trafficDay" > ${after}::date
  `.execute(tx)
  await sql`update "userAccesses" set "subLastOpenedAt" = ${now} where "subLastOpenedAt" > ${after}`.execute(tx)
  await sql`update "userTrafficResets" set "resetAt" = ${now} where "resetAt" > ${after}`.execute(tx)
  await sql`update "nodeTrafficResets" set "resetAt" = ${now}, "day" = null where "resetAt" > ${after}`.execute(tx)
  await sql`delete from "onlineQuarters" where "quarter" > ${after}`.execute(tx)
  // Periods that it has reset: their real resets have to come.
  await sql`delete from "jobs" where "kind" = 'resetByStrategy' and ("payload"->>'since')::timestamptz > ${after}`.execute(tx)
}
