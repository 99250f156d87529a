import { Cache } from '../../lib/cache.ts'
import { compilePattern, type Pattern } from '../../lib/text/patterns.ts'

/** Patterns of templates; there are a few. */
const MOST_KEPT = 1000

/** Whether a pattern of a template matches, in a time that grows with the text alone. One that cannot be used matches nothing. */
export function patternMatcher(): (pattern: string, text: string) => boolean {
  const compiled = new Cache<Pattern | null>({ most: MOST_KEPT })
  return (pattern, text) => compiled.find(pattern, () => tryCompile(pattern))?.isMatch(text) ?? false
}

function tryCompile(pattern: string): Pattern | null {
  try {
    return compilePattern(pattern, { ignoreCase: false })
  } catch {
    return null
  }
}
