import { z } from 'zod'
import { jobKind } from '../../jobs/kinds.ts'
import { lockOpenRollout } from './rollouts.queries.ts'
import { putBack, stepOn } from './steps.actions.ts'

/** A look at the nodes is a batch: whichever server makes the next one finds everything in the database. */
export const rollOutProfile = jobKind({
  name: 'rollOutProfile',
  group: 'roll-outs', // each profile's has a group of its own
  payload: z.object({ rolloutId: z.number(), lastLookMs: z.number().optional() }),
  pausesMs: [1000, 5000, 15_000, 60_000],
  batch: (ctx, tx, { payload, done }) => stepOn(ctx, tx, payload, done),
  whenOver: async (ctx, tx, { payload }, outcome) => {
    const rollout = outcome === 'done' ? undefined : await lockOpenRollout(tx, { id: payload.rolloutId })
    if (!rollout) return
    const error = outcome === 'failed' ? 'The server could not go on with it; its log tells more.' : null
    await putBack(ctx, tx, rollout, { state: outcome === 'failed' ? 'failed' : 'takenBack', error })
  },
})

export const rolloutsJobs = [rollOutProfile]
