import type { DeliveryState, EventName } from '@causeway/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { likeText } from '../search/search.rules.ts'
import type { SentEvent } from './body.rules.ts'
import { FAILING_FROM, TRIED_FOR_MS } from './retry.rules.ts'

/** The cursor, held until the transaction ends, and how many deliveries are waiting. */
export async function lockCursor(tx: Tx, webhookId: number): Promise<{ position: number; waiting: number } | undefined> {
  const state = await tx
    .selectFrom('webhookStates')
    .select('position')
    .where('webhookId', '=', webhookId)
    .forUpdate()
    .executeTakeFirst()
  if (!state) return undefined
  const { waiting } = await tx
    .selectFrom('webhookDeliveries')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('webhookId', '=', webhookId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return { ...state, waiting }
}

export interface ReadEvent {
  position: number
  event: EventName
  thing: string
  facts: SentEvent['facts']
}

export async function listEventsAfter(tx: Tx, position: number, limit: number): Promise<ReadEvent[]> {
  const { rows } = await sql<ReadEvent>`
    select "position", "event", "thing", "facts" from "domainEvents" where "position" > ${position} order by "position" limit ${limit}
  `.execute(tx)
  return rows
}

export async function addDeliveries(
  tx: Tx,
  webhookId: number,
  deliveries: { position: number; event: string; thing: string }[],
  now: Date,
): Promise<void> {
  if (deliveries.length === 0) return
  await tx
    .insertInto('webhookDeliveries')
    .values(deliveries.map((delivery) => ({ ...delivery, webhookId, nextAttemptAt: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function moveCursor(tx: Tx, webhookId: number, position: number): Promise<void> {
  await tx.updateTable('webhookStates').set({ position }).where('webhookId', '=', webhookId).execute()
}

export interface DueDelivery {
  id: number
  attempts: number
  sent: SentEvent
}

/** Deliveries that are due, of each thing the first alone: a later one of the same thing waits for it. */
export async function listDueDeliveries(db: Db, webhookId: number, now: Date, limit: number): Promise<DueDelivery[]> {
  const { rows } = await sql<Omit<DueDelivery, 'sent'> & SentEvent>`
    select "first"."id", "first"."attempts", "event"."uuid", "event"."event", "event"."at", "event"."data",
      "event"."facts"
    from (
      select distinct on ("thing") "id", "position", "attempts", "nextAttemptAt" from "webhookDeliveries"
      where "webhookId" = ${webhookId} and "state" = 'waiting' order by "thing", "position"
    ) as "first" join "domainEvents" as "event" on "event"."position" = "first"."position"
    where "first"."nextAttemptAt" <= ${now} order by "first"."position" limit ${limit}
  `.execute(db)
  return rows.map(({ id, attempts, ...sent }) => ({ id, attempts, sent }))
}

export interface Outcome {
  at: Date
  durationMs: number
  status: number | null
  answer: string | null
  /** Null where the receiver has it. */
  error: string | null
}

/** Keeps an attempt. What counts is the delivery as it stands now: it may have been sent again meanwhile, or be too old to be kept. */
export async function noteAttempt(
  tx: Tx,
  id: number,
  outcome: Outcome,
  { pauseMs, now }: { pauseMs: number; now: Date },
): Promise<void> {
  const held = await tx
    .selectFrom('webhookDeliveries')
    .select(['attempts', 'firstAttemptAt'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!held) return
  const since = held.firstAttemptAt ?? outcome.at
  const isGivenUp = now.getTime() - since.getTime() >= TRIED_FOR_MS
  const state: DeliveryState = outcome.error === null ? 'delivered' : isGivenUp ? 'failed' : 'waiting'
  const number = held.attempts + 1
  await tx
    .updateTable('webhookDeliveries')
    .set({
      state,
      attempts: number,
      firstAttemptAt: since,
      nextAttemptAt: new Date(now.getTime() + pauseMs),
      endedAt: state === 'waiting' ? null : now,
      status: outcome.status,
      error: outcome.error,
    })
    .where('id', '=', id)
    .execute()
  await tx
    .insertInto('webhookAttempts')
    .values({ deliveryId: id, number, ...outcome })
    .execute()
}

/** Where it had been failing, what waits is due at once. */
export async function noteSuccess(tx: Tx, webhookId: number, now: Date): Promise<void> {
  await sql`
    with "before" as (select "failures" from "webhookStates" where "webhookId" = ${webhookId} for update),
    "noted" as (
      update "webhookStates" set "lastSuccessAt" = ${now}, "failures" = 0, "failingSince" = null, "lastError" = null
      where "webhookId" = ${webhookId}
    )
    update "webhookDeliveries" set "nextAttemptAt" = ${now} where "webhookId" = ${webhookId} and "state" = 'waiting'
      and (select "failures" from "before") >= ${FAILING_FROM}
  `.execute(tx)
}

/** Gives whether this has stopped the webhook: it was without success for a day. */
export async function noteFailure(tx: Tx, webhookId: number, error: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ stoppedAt: Date | null }>`
    update "webhookStates" set "failures" = "failures" + 1, "failingSince" = coalesce("failingSince", ${now}), "lastError" = ${error},
      "stoppedAt" = case when coalesce("failingSince", ${now}) <= ${new Date(now.getTime() - TRIED_FOR_MS)}::timestamptz then ${now}::timestamptz end
    where "webhookId" = ${webhookId} returning "stoppedAt"
  `.execute(tx)
  return rows[0]?.stoppedAt instanceof Date
}

export async function noteNewSecret(tx: Tx, webhookId: number): Promise<void> {
  await tx.updateTable('webhookStates').set({ hasNewSecret: true }).where('webhookId', '=', webhookId).execute()
}

function deliveries(db: Db) {
  return db
    .selectFrom('webhookDeliveries as delivery')
    .innerJoin('webhooks as hook', 'hook.id', 'delivery.webhookId')
    .innerJoin('webhookStates as hookState', 'hookState.webhookId', 'delivery.webhookId')
    .innerJoin('domainEvents as event', 'event.position', 'delivery.position')
    .select(['delivery.uuid', 'delivery.event', 'event.at', 'delivery.state', 'delivery.attempts', 'delivery.status'])
    .select(['delivery.error', 'delivery.endedAt'])
    .select([
      sql<Date | null>`case when "delivery"."state" = 'waiting' and not "hook"."isPaused" and "hookState"."stoppedAt" is null
        then "delivery"."nextAttemptAt" end`.as('nextAttemptAt'),
      behind.as('behind'),
      thingName.as('thing'),
    ])
}

interface Queued {
  nextAttemptAt: Date | null
  behind: { uuid: string; event: string } | null
}

/** A delivery behind another one has no time of its own. */
const planned = <T extends Queued>(delivery: T): T => (delivery.behind === null ? delivery : { ...delivery, nextAttemptAt: null })

/** The delivery about the same thing that is tried before this one. */
const behind = sql<{ uuid: string; event: string } | null>`case when "delivery"."state" = 'waiting' then (
  select jsonb_build_object('uuid', "first"."uuid", 'event', "first"."event") from "webhookDeliveries" as "first"
  where "first"."webhookId" = "delivery"."webhookId" and "first"."state" = 'waiting' and "first"."thing" = "delivery"."thing"
    and "first"."position" < "delivery"."position" order by "first"."position" limit 1) end`

/** A name where the data has one. */
const thingName = sql<string>`coalesce("event"."data"::jsonb->>'username', "event"."data"::jsonb->'user'->>'username',
  "event"."data"::jsonb->>'name', "event"."data"::jsonb->>'nodeName', "event"."data"::jsonb->'loginAttempt'->>'username',
  "event"."data"::jsonb->'apiToken'->>'name', "event"."thing")`

export interface DeliveriesView {
  uuid: string
  state?: DeliveryState | undefined
  event?: EventName | undefined
  search?: string | undefined
  start: number
  size: number
}

/** The newest first. */
export async function listDeliveries(db: Db, { uuid, state, event, search, start, size }: DeliveriesView) {
  const matching = deliveries(db)
    .where('hook.uuid', '=', uuid)
    .$if(state !== undefined, (query) => query.where('delivery.state', '=', state ?? 'waiting'))
    .$if(event !== undefined, (query) => query.where('event.event', '=', event ?? 'user.created'))
    .$if(search !== undefined && search !== '', (query) =>
      query.where(sql<boolean>`${thingName} ilike ${`%${likeText(search ?? '')}%`}`),
    )
  const page = await matching.orderBy('delivery.position', 'desc').offset(start).limit(size).execute()
  const { total } = await matching
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { deliveries: page.map(planned), total }
}

export async function findDelivery(db: Db, uuid: string) {
  const delivery = await deliveries(db).where('delivery.uuid', '=', uuid).executeTakeFirst()
  return delivery && planned(delivery)
}

/** A delivery with its body, secrets and attempts. */
export async function findDeliveryDetails(db: Db, uuid: string) {
  const delivery = await deliveries(db)
    .select(['delivery.id', 'hook.id as webhookId', 'hook.url', 'hook.expiryNames', 'hook.secret', 'hook.previousSecret'])
    .select(['hook.previousSecretEndsAt', 'event.uuid as eventUuid', 'event.event as storedEvent', 'event.data', 'event.facts'])
    .where('delivery.uuid', '=', uuid)
    .executeTakeFirst()
  if (!delivery) return undefined
  const tries = await db
    .selectFrom('webhookAttempts')
    .select(['number', 'at', 'durationMs', 'status', 'answer', 'error'])
    .where('deliveryId', '=', delivery.id)
    .orderBy('number')
    .execute()
  const { hasNewSecret } = await db
    .selectFrom('webhookStates')
    .select('hasNewSecret')
    .where('webhookId', '=', delivery.webhookId)
    .executeTakeFirstOrThrow()
  return { ...planned(delivery), hasNewSecret, tries }
}

/** Lets ended deliveries wait again: this one, or all that failed. Gives how many. */
export async function resendDeliveries(tx: Tx, which: { uuid: string } | { webhookId: number }, now: Date): Promise<number> {
  const isWanted = 'uuid' in which ? sql`"uuid" = ${which.uuid}` : sql`"webhookId" = ${which.webhookId} and "state" = 'failed'`
  const { numAffectedRows } = await sql`
    update "webhookDeliveries" set "state" = 'waiting', "nextAttemptAt" = ${now}, "firstAttemptAt" = null, "endedAt" = null
    where ${isWanted}
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}
