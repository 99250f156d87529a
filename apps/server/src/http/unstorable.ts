import { refuseField, type ValidationIssue } from './errors.ts'

// PostgreSQL's codes for values that the wire allows and no column takes. U+0000: 22021, 22P05. Numbers: 22003, and
// 22P02 for those of many digits, sent as 1e+30. Dates: 22007, 22008. Texts too long for an index: 54000.
const UNSTORABLE = new Set(['22021', '22P05', '22003', '22P02', '22007', '22008', '54000'])

const NUL = '\u0000'
const NO_NUL = 'must not contain the character U+0000'
const BEYOND = 'is a number beyond what can be stored'

export function isUnstorable({ code = '' }: { code?: string }): boolean {
  return UNSTORABLE.has(code)
}

/**
 * The first of what was sent that the database refuses with these words. It names no field, but a number as it was sent; of
 * texts it can only be one with a character that no column takes.
 */
export function unstorableIssue(said: string, sent: unknown): ValidationIssue | undefined {
  const number = /^(?:value|invalid input syntax for type \w+:) "([^"]*)"/.exec(said)?.[1]
  return findIssue(sent, [], (value) => {
    if (typeof value === 'number') return String(value) === number ? BEYOND : undefined
    if (typeof value !== 'string' || number !== undefined) return undefined
    if (value.includes(NUL)) return NO_NUL
    return value.isWellFormed() ? undefined : 'must not contain half a character (a lone surrogate)'
  })
}

/** Members with a check of their own, which says where in the document the character is. */
const CHECKED_BY_FEATURE: ReadonlySet<string> = new Set(['config'])

/** The first text of a body that no column takes, so that the database is not asked. */
export function nulIssue(body: unknown): ValidationIssue | undefined {
  if (typeof body !== 'object' || body === null || !hasNul(body)) return undefined
  const members = Object.entries(body).filter(([name]) => !CHECKED_BY_FEATURE.has(name))
  return findIssue(Object.fromEntries(members), [], (value) =>
    typeof value === 'string' && value.includes(NUL) ? NO_NUL : undefined,
  )
}

/** Without a path: nearly every body has none. */
function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(NUL)
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value)
    ? value.some(hasNul)
    : Object.entries(value).some(([key, each]) => key.includes(NUL) || hasNul(each))
}

type Check = (value: unknown) => string | undefined

function findIssue(value: unknown, path: (string | number)[], check: Check): ValidationIssue | undefined {
  const message = check(value)
  if (message !== undefined) return { code: 'custom', path, message }
  if (typeof value !== 'object' || value === null) return undefined
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value)
  for (const [key, each] of entries) {
    const found =
      findIssue(key, path, typeof key === 'string' ? check : () => undefined) ?? findIssue(each, [...path, key], check)
    if (found) return found
  }
  return undefined
}

/** The largest numbers that columns of these types hold; of 64 bits the largest that JavaScript has, too. */
export const LARGEST = { integer: 2 ** 31 - 1, bigint: 2 ** 63 - 1024 }

/**
 * For what is written only later, or after something else was looked for: texts, and numbers up to what is the largest for them.
 * @throws ValidationError naming the first field that the database cannot hold
 */
export function refuseUnstorable(fields: Record<string, unknown>, largest: Record<string, number> = {}): void {
  for (const [field, value] of Object.entries(fields)) {
    if (typeof value === 'number' && Math.abs(value) > (largest[field] ?? Infinity)) refuseField(field, BEYOND)
    if (typeof value === 'string' && value.includes(NUL)) refuseField(field, NO_NUL)
  }
}
