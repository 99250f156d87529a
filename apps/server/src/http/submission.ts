import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '@causeway/contract'
import type { Caller, Submission } from '../ctx.ts'
import { refuseField } from './errors.ts'

/** What was created under a key, and how it was answered. */
export interface Submissions {
  /** The answer to a submission that was sent before; undefined for a new one. */
  find(caller: Caller, submission: Submission): Promise<string | undefined>
  keep(caller: Caller, submission: Submission, answer: string): Promise<void>
  isSubmittedBefore(error: unknown): boolean
}

const IDEMPOTENCY_HEADER = 'idempotency-key'
const KEY_FORM = /^[\x21-\x7e]{8,128}$/

/** The mark of a submission that creates something; undefined where the caller sent none. */
export function submissionOf(endpoint: Endpoint, request: FastifyRequest, input: unknown): Submission | undefined {
  const key = request.headers[IDEMPOTENCY_HEADER]
  if (!endpoint.creates || key === undefined) return undefined
  if (typeof key !== 'string' || !KEY_FORM.test(key))
    refuseField('Idempotency-Key', 'must be 8 to 128 letters, digits or signs without spaces')
  const contentHash = createHash('sha256')
    .update(`${endpoint.name} ${JSON.stringify(input)}`)
    .digest('hex')
  return { key, contentHash, isClaimed: false }
}
