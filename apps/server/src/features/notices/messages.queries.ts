import type { NoticeMessageState } from '@causeway/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { TRIED_FOR_MS } from '../webhooks/retry.rules.ts'
import type { Message } from './sending/message.rules.ts'

export async function insertMessage(tx: Tx, group: { wayId: number; ruleId: number | null }, now: Date): Promise<number> {
  const { id } = await tx
    .insertInto('noticeMessages')
    .values({ ...group, title: '', lines: '[]', at: now, nextAttemptAt: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function setMessage(tx: Tx, id: number, { title, lines }: Message): Promise<void> {
  await tx
    .updateTable('noticeMessages')
    .set({ title, lines: JSON.stringify(lines) })
    .where('id', '=', id)
    .execute()
}

/** Ways with a message to send now. */
export async function listBusyWays(db: Db, now: Date): Promise<{ wayId: number }[]> {
  const { rows } = await sql<{ wayId: number }>`
    select distinct "message"."wayId" from "noticeMessages" as "message" join "noticeWays" as "way" on "way"."id" = "message"."wayId"
      left join "noticeWayStates" as "state" on "state"."wayId" = "way"."id"
    where "message"."state" = 'waiting' and "message"."nextAttemptAt" <= ${now} and not "way"."isPaused"
      and coalesce("state"."restsUntil" <= ${now}, true)
  `.execute(db)
  return rows
}

export interface ClaimedMessage extends Message {
  id: number
  uuid: string
  attempts: number
  at: Date
}

/**
 * Takes the first waiting message of a way, if it is due. Until `until` it is no other server's: one that dies meanwhile leaves it to
 * them, and one that lives has sent it by then.
 */
export async function claimMessage(db: Db, wayId: number, now: Date, until: Date): Promise<ClaimedMessage | undefined> {
  const { rows } = await sql<ClaimedMessage>`
    update "noticeMessages" set "attempts" = "attempts" + 1, "nextAttemptAt" = ${until}
    where "id" = (
      select "id" from "noticeMessages" where "wayId" = ${wayId} and "state" = 'waiting' order by "id" limit 1 for update skip locked
    ) and "nextAttemptAt" <= ${now}
    returning "id", "uuid", "attempts", "at", "title", "lines"
  `.execute(db)
  return rows[0]
}

export function findClaimedWay(db: Db, id: number) {
  return db.selectFrom('noticeWays').selectAll().where('id', '=', id).where('isPaused', '=', false).executeTakeFirst()
}

export interface Outcome {
  durationMs: number
  /** Null where it has arrived. */
  error: string | null
  /** The answer of the other side. */
  answer: string | null
  /** The other side asks to be left alone for so long. */
  restMs?: number
}

export async function noteSent(tx: Tx, { id, wayId }: { id: number; wayId: number }, outcome: Outcome, now: Date): Promise<void> {
  await tx
    .updateTable('noticeMessages')
    .set({ state: 'sent', endedAt: now, error: null, answer: outcome.answer })
    .where('id', '=', id)
    .execute()
  const fine = { lastSuccessAt: now, failures: 0, failingSince: null, lastError: null, restsUntil: null }
  await tx
    .insertInto('noticeWayStates')
    .values({ wayId, ...fine })
    .onConflict((conflict) => conflict.column('wayId').doUpdateSet(fine))
    .execute()
}

/** A day after it came up a message is given up. A rest that was asked for is no failure. */
export async function noteUnsent(
  tx: Tx,
  { id, wayId }: { id: number; wayId: number },
  { error, answer, restMs }: Outcome,
  { pauseMs, now }: { pauseMs: number; now: Date },
): Promise<void> {
  const nextAttemptAt = new Date(now.getTime() + (restMs ?? pauseMs))
  await sql`
    update "noticeMessages" set "error" = ${error}, "answer" = ${answer}, "nextAttemptAt" = ${nextAttemptAt},
      "state" = case when "at" <= ${new Date(now.getTime() - TRIED_FOR_MS)}::timestamptz then 'failed' else "state" end,
      "endedAt" = case when "at" <= ${new Date(now.getTime() - TRIED_FOR_MS)}::timestamptz then ${now}::timestamptz end
    where "id" = ${id}
  `.execute(tx)
  const restsUntil = restMs === undefined ? null : nextAttemptAt
  const failed = restMs === undefined ? 1 : 0
  await sql`
    insert into "noticeWayStates" ("wayId", "failures", "failingSince", "lastError", "restsUntil")
    values (${wayId}, ${failed}::integer, case when ${failed}::integer = 1 then ${now}::timestamptz end, ${error}, ${restsUntil}::timestamptz)
    on conflict ("wayId") do update set "failures" = "noticeWayStates"."failures" + ${failed}::integer, "lastError" = ${error},
      "failingSince" = case when ${failed}::integer = 1 then coalesce("noticeWayStates"."failingSince", ${now}::timestamptz)
        else "noticeWayStates"."failingSince" end,
      "restsUntil" = ${restsUntil}::timestamptz
  `.execute(tx)
}

function messages(db: Db) {
  return db
    .selectFrom('noticeMessages as message')
    .innerJoin('noticeWays as way', 'way.id', 'message.wayId')
    .select(['message.uuid', 'way.uuid as wayUuid', 'way.name as wayName', 'message.title', 'message.state', 'message.attempts'])
    .select(['message.at', 'message.endedAt', 'message.error', 'message.answer'])
    .select([
      sql<Message['lines']>`"message"."lines"`.as('lines'),
      sql<Date | null>`case when "message"."state" = 'waiting' then "message"."nextAttemptAt" end`.as('nextAttemptAt'),
    ])
}

interface View {
  way?: string | undefined
  state?: NoticeMessageState | undefined
  start: number
  size: number
}

/** The newest first. */
export async function listMessages(db: Db, { way, state, start, size }: View) {
  const matching = messages(db)
    .$if(way !== undefined, (query) => query.where('way.uuid', '=', way ?? ''))
    .$if(state !== undefined, (query) => query.where('message.state', '=', state ?? 'waiting'))
  const page = await matching.orderBy('message.id', 'desc').offset(start).limit(size).execute()
  const { total } = await matching
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const { held } = await db
    .selectFrom('notices')
    .select(({ fn }) => fn.countAll<number>().as('held'))
    .where('messageId', 'is', null)
    .executeTakeFirstOrThrow()
  return { messages: page, total, held }
}

export function findMessage(db: Db, uuid: string) {
  return messages(db).where('message.uuid', '=', uuid).executeTakeFirst()
}

/** Sends a message again, for another day. Gives whether there is one. */
export async function resendMessageRow(tx: Tx, uuid: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('noticeMessages')
    .set({ state: 'waiting', at: now, nextAttemptAt: now, endedAt: null })
    .where('uuid', '=', uuid)
    .where('state', '<>', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
