import { createHash } from 'node:crypto'
import { ONLINE_MS, type Permission, type UndoPlan } from '@causeway/contract'
import { systemCaller, type Ctx } from '../../ctx.ts'
import { differenceOf } from '../../db/audited-rows.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { againWhereTwoCollide } from '../audit/audit.actions.ts'
import { changesOf, namesOf } from '../history/entries.actions.ts'
import { readSnapshot } from '../plan/plan.queries.ts'
import { differenceInFleet } from '../plan/plan.rules.ts'
import { accessOf, isAboutFleet, userIdsOf } from '../../db/undo/access.ts'
import { MOST_LEFT } from './record.actions.ts'
import { openEntry, undoRows, type Resolution, type Undone } from './rows.actions.ts'
import { findAccess, lockEntries, rollBackTo, setSavepoint } from './undo.queries.ts'

const MOST_PLANNED = 100
const MOST_CONFLICTS = 500

/** Carries a plan out of a transaction that is rolled back. */
class Planned extends Error {
  readonly plan: UndoPlan
  constructor(plan: UndoPlan) {
    super('planned')
    this.plan = plan
  }
}

interface Way {
  resolution: Resolution
  isJob: boolean
  /** It ends before the first entry with a conflict. */
  stops: boolean
}

/** The effect of undoing these entries, in this order: it is done, looked at and rolled back. */
export async function planOfEntries(
  ctx: Ctx,
  permissions: ReadonlySet<Permission>,
  ids: readonly number[],
  way: Way,
): Promise<UndoPlan> {
  try {
    return await againWhereTwoCollide(ctx, () =>
      ctx.db.transaction().execute(async (tx) => {
        throw new Planned(await rehearse(ctx, tx, permissions, ids, way))
      }),
    )
  } catch (error) {
    if (error instanceof Planned) return error.plan
    throw error
  }
}

async function rehearse(
  ctx: Ctx,
  tx: Tx,
  permissions: ReadonlySet<Permission>,
  ids: readonly number[],
  { resolution, isJob, stops }: Way,
): Promise<UndoPlan> {
  const entries = new Map((await lockEntries(tx, ids)).map((entry) => [entry.id, entry]))
  const online = new Date(ctx.now().getTime() - ONLINE_MS)
  const isFleet = [...entries.values()].some(isAboutFleet)
  const fleetBefore = isFleet ? await readSnapshot(tx, online) : undefined
  const had = new Map<number, boolean>()
  const plan = emptyPlan(isJob)
  const marks: unknown[] = []
  for (const id of ids) {
    const entry = entries.get(id)
    if (!entry) continue
    const rows = openEntry(ctx, entry, resolution.only)
    for (const [userId, has] of await findAccess(tx, userIdsOf(rows))) if (!had.has(userId)) had.set(userId, has)
    await setSavepoint(tx)
    const undone = await undoRows(ctx, systemCaller, tx, entry, resolution)
    const conflicts = undone.conflicts.map((conflict) => ({ ...conflict, entry: id }))
    if (stops && (conflicts.length > 0 || undone.taken.length > 0)) {
      await rollBackTo(tx)
      Object.assign(plan, { stoppedAt: id, conflicts: conflicts.slice(0, MOST_CONFLICTS), taken: undone.taken })
      break
    }
    marks.push(await addTo(tx, plan, id, undone, permissions))
    plan.conflicts.push(...conflicts.slice(0, MOST_CONFLICTS - plan.conflicts.length))
  }
  plan.access = accessOf(had, await findAccess(tx, [...had.keys()]))
  if (fleetBefore) {
    const { access, ways, nodes } = differenceInFleet(fleetBefore, await readSnapshot(tx, online))
    plan.access = { gain: plan.access.gain + access.gain, lose: plan.access.lose + access.lose }
    plan.ways = ways
    plan.nodes = nodes
  }
  const seen = JSON.stringify([marks, plan.conflicts, plan.taken, plan.left, plan.stoppedAt])
  plan.fingerprint = createHash('sha256').update(seen).digest('hex').slice(0, 32)
  return plan
}

/** Adds an entry's part to the plan; gives what its fingerprint is made of. */
async function addTo(tx: Tx, plan: UndoPlan, id: number, undone: Undone, permissions: ReadonlySet<Permission>): Promise<unknown> {
  const difference = differenceOf(undone.before, undone.after)
  const names = await namesOf(tx, difference, permissions, MOST_PLANNED)
  const { changes, total } = changesOf(difference, permissions, MOST_PLANNED, names)
  plan.entries++
  plan.total += total
  plan.changes.push(...changes.slice(0, MOST_PLANNED - plan.changes.length))
  plan.taken.push(...undone.taken)
  plan.left.push(...undone.left.slice(0, MOST_LEFT - plan.left.length))
  return [id, undone.steps.map(({ table, key, change, row }) => [table, key, change, Object.keys(row)])]
}

function emptyPlan(isJob: boolean): UndoPlan {
  return {
    fingerprint: '',
    entries: 0,
    isJob,
    changes: [],
    total: 0,
    conflicts: [],
    taken: [],
    left: [],
    access: { gain: 0, lose: 0 },
    ways: { more: 0, fewer: 0 },
    nodes: [],
    stoppedAt: null,
  }
}
