import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { numberOf, numberProblem, toEntry, type NumberRule } from './number-entry.ts'

const MONEY: NumberRule = { decimals: 2, min: 0.01, max: 100, units: ['$'] }
const PORT: NumberRule = { decimals: 0, min: 1, max: 65_535 }

describe('what a field of numbers holds', () => {
  it.each([
    [MONEY, '$12,34', 12.34, undefined],
    [MONEY, '12.345', { typed: '12.345' }, { kind: 'ambiguous', typed: '12.345', either: [12_345, 12.345] }],
    [MONEY, '0.125', 0.125, { kind: 'decimals', most: 2 }],
    [MONEY, '0.0000001', 0.000_000_1, { kind: 'decimals', most: 2 }],
    [MONEY, '0', 0, { kind: 'range', min: 0.01, max: 100 }],
    [MONEY, '100', 100, undefined],
    [MONEY, '100.01', 100.01, { kind: 'range', min: 0.01, max: 100 }],
    [{ decimals: 0, min: 1, max: 2 ** 31 - 1 }, '0', 0, { kind: 'range', min: 1, max: undefined }],
    [{ decimals: 0, min: 1, max: 2 ** 31 - 1 }, '2147483648', 2 ** 31, { kind: 'range', min: undefined, max: 2 ** 31 - 1 }],
    [PORT, '1', 1, undefined],
    [PORT, '65535', 65_535, undefined],
    [PORT, '65536', 65_536, { kind: 'range', min: 1, max: 65_535 }],
    [PORT, '1.5', 1.5, { kind: 'notWhole' }],
    [PORT, '1e5', { typed: '1e5' }, { kind: 'unreadable', typed: '1e5' }],
    [PORT, '12345678901234567890', { typed: '12345678901234567890' }, { kind: 'tooLong', typed: '12345678901234567890' }],
    [PORT, '', '', undefined],
  ] as const)('%j: “%s” is %j with the problem %j', (rule, typed, entry, problem) => {
    expect(toEntry(typed, rule)).toEqual(entry)
    expect(numberProblem(entry, rule)).toEqual(problem)
  })

  it('is undefined for the wire while it is empty, and no number that a schema takes while it is not taken', () => {
    expect([numberOf(5), numberOf(0), numberOf(''), numberOf({ typed: '5' })]).toEqual([5, 0, undefined, Number.NaN])
  })
})

it('no field of the dashboard takes typed numbers in another way', () => {
  const root = path.resolve(import.meta.dirname, '../..')
  const screens = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.tsx$/.test(name))
  const others = screens.filter((name) =>
    // A code of an authenticator is no number: its first digits may be zeros.
    /type="number"|inputMode="(?:numeric|decimal)"(?!\s+autoComplete="one-time-code")|NumberInput\b|react-number-format/.test(
      readFileSync(path.join(root, name), 'utf8'),
    ),
  )
  expect(screens.length).toBeGreaterThan(200)
  expect(others).toEqual([])
})
