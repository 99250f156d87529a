import type { z } from 'zod'
import type { ValidationIssue } from './errors.ts'

type Issue = z.core.$ZodIssue
type Details = { code: string; [detail: string]: unknown }

/**
 * Issues of zod 4 in the form of zod 3, which clients of the wire read (docs/wire.md 4).
 * The issues must have been made with `reportInput: true`: zod 3 tells what it received.
 */
export function toWireIssues(issues: readonly Issue[]): ValidationIssue[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))
    // A bad key of a record is told by what is wrong with the key.
    if (issue.code === 'invalid_key') return toWireIssues(issue.issues).map((inner) => ({ ...inner, path }))
    const isMissing = issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
    return { ...details(issue), path, message: isMissing ? 'Required' : issue.message }
  })
}

function details(issue: Issue): Details {
  switch (issue.code) {
    case 'invalid_type':
      return invalidType(issue.expected, issue.input)
    case 'invalid_format':
      return { code: 'invalid_string', validation: issue.format === 'guid' ? 'uuid' : issue.format }
    case 'too_small':
      return { code: 'too_small', minimum: issue.minimum, ...limit(issue) }
    case 'too_big':
      return { code: 'too_big', maximum: issue.maximum, ...limit(issue) }
    case 'invalid_value': {
      const isOfAnotherType = typeof issue.input !== typeof issue.values[0]
      if (isOfAnotherType) return invalidType(issue.values.map((value) => `'${String(value)}'`).join(' | '), issue.input)
      return { code: 'invalid_enum_value', received: issue.input, options: issue.values }
    }
    case 'custom':
      // Whole numbers are a check of our own (wire.ts), because zod 4's would bound them.
      if (issue.params?.['expected'] === 'integer') return { code: 'invalid_type', expected: 'integer', received: 'float' }
      return { code: 'custom' }
    case 'invalid_key':
    case 'invalid_union':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return { code: 'custom' }
  }
}

function invalidType(expected: string, input: unknown): Details {
  return { code: 'invalid_type', expected: expected === 'record' ? 'object' : expected, received: typeName(input) }
}

function limit(issue: { origin: string; inclusive?: boolean; exact?: boolean }): Omit<Details, 'code'> {
  return { type: issue.origin, inclusive: issue.inclusive ?? true, exact: issue.exact ?? false }
}

function typeName(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'array'
  if (Number.isNaN(input)) return 'nan'
  return typeof input
}
