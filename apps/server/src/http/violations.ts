import { z } from 'zod'
import type { KnownError } from '@causeway/contract'
import { fail } from './errors.ts'

const UNIQUE_VIOLATION = '23505'
const REFERENCE_VIOLATION = '23503'
const violation = z.object({ code: z.enum([UNIQUE_VIOLATION, REFERENCE_VIOLATION]), constraint: z.string() })

/** Turns the breach of a unique or foreign key constraint into its error of the catalogue; other failures pass through. */
export async function failingAs<T>(refusals: Record<string, KnownError>, change: Promise<T>): Promise<T> {
  return change.catch((error: unknown) => {
    const broken = violation.safeParse(error)
    const refusal = broken.success ? refusals[broken.data.constraint] : undefined
    if (refusal) return fail(refusal, { cause: error })
    throw error
  })
}
