import type { NoticeCondition, NoticeDigest } from '@causeway/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

/** Rules with when they last came up, oldest first. */
function rules(db: Db) {
  return db
    .selectFrom('noticeRules as rule')
    .selectAll('rule')
    .select(sql<Date | null>`(select max("at") from "notices" where "notices"."ruleId" = "rule"."id")`.as('lastAt'))
    .orderBy('rule.createdAt')
    .orderBy('rule.id')
}

export type RuleRow = Awaited<ReturnType<typeof listRules>>[number]

export function listRules(db: Db) {
  return rules(db).execute()
}

export function findRule(db: Db, uuid: string) {
  return rules(db).where('rule.uuid', '=', uuid).executeTakeFirst()
}

export function lockRule(tx: Tx, uuid: string) {
  return tx.selectFrom('noticeRules').selectAll().where('uuid', '=', uuid).forUpdate().executeTakeFirst()
}

/** Rules that are in force. */
export function listActiveRules(db: Db) {
  return db.selectFrom('noticeRules').selectAll().where('isPaused', '=', false).orderBy('id').execute()
}
export type ActiveRule = Awaited<ReturnType<typeof listActiveRules>>[number]

export async function countRules(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('noticeRules')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export interface NewRule {
  condition: NoticeCondition
  amount: number | null
  ways: readonly string[]
  quietFrom: string | null
  quietTo: string | null
  zone: string | null
  mostPerHour: number | null
  digest: NoticeDigest
  isFromEnvironment?: boolean
  madeWithWayId?: number
}

export function insertRule(tx: Tx, { ways, ...rule }: NewRule, now: Date): Promise<{ id: number; uuid: string }> {
  return tx
    .insertInto('noticeRules')
    .values({ ...rule, ways: JSON.stringify(ways), createdAt: now, updatedAt: now })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
}

export async function updateRuleRow(
  tx: Tx,
  id: number,
  { ways, ...edit }: Partial<Omit<NewRule, 'condition'>> & { isPaused?: boolean },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('noticeRules')
    .set({ ...edit, ...(ways === undefined ? {} : { ways: JSON.stringify(ways) }), updatedAt: now })
    .where('id', '=', id)
    .execute()
}

/** Deletes a rule with its notices. Without readers events are not written any more. */
export async function deleteRuleRow(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('noticeRules').where('id', '=', id).execute()
  await sql`delete from "outbox" where not "hasEventReaders"()`.execute(tx)
}

export function listEnvironmentRules(tx: Tx) {
  return tx.selectFrom('noticeRules').selectAll().where('isFromEnvironment', '=', true).forUpdate().execute()
}
