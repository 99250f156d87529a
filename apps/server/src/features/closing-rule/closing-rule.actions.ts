import type { Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { requestStarts } from '../../ground/delivery.queries.ts'
import type { Batch } from '../../jobs/kinds.ts'
import { recordForJob } from '../audit/audit.actions.ts'
import { findSnapshot, listOpenNodes } from './closing-rule.queries.ts'
import { followRestart, beginRestart, type NodeRestart } from './closing-rule.rules.ts'

/** Between two looks at the node that is watched. */
const LONGEST_PAUSE_MS = 2000
const LOOKS_PER_WATCH = 20

export interface Progress {
  /** Null between two nodes. */
  restart?: NodeRestart | null | undefined
  lastLookMs?: number | undefined
}

/** Looks at the node that restarts, or restarts the next one. Nodes restart one at a time. */
export async function closeNext(ctx: Ctx, tx: Tx, { restart, lastLookMs }: Progress): Promise<Batch> {
  const now = ctx.now()
  const watchMs = ctx.config.ROLLOUT_WATCH_SECONDS * 1000
  const batch = { cursor: 0, count: 0, isLast: false }
  const pauseMs = Math.min(LONGEST_PAUSE_MS, watchMs / LOOKS_PER_WATCH)
  const remember = (next: NodeRestart | null) => ({ restart: next, lastLookMs: now.getTime() })
  if (!restart) {
    const [node] = await listOpenNodes(tx)
    const seen = node && (await findSnapshot(tx, node.id))
    if (!node || !seen) return { ...batch, isLast: true }
    ctx.log.info({ node: node.name }, 'restarting a node whose core runs without the closing rule')
    await requestStarts(tx, { nodeIds: [node.id] })
    return { ...batch, remember: remember(beginRestart(node, seen, now)), pauseMs }
  }
  const seen = await findSnapshot(tx, restart.nodeId)
  const outcome = seen
    ? followRestart(restart, seen, { now, lastLookMs: lastLookMs ?? now.getTime(), watchMs })
    : { kind: 'passed' as const }
  switch (outcome.kind) {
    case 'wait':
      return { ...batch, remember: remember(outcome.restart), pauseMs }
    case 'passed':
      return { ...batch, remember: remember(null) }
    case 'good':
      ctx.log.info({ node: restart.name }, 'closing rule delivered')
      await recordForJob(ctx, tx, { action: 'deliverClosingRule', target: restart.name })
      return { ...batch, count: 1, remember: remember(null) }
    case 'failed':
      ctx.log.warn(
        { node: restart.name, why: outcome.why },
        'closing rule not delivered further; a node did not come back as it was',
      )
      return { ...batch, isLast: true, failure: `${outcome.why} ${WHAT_NEXT}` }
  }
}

const WHAT_NEXT =
  'The other nodes run without the closing rule until they are started anew. It goes on by itself after six hours.'
