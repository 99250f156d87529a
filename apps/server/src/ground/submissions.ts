import { setTimeout as sleep } from 'node:timers/promises'
import { errors } from '@causeway/contract'
import type { Caller, Ctx } from '../ctx.ts'
import { fail } from '../http/errors.ts'
import type { Submissions } from '../http/submission.ts'
import { findSubmission, keepAnswer, SubmittedBefore } from './submissions.queries.ts'

/** The first request has committed and is about to keep its answer; a killed one never does. */
const PATIENCE_MS = 3000
const PAUSE_MS = 50

/** Answers a submission that was sent before as it was answered then. */
export function openSubmissions(ctx: Ctx): Submissions {
  const purpose = ({ uuid }: Caller, key: string) => `idempotencyKeys.answer ${uuid} ${key}`
  const find: Submissions['find'] = async (caller, { key, contentHash }) => {
    for (const begunAt = performance.now(); ; await sleep(PAUSE_MS)) {
      const held = await findSubmission(ctx.db, caller, key)
      if (!held) return undefined
      if (held.contentHash !== contentHash) return fail(errors.keyOfAnother)
      if (held.answer !== null) return ctx.secrets.unwrap(purpose(caller, key), held.answer)
      if (performance.now() - begunAt > PATIENCE_MS) return fail(errors.alreadyCreated)
    }
  }
  return {
    find,
    keep: (caller, { key }, answer) => keepAnswer(ctx.db, caller, key, ctx.secrets.wrap(purpose(caller, key), answer)),
    isSubmittedBefore: (error) => error instanceof SubmittedBefore,
  }
}
