import { createHash } from 'node:crypto'
import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { withOnline, type ReadOnline } from '../../ground/online.queries.ts'
import { on, type Route } from '../../http/mount.ts'
import { refreshed } from '../../lib/recent.ts'
import { everyone } from '../../lib/scope.ts'
import { sharedRead } from '../../lib/shared-read.ts'
import { findLastFailure } from '../backups/backups.queries.ts'
import { buildInfo } from '../build/build.actions.ts'
import { listLastRollouts } from '../rollouts/rollouts.queries.ts'
import { readUsageHistory } from '../usage-history/usage-history.actions.ts'
import { listIdsNearLimit } from '../users/list.queries.ts'
import { countBillsDue, countExpiring, listWallNodes } from './wall.queries.ts'

/** As often as the page of an administrator reads the same. */
const NEEDS_LIFETIME_MS = 60_000

export function wallRoutes(ctx: Ctx, online: ReadOnline): Route[] {
  const needs = refreshed(NEEDS_LIFETIME_MS, () => readNeeds(ctx))
  let release: Promise<string> | undefined
  const read = async () => {
    const [known, nodes, count, counted, history] = await Promise.all([
      (release ??= nameRelease(ctx)),
      listWallNodes(ctx.db),
      online(),
      needs(),
      readUsageHistory(ctx, { period: 'day' }),
    ])
    return {
      release: known,
      now: ctx.now(),
      onlineNow: count.onlineNow,
      nodes: nodes.map((node) => withOnline(node, count)),
      needs: counted,
      history,
    }
  }
  // A dozen monitors cost one reading.
  return [on(api.getWall, sharedRead(read))]
}

async function readNeeds(ctx: Ctx) {
  const now = ctx.now()
  const [nearLimit, usersExpiring, billsDue, rollouts, failure] = await Promise.all([
    listIdsNearLimit(ctx.db, everyone),
    countExpiring(ctx.db, now),
    countBillsDue(ctx.db, now),
    listLastRollouts(ctx.db),
    findLastFailure(ctx.db),
  ])
  const isFailed = ({ state, endedAt, profileUpdatedAt }: (typeof rollouts)[number]) =>
    state === 'failed' && endedAt !== null && endedAt >= profileUpdatedAt
  return {
    usersNearLimit: nearLimit.total,
    usersExpiring,
    billsDue,
    failedRollouts: rollouts.filter(isFailed).length,
    isBackupFailed: failure !== undefined,
  }
}

/** Tells releases apart and says no more: a monitor need not know which version runs. */
async function nameRelease(ctx: Ctx): Promise<string> {
  const { version, commitFull, buildTime } = await buildInfo(ctx)
  return createHash('sha256')
    .update(JSON.stringify([version, commitFull, buildTime]))
    .digest('hex')
    .slice(0, 16)
}
