import { isObject } from './config.ts'

export interface ProfileProblem {
  /** Where it is, for example `inbounds[2].tag`. */
  path: string
  /** A sentence that says what is wrong with which inbound and what to do. */
  message: string
}

/** Enough to say what is wrong; a text made by a program may have it everywhere. */
const MOST_TOLD = 20

/** Valid JSON that would be stored, or given to a node, as something else. */
export function checkValues(json: unknown): ProfileProblem[] {
  const problems: ProfileProblem[] = []
  const look = (value: unknown, path: string): void => {
    if (problems.length >= MOST_TOLD) return
    const problem = problemOf(value)
    if (problem !== undefined) problems.push({ path, message: `${path} ${problem}` })
    if (Array.isArray(value)) for (const [index, each] of value.entries()) look(each, `${path}[${index}]`)
    if (!isObject(value)) return
    for (const [key, each] of Object.entries(value)) {
      const ofKey = problemOf(key)
      const name = path === '' ? key : `${path}.${key}`
      if (ofKey === undefined) look(each, name)
      else problems.push({ path, message: `${path || 'The config'} has a key that ${ofKey}` })
    }
  }
  look(json, '')
  return problems
}

function problemOf(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (value.includes('\u0000')) return 'has the character U+0000, which cannot be stored. Remove it.'
    if (!value.isWellFormed()) return 'has half a character (a lone surrogate), which cannot be stored. Remove it.'
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return 'is a number too large to be kept.'
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return `is a whole number beyond ${Number.MAX_SAFE_INTEGER}, which cannot be kept exactly.`
  return undefined
}
