import type { MailSecurity, NoticeLanguage, NoticeWayKind } from '@causeway/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

export interface TelegramSettings {
  chat: string
  topic: number | null
  apiRoot: string | null
  proxyHost: string | null
}
export interface EmailSettings {
  host: string
  port: number
  security: MailSecurity
  username: string | null
  from: string
  to: string[]
}
export interface WebhookSettings {
  url: string
}
export type Settings =
  | ({ kind: 'telegram' } & TelegramSettings)
  | ({ kind: 'email' } & EmailSettings)
  | ({ kind: 'webhook' } & WebhookSettings)

/** Ways with their health, oldest first. */
function ways(db: Db) {
  const messages = (state: 'waiting' | 'failed') => sql<number>`(select count(*)::integer from "noticeMessages" as "message"
    where "message"."wayId" = "way"."id" and "message"."state" = ${sql.lit(state)})`
  const held = sql<number>`(select count(*)::integer from "notices" where "notices"."wayId" = "way"."id" and "notices"."messageId" is null)`
  return db
    .selectFrom('noticeWays as way')
    .leftJoin('noticeWayStates as state', 'state.wayId', 'way.id')
    .selectAll('way')
    .select(['state.lastSuccessAt', 'state.failingSince', 'state.lastError'])
    .select([
      sql<number>`(select count(*)::integer from "noticeRules" where "ways" ? "way"."uuid"::text)`.as('rules'),
      sql<number>`${messages('waiting')} + ${held}`.as('waiting'),
      messages('failed').as('failed'),
    ])
    .orderBy('way.createdAt')
    .orderBy('way.id')
}

export type WayRow = Awaited<ReturnType<typeof listWays>>[number]

export function listWays(db: Db) {
  return ways(db).execute()
}

export function findWay(db: Db, uuid: string) {
  return ways(db).where('way.uuid', '=', uuid).executeTakeFirst()
}

export function findWayById(db: Db, id: number) {
  return db.selectFrom('noticeWays').selectAll().where('id', '=', id).executeTakeFirst()
}

export function lockWay(tx: Tx, uuid: string) {
  return tx.selectFrom('noticeWays').selectAll().where('uuid', '=', uuid).forUpdate().executeTakeFirst()
}

export async function listWayNames(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('noticeWays').select('name').execute()
  return rows.map(({ name }) => name)
}

export async function countWays(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('noticeWays')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export async function listKnownWays(db: Db, uuids: readonly string[]): Promise<string[]> {
  if (uuids.length === 0) return []
  const rows = await db.selectFrom('noticeWays').select('uuid').where('uuid', 'in', uuids).execute()
  return rows.map(({ uuid }) => uuid)
}

interface NewWay {
  name: string
  kind: NoticeWayKind
  settings: Settings
  secret: string | null
  language: NoticeLanguage
  origin: string | null
  isFromEnvironment?: boolean
}

export function insertWay(tx: Tx, { settings, ...way }: NewWay, now: Date): Promise<{ id: number; uuid: string }> {
  return tx
    .insertInto('noticeWays')
    .values({ ...way, settings: JSON.stringify(settings), createdAt: now, updatedAt: now })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
}

export interface WayEdit {
  name?: string
  language?: NoticeLanguage
  isPaused?: boolean
  settings?: Settings
  secret?: string | null
}

export async function updateWayRow(tx: Tx, id: number, { settings, ...edit }: WayEdit, now: Date): Promise<void> {
  await tx
    .updateTable('noticeWays')
    .set({ ...edit, ...(settings === undefined ? {} : { settings: JSON.stringify(settings) }), updatedAt: now })
    .where('id', '=', id)
    .execute()
}

export async function deleteWayRow(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('noticeWays').where('id', '=', id).execute()
}

/** The next attempt is made at once. */
export async function resumeWay(tx: Tx, wayId: number, now: Date): Promise<void> {
  await tx
    .updateTable('noticeMessages')
    .set({ nextAttemptAt: now })
    .where('wayId', '=', wayId)
    .where('state', '=', 'waiting')
    .execute()
  await tx.updateTable('noticeWayStates').set({ restsUntil: null }).where('wayId', '=', wayId).execute()
}

export function listEnvironmentWays(tx: Tx) {
  return tx.selectFrom('noticeWays').selectAll().where('isFromEnvironment', '=', true).forUpdate().execute()
}

/** Servers that start together take over the environment one after the other. */
export async function lockNoticeEnvironment(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('notices of the environment'))`.execute(tx)
}
