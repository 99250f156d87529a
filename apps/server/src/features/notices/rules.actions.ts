import { amountOf, errors, MOST_NOTICE_RULES, type Input, type NoticeCondition } from '@causeway/contract'
import type * as api from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { isKnownZone, readTimeZone } from '../../ground/installation.queries.ts'
import { isTimeZone } from '../../lib/days.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import { dueAt } from './due.rules.ts'
import { readHeld, type HeldOf } from './held/held.actions.ts'
import { findMessage, resendMessageRow } from './messages.queries.ts'
import { moveHeldNotices } from './notices.queries.ts'
import {
  countRules,
  deleteRuleRow,
  findRule,
  insertRule,
  listRules,
  lockRule,
  updateRuleRow,
  type RuleRow,
} from './rules.queries.ts'
import { definedFields, usualRule } from './ways.actions.ts'
import { listKnownWays } from './ways.queries.ts'

const TIMING = ['digest', 'quietFrom', 'quietTo', 'zone'] as const

/** @throws tooManyNoticeRules */
export function makeRule(ctx: Ctx, caller: Caller, input: Input<typeof api.createNoticeRule>) {
  const rule = { ...usualRule(input.condition), ...definedFields(input) }
  return write(ctx, caller, async (tx, record) => {
    if ((await countRules(tx)) >= MOST_NOTICE_RULES) fail(errors.tooManyNoticeRules)
    await refuseBadRule(tx, rule, rule.ways)
    const { id, uuid } = await insertRule(tx, rule, ctx.now())
    record({ action: 'createNoticeRule', target: uuid, rows: madeRows('noticeRule', [id]) })
    return findShownRule(ctx, tx, uuid)
  })
}

/** @throws noticeRuleNotFound, noticeOfEnvironment */
export function editRule(ctx: Ctx, caller: Caller, { uuid, ...edit }: Input<typeof api.updateNoticeRule>) {
  return write(ctx, caller, async (tx, record) => {
    const rule = (await lockRule(tx, uuid)) ?? fail(errors.noticeRuleNotFound)
    const { isPaused: _, ...definition } = edit
    if (rule.isFromEnvironment && Object.values(definition).some((value) => value !== undefined)) fail(errors.noticeOfEnvironment)
    const edited = { ...rule, ...definedFields(edit) }
    await refuseBadRule(tx, edited, edit.ways ?? [])
    const rows = await watchRows(tx, 'noticeRule', [rule.id])
    await updateRuleRow(tx, rule.id, definedFields(edit), ctx.now())
    // What is held back waits for the new digest and quiet hours; without them it is sent now.
    if (TIMING.some((field) => edited[field] !== rule[field]))
      await moveHeldNotices(tx, rule.id, dueAt(edited, edited.zone ?? (await readTimeZone(tx)), ctx.now()))
    record({ action: 'updateNoticeRule', target: uuid, rows })
    return findShownRule(ctx, tx, uuid)
  })
}

/** @throws noticeRuleNotFound, noticeOfEnvironment */
export function removeRule(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const rule = (await lockRule(tx, uuid)) ?? fail(errors.noticeRuleNotFound)
    if (rule.isFromEnvironment) fail(errors.noticeOfEnvironment)
    const rows = await watchRows(tx, 'noticeRule', [rule.id])
    await deleteRuleRow(tx, rule.id)
    record({ action: 'deleteNoticeRule', target: uuid, rows })
    return { isDeleted: true }
  })
}

/** @throws noticeRuleNotFound */
export async function findShownRule(ctx: Ctx, db: Db, uuid: string) {
  const rule = (await findRule(db, uuid)) ?? fail(errors.noticeRuleNotFound)
  return shownRule(rule, await readHeld(ctx, db))
}

export async function listShownRules(ctx: Ctx) {
  const [rules, held] = [await listRules(ctx.db), await readHeld(ctx, ctx.db)]
  return rules.map((rule) => shownRule(rule, held))
}

const shownRule = (rule: RuleRow, held: HeldOf) => ({ ...rule, held: held(({ ruleId }) => ruleId === rule.id) })

/** @throws noticeMessageNotFound */
export function resendMessage(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const message = (await findMessage(tx, uuid)) ?? fail(errors.noticeMessageNotFound)
    if (!(await resendMessageRow(tx, uuid, ctx.now()))) return message // it is on its way
    record({ action: 'resendNoticeMessage', target: uuid })
    return (await findMessage(tx, uuid)) ?? fail(errors.noticeMessageNotFound)
  })
}

interface Checked {
  condition: NoticeCondition
  amount: number | null
  quietFrom: string | null
  quietTo: string | null
  zone: string | null
}

async function refuseBadRule(tx: Tx, rule: Checked, ways: readonly string[]): Promise<void> {
  const bounds = amountOf(rule.condition)
  if (bounds === null) {
    if (rule.amount !== null) refuseField('amount', 'must be null, as this condition has no number')
  } else if (rule.amount === null || rule.amount < bounds.least || rule.amount > bounds.most)
    refuseField('amount', `must be from ${bounds.least} to ${bounds.most}`)
  if ((rule.quietFrom === null) !== (rule.quietTo === null))
    refuseField(rule.quietFrom === null ? 'quietFrom' : 'quietTo', 'must be set together with the other end of the quiet hours')
  if (rule.quietFrom !== null && rule.quietFrom === rule.quietTo) refuseField('quietTo', 'must differ from the beginning')
  if (rule.zone !== null && !(isTimeZone(rule.zone) && (await isKnownZone(tx, rule.zone))))
    refuseField('zone', 'must be a time zone such as Europe/Berlin')
  const known = await listKnownWays(tx, ways)
  const unknown = ways.findIndex((uuid) => !known.includes(uuid))
  if (unknown !== -1) refuseField(`ways.${unknown}`, 'must be a way for notices that exists')
}
