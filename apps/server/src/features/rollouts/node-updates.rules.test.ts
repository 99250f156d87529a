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
  const carried = { agent: '0.2.0', core: '26.3.27', geo: null }
  expect(listOlder({ nodeVersion: '0.1.0', xrayVersion: '26.3.27', geoVersion: '' }, carried)).toEqual(['agent'])
  expect(listOlder({ nodeVersion: '0.2.0', xrayVersion: '25.1.1', geoVersion: null }, carried)).toEqual(['core'])
  expect(listOlder({ nodeVersion: null, xrayVersion: null, geoVersion: null }, carried)).toEqual([])
})

it.each([
  ['2026-11-27-aaaaaaaa', '', ['geo']],
  ['2026-11-27-aaaaaaaa', '2026-12-01-bbbbbbbb', ['geo']], // also back to older ones
  ['2026-11-27-aaaaaaaa', '2026-11-27-aaaaaaaa', []],
  ['2026-11-27-aaaaaaaa', null, []], // an agent that takes none
  [null, '2026-11-27-aaaaaaaa', []],
])('JOIN-010 geo files %s are offered to a node with "%s": %s', (geo, geoVersion, offered) => {
  const versions = { nodeVersion: '0.2.0', xrayVersion: '26.3.27', geoVersion }
  expect(listOlder(versions, { agent: '0.2.0', core: '26.3.27', geo })).toEqual(offered)
})
