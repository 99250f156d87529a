import type { ResponseRules } from '@causeway/contract'
import { refuseFields } from '../../http/errors.ts'
import { recipientProblem } from '../../lib/text/age-text.ts'
import { compileRules, type CompiledRules } from './response-rules.rules.ts'

/** Sentences of one refusal: thousands of them help no more than these. */
const MOST_PROBLEMS = 20

/** The rules made ready for use. Refuses patterns and keys that cannot be used, each at its place below `field`. */
export function usableRules(source: ResponseRules | null, field = 'responseRules'): CompiledRules | null {
  if (!source) return null
  const { compiled, problems } = compileRules(source)
  const keys = source.rules.flatMap(({ responseModifications }, place) => {
    const key = responseModifications?.encryption?.key
    const message = key === undefined ? undefined : recipientProblem(key)
    return message === undefined ? [] : [{ path: `rules.${place}.responseModifications.encryption.key`, message }]
  })
  const told = [...problems, ...keys].slice(0, MOST_PROBLEMS)
  refuseFields(Object.fromEntries(told.map(({ path, message }) => [`${field}.${path}`, message])))
  return compiled
}
