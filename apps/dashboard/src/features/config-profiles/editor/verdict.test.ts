import { describe, expect, it } from 'vitest'
import { clockText, verdictOf } from './verdict.ts'

const at = new Date(2026, 10, 22, 7, 5, 9)

describe('the verdict of an answer', () => {
  it('is that nothing is wrong, or what is', () => {
    expect(verdictOf({ kind: 'checked', by: 'xray', problem: null }, at)).toEqual({
      isValid: true,
      by: 'xray',
      message: null,
      at,
    })
    const place = { line: 3, column: 5 }
    expect(verdictOf({ kind: 'checked', by: 'panel', problem: 'no port', place }, at)).toEqual({
      isValid: false,
      by: 'panel',
      message: 'no port',
      at,
      place,
    })
  })

  it('EDIT-035 is a validation error when the validator itself fails, with the time', () => {
    const verdict = verdictOf({ kind: 'broken', message: 'out of memory' }, at)
    expect(verdict).toEqual({ isValid: false, by: 'none', message: 'Validation error: out of memory', at })
    expect(clockText(verdict?.at ?? new Date(0))).toBe('07:05:09')
  })

  it('is none for a text that was overtaken by a newer one', () => {
    expect(verdictOf({ kind: 'overtaken' }, at)).toBeUndefined()
  })
})
