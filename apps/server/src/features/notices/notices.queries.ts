import type { NoticeCondition } from '@causeway/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'
import type { ReadEvent } from './occasions.rules.ts'
import type { Facts, TextName } from './texts.rules.ts'
import type { Trouble } from './troubles.rules.ts'

/** The cursor, held until the transaction ends; undefined where another server holds it. */
export async function lockReader(tx: Tx): Promise<number | undefined> {
  const reader = await tx.selectFrom('noticeReader').select('position').forUpdate().skipLocked().executeTakeFirst()
  return reader?.position
}

export async function hasUnreadEvents(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from "domainEvents" where "position" > (select "position" from "noticeReader")) as "is"
  `.execute(db)
  return rows[0]?.is === true
}

/** The position that so many events from the cursor on end at; undefined where there are none. */
export async function findReadEnd(tx: Tx, position: number, limit: number): Promise<number | undefined> {
  const { rows } = await sql<{ end: number | null }>`
    select max("position")::bigint as "end" from (
      select "position" from "domainEvents" where "position" > ${position} order by "position" limit ${limit}) as "next"
  `.execute(tx)
  return rows[0]?.end ?? undefined
}

/** Events of these families between two positions, the last included. */
export async function listUnreadEvents(
  tx: Tx,
  { after, through, families }: { after: number; through: number; families: readonly string[] },
): Promise<ReadEvent[]> {
  if (families.length === 0) return []
  const { rows } = await sql<Omit<ReadEvent, 'data'> & { data: string }>`
    select "position", "uuid", "event", "at", "data" from "domainEvents"
    where "position" > ${after} and "position" <= ${through} and split_part("event", '.', 1) = any(${families}::text[])
    order by "position"
  `.execute(tx)
  return rows.map((row) => ({ ...row, data: JSON.parse(row.data) as Record<string, unknown> })) // an object by the contract
}

export async function moveReader(tx: Tx, position: number): Promise<void> {
  await tx.updateTable('noticeReader').set({ position }).execute()
}

export interface NewNotice {
  ruleId: number
  ways: readonly string[]
  occasion: string
  text: TextName
  facts: Facts
  at: Date
  dueAt: Date
}

/** One for each way that is not paused; an occasion that was told already is told no more. */
export async function insertNotices(tx: Tx, notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return
  await sql`
    insert into "notices" ("ruleId", "wayId", "occasion", "text", "facts", "at", "dueAt")
    select "new"."ruleId", "way"."id", "new"."occasion", "new"."text", "new"."facts", "new"."at", "new"."dueAt"
    from unnest(${notices.map(({ ruleId }) => ruleId)}::bigint[], ${notices.map(({ ways }) => JSON.stringify(ways))}::jsonb[],
      ${notices.map(({ occasion }) => occasion)}::text[], ${notices.map(({ text }) => text)}::text[],
      ${notices.map(({ facts }) => JSON.stringify(facts))}::jsonb[], ${notices.map(({ at }) => at.toISOString())}::timestamptz[],
      ${notices.map(({ dueAt }) => dueAt.toISOString())}::timestamptz[])
      with ordinality as "new"("ruleId", "ways", "occasion", "text", "facts", "at", "dueAt", "number")
    join "noticeWays" as "way" on "new"."ways" ? "way"."uuid"::text and not "way"."isPaused"
    order by "new"."number", "way"."id"
    on conflict ("wayId", "ruleId", "occasion") do nothing
  `.execute(tx)
}

/** Troubles of nodes by their thing. */
export async function listTroubles(tx: Tx, ruleId: number): Promise<(Trouble & { thing: string; facts: Facts })[]> {
  const rows = await tx.selectFrom('noticeTroubles').selectAll().where('ruleId', '=', ruleId).orderBy('thing').execute()
  return rows.map((row) => ({ ...row, facts: row.facts as Facts })) // as they were written
}

export async function saveTrouble(tx: Tx, ruleId: number, thing: string, trouble: Trouble, facts: Facts): Promise<void> {
  const kept = { ...trouble, facts: JSON.stringify(facts) }
  await tx
    .insertInto('noticeTroubles')
    .values({ ruleId, thing, ...kept })
    .onConflict((conflict) => conflict.columns(['ruleId', 'thing']).doUpdateSet(kept))
    .execute()
}

export async function deleteTrouble(tx: Tx, ruleId: number, thing: string): Promise<void> {
  await tx.deleteFrom('noticeTroubles').where('ruleId', '=', ruleId).where('thing', '=', thing).execute()
}

/** Nodes that are away now although no event told so, as of before the rule; and those that are back, switched off or gone. */
export async function mendNodeTroubles(tx: Tx, ruleId: number, now: Date): Promise<void> {
  await sql`
    insert into "noticeTroubles" ("ruleId", "thing", "facts", "sinceAt", "losses")
    select ${ruleId}::bigint, 'node ' || "node"."uuid", jsonb_strip_nulls(jsonb_build_object('name', "node"."name",
      'reason', "state"."lastStatusMessage", 'path', '/dashboard/management/nodes?edit=' || "node"."uuid")), "state"."lastStatusChange", 1
    from "nodes" as "node" join "nodeStates" as "state" on "state"."nodeId" = "node"."id"
    where not "node"."isDisabled" and not "state"."isConnected" and "state"."lastStatusChange" is not null
      and "state"."nodeVersion" is not null
    on conflict do nothing
  `.execute(tx)
  await sql`
    delete from "noticeTroubles" as "trouble" where "ruleId" = ${ruleId} and not exists (
      select from "nodes" as "node" where 'node ' || "node"."uuid" = "trouble"."thing" and not "node"."isDisabled")
  `.execute(tx)
  await sql`
    update "noticeTroubles" as "trouble" set "backAt" = ${now} where "ruleId" = ${ruleId} and "backAt" is null and exists (
      select from "nodes" as "node" join "nodeStates" as "state" on "state"."nodeId" = "node"."id"
      where 'node ' || "node"."uuid" = "trouble"."thing" and "state"."isConnected")
  `.execute(tx)
}

export interface HeldGroup {
  wayId: number
  /** Null: the digest of all rules that have one. */
  ruleId: number | null
}

/**
 * Notices that may be sent now, by message. A way with a message that waits gets no other: what comes up meanwhile goes into the
 * next one, so that a dead receiver costs one message.
 */
export async function listDueGroups(tx: Tx, now: Date): Promise<HeldGroup[]> {
  const { rows } = await sql<HeldGroup>`
    select "held"."wayId", case when "rule"."digest" = 'none' then "rule"."id" end as "ruleId"
    from "notices" as "held" join "noticeRules" as "rule" on "rule"."id" = "held"."ruleId"
      join "noticeWays" as "way" on "way"."id" = "held"."wayId"
    where "held"."messageId" is null and "held"."dueAt" <= ${now} and not "way"."isPaused"
      and not exists (select from "noticeMessages" as "message" where "message"."wayId" = "held"."wayId" and "message"."state" = 'waiting')
      and ("rule"."mostPerHour" is null or "rule"."mostPerHour" > (select count(*) from "noticeMessages" as "sent"
        where "sent"."ruleId" = "rule"."id" and "sent"."wayId" = "held"."wayId" and "sent"."at" > ${now}::timestamptz - interval '1 hour'))
    group by 1, 2 order by min("held"."id")
  `.execute(tx)
  return rows
}

export interface HeldNotice {
  condition: NoticeCondition
  text: TextName
  facts: Facts
  zone: string | null
}

const ofGroup = ({ wayId, ruleId }: HeldGroup, now: Date) => sql`
  "held"."wayId" = ${wayId} and "held"."messageId" is null and "held"."dueAt" <= ${now} and "held"."ruleId" in (
    select "id" from "noticeRules" where case when ${ruleId}::bigint is null then "digest" <> 'none' else "id" = ${ruleId}::bigint end)`

/** The first notices of a message. */
export async function listHeld(tx: Tx, group: HeldGroup, now: Date, limit: number): Promise<HeldNotice[]> {
  const { rows } = await sql<HeldNotice>`
    select "rule"."condition", "rule"."zone", "held"."text", "held"."facts"
    from "notices" as "held" join "noticeRules" as "rule" on "rule"."id" = "held"."ruleId"
    where ${ofGroup(group, now)} order by "held"."id" limit ${limit}
  `.execute(tx)
  return rows
}

/** Puts all notices of the group into a message; gives how many. */
export async function takeHeld(tx: Tx, group: HeldGroup, now: Date, messageId: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update "notices" as "held" set "messageId" = ${messageId} where ${ofGroup(group, now)}
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** What a rule holds back is due at another time. */
export async function moveHeldNotices(tx: Tx, ruleId: number, dueAt: Date): Promise<void> {
  await tx.updateTable('notices').set({ dueAt }).where('ruleId', '=', ruleId).where('messageId', 'is', null).execute()
}

/** Deletes notices that were held back for a way that was paused meanwhile. */
export async function deleteHeldNotices(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('notices').where('messageId', 'is', null).where('dueAt', '<', before).execute()
}

/** Notices and messages that are over go after a while; those that wait stay. */
export async function deleteOldNotices(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from "noticeMessages" where "id" = any(array(
      select "id" from "noticeMessages" where "state" <> 'waiting' and "at" < ${before} order by "at" limit ${limit}))
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
