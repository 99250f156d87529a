import { readNumber } from './read-number.ts'
import { isUntaken, type Untaken } from '../untaken.ts'

/** What a field of numbers holds; '' while it is empty. */
export type NumberEntry = number | '' | Untaken

/** Which numbers a field takes. Both the field and the check of its form go by it. */
export interface NumberRule {
  /** 0: whole numbers only. */
  decimals: number
  min?: number
  max?: number
  /** What may stand beside the figure in a text that is pasted. */
  units?: readonly string[]
}

/** A bound beyond this is one of the storage, and is shown only where it is exceeded. */
const STORAGE = 1_000_000_000

export const PORT_RULE: NumberRule = { decimals: 0, min: 1, max: 65_535 }

export type NumberProblem =
  | { kind: 'unreadable' | 'tooLong'; typed: string }
  | { kind: 'ambiguous'; typed: string; either: readonly [number, number] }
  | { kind: 'notWhole' }
  | { kind: 'decimals'; most: number }
  | { kind: 'range'; min: number | undefined; max: number | undefined }

export function toEntry(typed: string, { units }: NumberRule): NumberEntry {
  const reading = readNumber(typed, units)
  if (reading.kind === 'number') return reading.value
  return reading.kind === 'empty' ? '' : { typed }
}

/** Why the entry cannot be sent; an empty one is for the form to judge. */
export function numberProblem(entry: NumberEntry, rule: NumberRule): NumberProblem | undefined {
  if (entry === '') return undefined
  if (isUntaken(entry)) {
    const { typed } = entry
    const reading = readNumber(typed, rule.units)
    if (reading.kind === 'ambiguous') return { kind: 'ambiguous', typed, either: reading.either }
    return { kind: reading.kind === 'tooLong' ? 'tooLong' : 'unreadable', typed }
  }
  const { decimals, min, max } = rule
  if (decimalsOf(entry) > decimals) return decimals === 0 ? { kind: 'notWhole' } : { kind: 'decimals', most: decimals }
  if (min !== undefined && entry < min) return { kind: 'range', min, max: max !== undefined && max < STORAGE ? max : undefined }
  return max !== undefined && entry > max ? { kind: 'range', min: max < STORAGE ? min : undefined, max } : undefined
}

/** For the wire: undefined while it is empty, and for what was not taken a number that no schema takes. */
export function numberOf(entry: NumberEntry): number | undefined {
  if (isUntaken(entry)) return Number.NaN
  return entry === '' ? undefined : entry
}

function decimalsOf(value: number): number {
  const [, fraction = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? []
  return Math.max(0, fraction.length - Number(exponent))
}
