import type { EventName } from '@causeway/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

export interface OutboxRow {
  id: number
  event: EventName
  thing: string
  at: Date
  snapshot: { users?: { id: number; uuid: string }; nodes?: { uuid: string } } | null
  facts: {
    data?: object
    meta?: Record<string, number>
    device?: Record<string, unknown>
    token?: { uuid: string; tokenName: string; expiresAt: string | null; permissions: string[] | null }
    torrent?: Record<string, unknown>
    action?: string
    uuid?: string
  }
}

/** False where another server is publishing. Held to the end of the transaction, so that positions appear in their order. */
export async function lockPublishing(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{
    is: boolean
  }>`select pg_try_advisory_xact_lock(hashtext('publish domain events')) as "is"`.execute(tx)
  return rows[0]?.is === true
}

/** Takes the oldest events out of the outbox. Ids of one thing rise in the order of commits. */
export async function takeOutbox(tx: Tx, limit: number): Promise<OutboxRow[]> {
  const { rows } = await sql<OutboxRow>`
    with "taken" as (
      delete from "outbox" where "id" = any(array(select "id" from "outbox" order by "id" limit ${limit}))
      returning "id", "event", "thing", "at", "snapshot", "facts"
    )
    select * from "taken" order by "id"
  `.execute(tx)
  return rows
}

export interface PublishedEvent {
  event: EventName
  thing: string
  at: Date
  data: string
  facts: object
}

export async function insertEvents(tx: Tx, events: PublishedEvent[]): Promise<void> {
  if (events.length === 0) return
  await sql`
    insert into "domainEvents" ("event", "thing", "at", "data", "facts")
    select "event", "thing", "at", "data", "facts" from unnest(
      ${events.map(({ event }) => event)}::text[], ${events.map(({ thing }) => thing)}::text[],
      ${events.map(({ at }) => at.toISOString())}::timestamptz[], ${events.map(({ data }) => data)}::text[],
      ${events.map(({ facts }) => JSON.stringify(facts))}::jsonb[]
    ) with ordinality as "new"("event", "thing", "at", "data", "facts", "number") order by "number"
  `.execute(tx)
}

export async function hasOutbox(db: Db): Promise<boolean> {
  const { rows } = await sql`select from "outbox" limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Deletes events older than this and those beyond the number kept, some at a time; their deliveries go with them. Webhooks that
 * have not come so far, or still had to deliver some, are moved on, and count what they have missed.
 */
export async function deleteOldEvents(db: Db, before: Date, kept: number, limit: number): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with "deleted" as (
      delete from "domainEvents" where "position" = any(array(
        select "position" from "domainEvents"
        where "at" < ${before} or "position" <= (select max("position") from "domainEvents") - ${kept}::bigint
        order by "position" limit ${limit}))
      returning "position", "event"
    ),
    "behind" as (
      select "state"."webhookId", max("deleted"."position") as "through",
        count(*) filter (where "deleted"."position" > "state"."position" and (hook."events" is null or hook."events" ? "deleted"."event"))
          + (select count(*) from "webhookDeliveries" as "waiting" where "waiting"."webhookId" = "state"."webhookId"
              and "waiting"."state" = 'waiting' and "waiting"."position" in (select "position" from "deleted")) as "missed"
      from "webhookStates" as "state" join "webhooks" as hook on hook."id" = "state"."webhookId" cross join "deleted"
      group by "state"."webhookId", "state"."position"
    ),
    "moved" as (
      update "webhookStates" set "position" = greatest("position", "behind"."through"), "missed" = "webhookStates"."missed" + "behind"."missed"
      from "behind" where "webhookStates"."webhookId" = "behind"."webhookId" and ("position" < "behind"."through" or "behind"."missed" > 0)
    )
    select count(*)::integer as "deleted" from "deleted"
  `.execute(db)
  return rows[0]?.deleted ?? 0
}
