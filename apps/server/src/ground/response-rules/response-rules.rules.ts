import type { ResponseRule, ResponseRules, RuleCondition } from '@causeway/contract'
import { Cache } from '../../lib/cache.ts'
import { compilePattern, type Pattern } from '../../lib/text/patterns.ts'

// The first enabled rule whose conditions hold decides what a request for a subscription gets (docs/response-rules.md).

/** Steps of all patterns together for each character of a header. */
const MAX_TOTAL_SIZE = 20_000
/** Characters of headers whose decision is remembered. */
const MAX_REMEMBERED = 2_000_000
/** Headers of one request beyond this are not remembered. */
const MAX_KEY = 2000

/** Value of a header by its name in lower case; undefined where the request has none. */
export type ReadHeader = (name: string) => string | undefined

export interface CompiledRule {
  rule: ResponseRule
  /** Among all rules, from 0. */
  place: number
  /** Whether each condition holds; null where the request lacks the header. */
  judge: (read: ReadHeader) => (boolean | null)[]
  isMatch: (read: ReadHeader) => boolean
  /** Apps beside the known ones that get the descriptions of hosts. */
  extended: readonly Pattern[]
}

export interface CompiledRules {
  source: ResponseRules
  /** Enabled and disabled ones. */
  rules: readonly CompiledRule[]
  find: (read: ReadHeader) => CompiledRule | undefined
}

export interface RuleProblem {
  /** Within the rules, such as `rules.0.conditions.1.value`. */
  path: string
  message: string
}

/** Compiles all patterns. `problems` names those that cannot be used; such a condition never holds. */
export function compileRules(source: ResponseRules): { compiled: CompiledRules; problems: RuleProblem[] } {
  const problems: RuleProblem[] = []
  let total = 0
  const pattern = (text: string, ignoreCase: boolean, path: string, place: string): Pattern | null => {
    try {
      const made = compilePattern(ignoreCase ? text.toLowerCase() : text, { ignoreCase })
      total += made.size
      if (total <= MAX_TOTAL_SIZE) return made
      problems.push({ path, message: `${place}: the patterns of all rules together are too large` })
    } catch (error) {
      problems.push({ path, message: `${place}: the pattern cannot be used: ${error instanceof Error ? error.message : ''}` })
    }
    return null
  }
  const rules = source.rules.map((rule, place): CompiledRule => {
    const tests = rule.conditions.map((condition, index) =>
      testOf(condition, (text, ignoreCase) =>
        pattern(text, ignoreCase, `rules.${place}.conditions.${index}.value`, `Rule “${rule.name}”, condition ${index + 1}`),
      ),
    )
    const extended = (rule.responseModifications?.additionalExtendedClientsRegex ?? []).flatMap((text, index) => {
      const path = `rules.${place}.responseModifications.additionalExtendedClientsRegex.${index}`
      return pattern(text, true, path, `Rule “${rule.name}”, app ${index + 1} with descriptions`) ?? []
    })
    const isMatch = (read: ReadHeader) =>
      tests.length === 0 || (rule.operator === 'AND' ? tests.every((test) => test(read)) : tests.some((test) => test(read)))
    return { rule, place, extended, isMatch, judge: (read) => tests.map((test) => test(read)) }
  })
  return { compiled: { source, rules, find: rememberedFind(rules) }, problems }
}

/** Apps send the same headers again and again: each combination is looked at once. */
function rememberedFind(all: readonly CompiledRule[]): CompiledRules['find'] {
  const rules = all.filter(({ rule }) => rule.enabled)
  const names = [...new Set(rules.flatMap(({ rule }) => rule.conditions.map(({ headerName }) => headerName.toLowerCase())))]
  const known = new Cache<CompiledRule | undefined>({ most: MAX_REMEMBERED, weigh: (_, key) => key.length + 1 })
  return (read) => {
    const find = () => rules.find(({ isMatch }) => isMatch(read))
    const key = JSON.stringify(names.map((name) => read(name) ?? null))
    return key.length > MAX_KEY ? find() : known.find(key, find)
  }
}

type CompileText = (text: string, ignoreCase: boolean) => Pattern | null

function testOf(condition: RuleCondition, compile: CompileText): (read: ReadHeader) => boolean | null {
  const { caseSensitive, operator } = condition
  const name = condition.headerName.toLowerCase()
  const fold = (text: string) => (caseSensitive ? text : text.toLowerCase())
  const wanted = fold(condition.value)
  const [, not, kind] = /^(NOT_)?(.+)$/.exec(operator) ?? []
  const holds = comparison(kind ?? '', wanted, () => compile(condition.value, !caseSensitive))
  return (read) => {
    const value = read(name)
    // A missing header is neither equal nor different.
    if (value === undefined || holds === null) return null
    return holds(fold(value)) !== (not !== undefined)
  }
}

function comparison(kind: string, wanted: string, compile: () => Pattern | null): ((value: string) => boolean) | null {
  switch (kind) {
    case 'EQUALS':
      return (value) => value === wanted
    case 'CONTAINS':
      return (value) => value.includes(wanted)
    case 'STARTS_WITH':
      return (value) => value.startsWith(wanted)
    case 'ENDS_WITH':
      return (value) => value.endsWith(wanted)
    default: {
      const pattern = compile()
      return pattern && ((value) => pattern.isMatch(value))
    }
  }
}

/** Keeps the last rules compiled, as they are read far more often than changed. */
export function rememberRules(): (source: ResponseRules | null) => CompiledRules | null {
  const known = new Cache<CompiledRules>({ most: 1 })
  return (source) => source && known.find(JSON.stringify(source), () => compileRules(source).compiled)
}
