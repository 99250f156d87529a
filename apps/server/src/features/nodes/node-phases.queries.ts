import { PHASES_KEPT_DAYS, PHASES_TOLD } from '@causeway/contract'
import type { Db } from '../../db/driver/connect.ts'
import { DAY_MS } from '../../lib/days.ts'

/** The phases of a node up to now, oldest first: those that began within the kept days, and the one under way before. */
export async function listPhases(db: Db, nodeUuid: string, now: Date) {
  const since = new Date(now.getTime() - PHASES_KEPT_DAYS * DAY_MS)
  const found = await db
    .selectFrom('nodePhases')
    .select(['beganAt', 'phase', 'reason'])
    .where('nodeId', '=', (eb) => eb.selectFrom('nodes').select('id').where('uuid', '=', nodeUuid))
    .orderBy('beganAt', 'desc')
    .limit(PHASES_TOLD)
    .execute()
  const before = found.findIndex(({ beganAt }) => beganAt <= since)
  return found
    .slice(0, before < 0 ? undefined : before + 1)
    .toReversed()
    .map((phase) => ({ ...phase, beganAt: phase.beganAt.toISOString() }))
}
