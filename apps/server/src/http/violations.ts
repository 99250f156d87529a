import { z } from 'zod'
import type { KnownError } from '@causeway/contract'
import { fail } from './errors.ts'

const UNIQUE_VIOLATION = '23505'
const violation = z.object({ code: z.literal(UNIQUE_VIOLATION), constraint: z.string() })

/** Turns the breach of a unique constraint into its error of the catalogue; other failures pass through. */
export async function failingAs<T>(refusals: Record<string, KnownError>, change: Promise<T>): Promise<T> {
  return change.catch((error: unknown) => {
    const broken = violation.safeParse(error)
    const refusal = broken.success ? refusals[broken.data.constraint] : undefined
    if (refusal) return fail(refusal, { cause: error })
    throw error
  })
}
