import { WALL_BILL_DAYS, WALL_EXPIRY_DAYS } from '@causeway/contract'
import type { Db } from '../../db/driver/connect.ts'
import { DAY_MS } from '../../lib/days.ts'

/** Nodes as a wall shows them, in the administrator's order. */
export function listWallNodes(db: Db) {
  return db
    .selectFrom('nodes')
    .innerJoin('nodeStates as state', 'state.nodeId', 'nodes.id')
    .select(['nodes.uuid', 'nodes.name', 'nodes.countryCode', 'nodes.isDisabled'])
    .select(['nodes.isTrafficTrackingActive', 'nodes.trafficLimitBytes', 'state.trafficUsedBytes'])
    .select(['state.isConnected', 'state.isConnecting', 'state.isNodeOnline', 'state.lastStatusChange'])
    .select(['state.xrayVersion', 'state.nodeVersion'])
    .orderBy('nodes.viewPosition')
    .orderBy('nodes.id')
    .execute()
}

/** Active users whose access is about to end. */
export async function countExpiring(db: Db, now: Date): Promise<number> {
  const { total } = await db
    .selectFrom('users')
    .select((of) => of.fn.countAll<number>().as('total'))
    .where('status', '=', 'ACTIVE')
    .where('expireAt', '>=', now)
    .where('expireAt', '<=', inDays(now, WALL_EXPIRY_DAYS))
    .executeTakeFirstOrThrow()
  return total
}

/** Bills that are due soon or overdue. */
export async function countBillsDue(db: Db, now: Date): Promise<number> {
  const { total } = await db
    .selectFrom('infraBillingNodes')
    .select((of) => of.fn.countAll<number>().as('total'))
    .where('nextBillingAt', '<=', inDays(now, WALL_BILL_DAYS))
    .executeTakeFirstOrThrow()
  return total
}

function inDays(from: Date, days: number): Date {
  return new Date(from.getTime() + days * DAY_MS)
}
