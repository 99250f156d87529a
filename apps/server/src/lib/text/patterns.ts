import { RE2JS } from 're2js'

/** Steps that one pattern may take for each character of a text. */
const MAX_SIZE = 2500
/** Header values are read up to this length, so that a long one costs no more than a pattern of this size. */
const MAX_TEXT = 1000

/** A regular expression that takes time in proportion to the text, whatever the pattern is (docs/decisions/088). */
export interface Pattern {
  /** How many steps it takes for each character at most. */
  size: number
  isMatch(text: string): boolean
}

/** @throws with a sentence when the pattern cannot be used */
export function compilePattern(source: string, { ignoreCase }: { ignoreCase: boolean }): Pattern {
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(RE2JS.translateRegExp(source), ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  } catch (error) {
    throw new Error(inWords(error), { cause: error })
  }
  const size = compiled.programSize()
  if (size > MAX_SIZE) throw new Error('it is too large: give shorter repetitions')
  return { size, isMatch: (text) => compiled.test(text.slice(0, MAX_TEXT)) }
}

function inWords(error: unknown): string {
  const text = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)
  if (/\(\?[=!]|\(\?<[=!]/.test(text)) return 'looking ahead or behind is not supported'
  if (/invalid escape sequence: `\\[1-9k]/.test(text)) return 'references to groups are not supported'
  return text
}
