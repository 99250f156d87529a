import { expect, test } from 'vitest'
import { isAuthorityRenewalDue, isRenewalDue } from './certificates.rules.ts'

const year = (number: number) => new Date(Date.UTC(number, 0, 1))
const authority = { validFrom: year(2020), validTo: year(2030) }
const node = { validFrom: year(2021), validTo: year(2024) }

test.each([
  ['a young certificate stays', 2022, false],
  ['with less than a third of its life left it is renewed', 2023.5, true],
  ['also when it has ended', 2025, true],
])('%s', (_, at, expected) => {
  const now = new Date(year(Math.floor(at)).getTime() + (at % 1) * 365 * 86_400_000)
  expect(isRenewalDue(node, authority, now)).toBe(expected)
})

test('a certificate from before the authority was renewed is renewed, whatever its age', () => {
  expect(isRenewalDue(node, { validFrom: year(2022), validTo: year(2032) }, year(2022))).toBe(true)
})

test('the authority is renewed with a fifth of its life left', () => {
  expect(isAuthorityRenewalDue(authority, new Date(Date.UTC(2027, 11, 1)))).toBe(false)
  expect(isAuthorityRenewalDue(authority, new Date(Date.UTC(2028, 1, 1)))).toBe(true)
})

test('what was made by a clock that was ahead is renewed at once', () => {
  const ahead = { validFrom: year(2027), validTo: year(2037) }
  expect(isAuthorityRenewalDue(ahead, year(2026))).toBe(true)
  expect(isRenewalDue({ validFrom: year(2027), validTo: year(2030) }, authority, year(2026))).toBe(true)
})
