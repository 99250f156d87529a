import type { Ctx } from '../../src/ctx.ts'
import { claimMessage, findClaimedWay, listBusyWays, noteSent, noteUnsent } from '../../src/features/notices/messages.queries.ts'
import { insertMessage, listMessages, setMessage } from '../../src/features/notices/messages.queries.ts'
import * as notices from '../../src/features/notices/notices.queries.ts'
import { insertRule, listActiveRules, listEnvironmentRules, listRules } from '../../src/features/notices/rules.queries.ts'
import * as states from '../../src/features/notices/states.queries.ts'
import { usualRule } from '../../src/features/notices/ways.actions.ts'
import {
  findWayById,
  insertWay,
  listEnvironmentWays,
  listWays,
  lockNoticeEnvironment,
} from '../../src/features/notices/ways.queries.ts'
import { readWeek } from '../../src/features/notices/week.queries.ts'
import { UNKNOWN } from '../users.ts'

const TODAY = '2026-03-03'

/** Notices: the walk has none to send. What it writes is taken back. */
export async function askNotices(db: Ctx['db'], now: Date): Promise<void> {
  await listRules(db)
  await listWays(db)
  await notices.hasUnreadEvents(db)
  await notices.deleteHeldNotices(db, new Date(0))
  await notices.deleteOldNotices(db, new Date(0), 10)
  await listBusyWays(db, now)
  await findClaimedWay(db, 0)
  await claimMessage(db, 0, now, now)
  await listMessages(db, { way: UNKNOWN, state: 'failed', start: 0, size: 25 })
  const asking = db.transaction().execute(async (tx) => {
    await listEnvironmentRules(tx)
    await listEnvironmentWays(tx)
    await lockNoticeEnvironment(tx)
    await findWayById(tx, 0)
    await notices.lockReader(tx)
    await notices.findReadEnd(tx, 0, 10)
    await notices.listUnreadEvents(tx, { after: 0, through: 1, families: ['node'] })
    await notices.listTroubles(tx, 0)
    await notices.deleteTrouble(tx, 0, 'thing')
    await notices.mendNodeTroubles(tx, 0, now)
    await readWeek(tx, TODAY, now)
    const group = { wayId: 0, ruleId: null }
    await notices.listDueGroups(tx, now)
    await notices.listHeld(tx, group, now, 10)
    await notices.takeHeld(tx, group, now, 0)
    const of = { ruleId: 0, ways: [], occasion: 'once', text: 'test', facts: {}, at: now, dueAt: now } as const
    await notices.insertNotices(tx, [of])
    const { id: wayId } = await insertWay(
      tx,
      { name: 'w', kind: 'webhook', settings: { kind: 'webhook', url: '' }, secret: null, language: 'en', origin: null },
      now,
    )
    const { id: ruleId, uuid } = await insertRule(tx, { ...usualRule('diskLow'), ways: [] }, now)
    const trouble = { sinceAt: now, losses: 1, backAt: null, toldAt: null }
    await notices.saveTrouble(tx, ruleId, 'thing', trouble, {})
    const rule = (await listActiveRules(tx)).find((each) => each.uuid === uuid)
    const present = [
      states.usersNearLimit(80),
      states.usersExpiring(3, now),
      states.sharedAccounts(2),
      states.manyAddresses(ruleId, new Map([['a', 2]]), now),
      states.billsDue(TODAY, 7),
      states.failedRollouts(now),
      states.foundStates([]),
    ]
    if (rule) for (const each of present) await states.markStates(tx, rule, each, { now, dueAt: now })
    const id = await insertMessage(tx, { wayId, ruleId }, now)
    await setMessage(tx, id, { title: '', lines: [] })
    const outcome = { durationMs: 1, error: 'no', answer: null }
    await noteUnsent(tx, { id, wayId }, outcome, { pauseMs: 1, now })
    await noteSent(tx, { id, wayId }, { ...outcome, error: null }, now)
    await notices.moveReader(tx, 0)
    throw new Error('taken back')
  })
  await asking.catch((error: unknown) => {
    if (!(error instanceof Error) || error.message !== 'taken back') throw error
  })
}
