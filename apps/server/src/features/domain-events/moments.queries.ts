import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

export async function hasEventReaders(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select "hasEventReaders"() as "is"`.execute(db)
  return rows[0]?.is === true
}

/** Up to when this has been looked for, held until the transaction ends; from now on where it never was. */
export async function lockLook(tx: Tx, name: string, now: Date): Promise<Date | undefined> {
  const made = await tx
    .insertInto('eventLooks')
    .values({ name, throughAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .executeTakeFirst()
  if (made) return undefined
  const look = await tx.selectFrom('eventLooks').select('throughAt').where('name', '=', name).forUpdate().executeTakeFirst()
  return look?.throughAt
}

export async function noteLook(tx: Tx, name: string, throughAt: Date): Promise<void> {
  await tx.updateTable('eventLooks').set({ throughAt }).where('name', '=', name).execute()
}

/** Without readers nothing is looked for: the first reader begins with the present. */
export async function forgetLooks(db: Db): Promise<void> {
  await sql`delete from "eventLooks" where exists (select from "eventLooks")`.execute(db)
}

export interface Stretch {
  after: Date
  through: Date
}

/** Users whose moment fell into this stretch: so many hours after they expire, or before where negative. */
export async function emitExpirations(tx: Tx, hours: number, { after, through }: Stretch): Promise<void> {
  const statuses = hours < 0 ? ['ACTIVE', 'LIMITED'] : ['EXPIRED']
  const offset = sql`make_interval(hours => ${hours}::integer)`
  await sql`
    select "emitEvent"('user.expiration', 'user ' || "uuid", "userSnapshot"("id"),
      jsonb_build_object('meta', jsonb_build_object('expiration', ${hours}::integer)))
    from (
      select "id", "uuid" from "users" where "status" = any(${statuses}::text[])
        and "expireAt" > ${after}::timestamptz - ${offset} and "expireAt" <= ${through}::timestamptz - ${offset}
      order by "expireAt", "id" for key share
    ) as "due"
  `.execute(tx)
}

/** Active users that were made so many hours ago and have never connected. */
export async function emitNotConnected(tx: Tx, hours: number, { after, through }: Stretch): Promise<void> {
  const offset = sql`make_interval(hours => ${hours}::integer)`
  await sql`
    select "emitEvent"('user.not_connected', 'user ' || "uuid", "userSnapshot"("id"),
      jsonb_build_object('meta', jsonb_build_object('notConnectedAfterHours', ${hours}::integer)))
    from (
      select "user"."id", "user"."uuid" from "users" as "user" join "userUsage" as "usage" on "usage"."userId" = "user"."id"
      where "user"."status" = 'ACTIVE' and "usage"."firstConnectedAt" is null
        and "user"."createdAt" > ${after}::timestamptz - ${offset} and "user"."createdAt" <= ${through}::timestamptz - ${offset}
      order by "user"."createdAt", "user"."id" for key share of "user"
    ) as "due"
  `.execute(tx)
}

/** Notes the highest threshold that each user has passed, for some of the users; a trigger emits the event. Gives how many. */
export async function passThresholds(db: Db, thresholds: readonly number[], limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update "userUsage" set "lastTriggeredThreshold" = "due"."threshold" from (
      select "usage"."userId", "passed"."threshold"
      from "userUsage" as "usage" join "users" as "user" on "user"."id" = "usage"."userId",
        lateral (
          select max("threshold") as "threshold" from unnest(${thresholds}::integer[]) as "threshold"
          where "usage"."usedTrafficBytes" >= "user"."trafficLimitBytes"::numeric * "threshold" / 100
        ) as "passed"
      where "user"."status" = 'ACTIVE' and "user"."trafficLimitBytes" > 0
        and "passed"."threshold" > "usage"."lastTriggeredThreshold"
      order by "usage"."userId" limit ${limit} for update of "usage"
    ) as "due" where "userUsage"."userId" = "due"."userId"
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Bills that are due in so many days from this day, or were due before it where negative. */
export async function emitBills(tx: Tx, event: string, today: string, days: number): Promise<void> {
  await sql`
    select "emitEvent"(${event}, 'bill ' || "bill"."uuid", null, jsonb_build_object('data', jsonb_build_object(
      'providerName', "provider"."name", 'nodeName', "node"."name", 'loginUrl', coalesce("provider"."loginUrl", ''),
      'nextBillingAt', to_char("bill"."nextBillingAt" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))))
    from "infraBillingNodes" as "bill"
    join "infraProviders" as "provider" on "provider"."id" = "bill"."providerId"
    join "nodes" as "node" on "node"."id" = "bill"."nodeId"
    where "bill"."nextBillingOn" = ${today}::date + ${days}::integer
    order by "bill"."id"
  `.execute(tx)
}
