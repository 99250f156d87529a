import { expect, it } from 'vitest'
import { isOlder, listOlder } from './node-updates.rules.ts'

it.each([
  ['0.1.9', '0.2.0', true],
  ['0.2.0', '0.2.0', false],
  ['0.10.0', '0.9.9', false],
  ['1.0.0', '0.9.9', false],
  ['v25.12.8', '26.3.27', true],
  ['0.1.9-beta.2', '0.2.0', true],
  ['', '0.2.0', false],
  [null, '0.2.0', false],
  ['0.1.0', 'unknown', false],
])('JOIN-009 version %s is older than the carried %s: %s', (held, carried, expected) => {
  expect(isOlder(held, carried)).toBe(expected)
})

it('JOIN-010 agent and Xray are offered each by its own version', () => {
  const carried = { agent: '0.2.0', core: '26.3.27' }
  expect(listOlder({ nodeVersion: '0.1.0', xrayVersion: '26.3.27' }, carried)).toEqual(['agent'])
  expect(listOlder({ nodeVersion: '0.2.0', xrayVersion: '25.1.1' }, carried)).toEqual(['core'])
  expect(listOlder({ nodeVersion: null, xrayVersion: null }, carried)).toEqual([])
})
