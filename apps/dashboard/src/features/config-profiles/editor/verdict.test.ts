import { describe, expect, it } from 'vitest'
import { clockText, verdictOf } from './verdict.ts'

const at = new Date(2026, 10, 22, 7, 5, 9)

describe('the verdict of an answer', () => {
  it('is that nothing is wrong, or what is', () => {
    expect(verdictOf({ kind: 'checked', problem: null }, at)).toEqual({ isValid: true, message: null, at })
    expect(verdictOf({ kind: 'checked', problem: 'no port' }, at)).toEqual({ isValid: false, message: 'no port', at })
  })

  it('EDIT-035 is a validation error when the validator itself fails, with the time', () => {
    const verdict = verdictOf({ kind: 'broken', message: 'out of memory' }, at)
    expect(verdict).toEqual({ isValid: false, message: 'Validation error: out of memory', at })
    expect(clockText(verdict?.at ?? new Date(0))).toBe('07:05:09')
  })

  it('is none for a text that was overtaken by a newer one', () => {
    expect(verdictOf({ kind: 'overtaken' }, at)).toBeUndefined()
  })
})
