import { expect, test } from 'vitest'
import { isolated } from './isolated.ts'

test.each([
  ['a name without marks stays', 'Warsaw-1 (b)', 'Warsaw-1 (b)'],
  ['an override is left out', 'abc\u202Etxt.exe', 'abctxt.exe'],
  ['a mark that ends an isolation is left out', 'a\u2069b\u2066', 'ab'],
  ['an isolation that is not ended is left out', 'a\u2067b', 'ab'],
  ['a text that is isolated within stays', '\u2068a\u2069 · 3', '\u2068a\u2069 · 3'],
  ['letters from right to left keep to themselves', 'آنا', '\u2068آنا\u2069'],
  ['figures are no letters', '۱۲۳', '۱۲۳'],
])('%s', (_, value, expected) => {
  expect(isolated(value)).toBe(expected)
})
