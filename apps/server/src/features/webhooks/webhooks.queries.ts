import { oldExpiryNames, type EventName, type ExpiryNames, type Input } from '@causeway/contract'
import type { updateWebhook } from '@causeway/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

/** Webhooks with their state, oldest first. */
function webhooks(db: Db) {
  const count = (state: 'waiting' | 'failed') => sql<number>`(
    select count(*)::integer from "webhookDeliveries" as "delivery"
    where "delivery"."webhookId" = "hook"."id" and "delivery"."state" = ${sql.lit(state)})`
  // As readOn does: old names have no word for most moments of expiry.
  const unread = sql`from "domainEvents" as "event" where "event"."position" > "state"."position"
    and ("hook"."events" is null or "hook"."events" ? "event"."event")
    and ("hook"."expiryNames" = 'new' or "event"."event" <> 'user.expiration'
      or "event"."facts"->'meta'->>'expiration' = any(${Object.keys(oldExpiryNames)}::text[]))`
  const unreadCount = sql<number>`(select count(*)::integer ${unread})`
  return db
    .selectFrom('webhooks as hook')
    .innerJoin('webhookStates as state', 'state.webhookId', 'hook.id')
    .select(['hook.uuid', 'hook.name', 'hook.url', 'hook.events', 'hook.expiryNames', 'hook.isPaused', 'hook.isFromEnvironment'])
    .select(['hook.previousSecretEndsAt as overlapEndsAt', 'state.hasNewSecret', 'state.lastSuccessAt', 'state.failingSince'])
    .select(['state.lastError', 'state.stoppedAt', 'state.missed', 'hook.createdAt', 'hook.updatedAt'])
    .select([sql<number>`${count('waiting')} + ${unreadCount}`.as('waiting'), count('failed').as('failed')])
    .select([unreadCount.as('unread'), sql<Date | null>`(select min("event"."at") ${unread})`.as('unreadSince')])
    .orderBy('hook.createdAt')
    .orderBy('hook.id')
}

export function listWebhooks(db: Db) {
  return webhooks(db).execute()
}

export function findWebhook(db: Db, uuid: string) {
  return webhooks(db).where('hook.uuid', '=', uuid).executeTakeFirst()
}

export async function countWebhooks(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export function lockWebhook(tx: Tx, uuid: string) {
  return tx.selectFrom('webhooks').selectAll().where('uuid', '=', uuid).forUpdate().executeTakeFirst()
}

interface NewWebhook {
  name: string
  url: string
  events: EventName[] | null
  expiryNames: ExpiryNames
  secret: string
  isFromEnvironment?: boolean
}

/** Begins with what is published after it: nothing that happened before is sent. */
export async function insertWebhook(tx: Tx, { events, ...fields }: NewWebhook, now: Date): Promise<{ id: number; uuid: string }> {
  const made = await tx
    .insertInto('webhooks')
    .values({ ...fields, events: events && JSON.stringify(events), createdAt: now, updatedAt: now })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  await sql`
    insert into "webhookStates" ("webhookId", "position") select ${made.id}, coalesce(max("position"), 0) from "domainEvents"
  `.execute(tx)
  return made
}

type Edit = Pick<Input<typeof updateWebhook>, 'name' | 'url' | 'events' | 'expiryNames' | 'isPaused'>

export async function updateWebhookRow(tx: Tx, uuid: string, { events, ...fields }: Edit, now: Date): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ ...fields, ...(events === undefined ? {} : { events: events && JSON.stringify(events) }), updatedAt: now })
    .where('uuid', '=', uuid)
    .execute()
}

/** The next attempts are made at once, and failures count anew. */
export async function resumeWebhook(tx: Tx, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('webhookStates')
    .set({ stoppedAt: null, failures: 0, failingSince: null, lastError: null })
    .where('webhookId', '=', id)
    .execute()
  await tx
    .updateTable('webhookDeliveries')
    .set({ nextAttemptAt: now, firstAttemptAt: null })
    .where('webhookId', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

export async function setSecrets(
  tx: Tx,
  id: number,
  secrets: { secret: string; previousSecret: string | null; previousSecretEndsAt: Date | null },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ ...secrets, updatedAt: now })
    .where('id', '=', id)
    .execute()
  await tx.updateTable('webhookStates').set({ hasNewSecret: false }).where('webhookId', '=', id).execute()
}

export async function deleteWebhookRow(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute()
  // Without readers events are not written any more; those that are left would be of no use to a later one.
  await sql`delete from "outbox" where not "hasEventReaders"()`.execute(tx)
}

export function listEnvironmentWebhooks(tx: Tx) {
  return tx.selectFrom('webhooks').selectAll().where('isFromEnvironment', '=', true).forUpdate().execute()
}

/** Servers that start together take over the environment one after the other. */
export async function lockEnvironment(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('webhooks of the environment'))`.execute(tx)
}

/** Webhooks with something to read or to deliver now. */
export async function listBusyWebhooks(db: Db, now: Date): Promise<{ id: number }[]> {
  const { rows } = await sql<{ id: number }>`
    select "hook"."id" from "webhooks" as "hook" join "webhookStates" as "state" on "state"."webhookId" = "hook"."id"
    where not "hook"."isPaused" and "state"."stoppedAt" is null and (
      "state"."position" < (select max("position") from "domainEvents")
      or exists (select from "webhookDeliveries" as "delivery" where "delivery"."webhookId" = "hook"."id"
        and "delivery"."state" = 'waiting' and "delivery"."nextAttemptAt" <= ${now}))
    order by "hook"."id"
  `.execute(db)
  return rows
}

/** Target and secrets of a delivery; undefined where the webhook is paused, stopped or gone. */
export function findSending(db: Db, id: number) {
  return sendings(db)
    .where('hook.id', '=', id)
    .where('hook.isPaused', '=', false)
    .where('state.stoppedAt', 'is', null)
    .executeTakeFirst()
}

export function findSendingByUuid(db: Db, uuid: string) {
  return sendings(db).where('hook.uuid', '=', uuid).executeTakeFirst()
}

function sendings(db: Db) {
  return db
    .selectFrom('webhooks as hook')
    .innerJoin('webhookStates as state', 'state.webhookId', 'hook.id')
    .select(['hook.id', 'hook.uuid', 'hook.url', 'hook.events', 'hook.expiryNames', 'hook.secret', 'hook.previousSecret'])
    .select(['hook.previousSecretEndsAt', 'state.hasNewSecret', 'state.failures'])
}

export type Sending = NonNullable<Awaited<ReturnType<typeof findSending>>>
