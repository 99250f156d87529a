import type { z } from 'zod'
import type { ValidationIssue } from './errors.ts'

type Issue = z.core.$ZodIssue

/** Issues of zod 4 in the form of zod 3, which clients of the wire read (wire reference 1.4). */
export function toWireIssues(issues: readonly Issue[]): ValidationIssue[] {
  return issues.map((issue) => ({
    ...details(issue),
    message: issue.message,
    path: issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key)),
  }))
}

function details(issue: Issue): { code: string; [detail: string]: unknown } {
  switch (issue.code) {
    case 'invalid_type':
      return { code: 'invalid_type', expected: issue.expected, received: receivedType(issue.input) }
    case 'invalid_format':
      return { code: 'invalid_string', validation: issue.format === 'guid' ? 'uuid' : issue.format }
    case 'too_small':
      return {
        code: 'too_small',
        minimum: issue.minimum,
        type: issue.origin,
        inclusive: issue.inclusive ?? true,
        exact: issue.exact ?? false,
      }
    case 'too_big':
      return {
        code: 'too_big',
        maximum: issue.maximum,
        type: issue.origin,
        inclusive: issue.inclusive ?? true,
        exact: issue.exact ?? false,
      }
    case 'invalid_value':
      return { code: 'invalid_enum_value', received: issue.input, options: issue.values }
    case 'custom':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return { code: 'custom' }
  }
}

function receivedType(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'array'
  return typeof input
}
