import { expect, test } from 'vitest'
import { entriesOf, numbersOf, partsOn, readJson } from './node-plugins.rules.ts'

test('entries stand in lines or between commas, each once', () => {
  expect(entriesOf(' 192.0.2.1\n\n203.0.113.0/24, ext:ads;192.0.2.1\n')).toEqual(['192.0.2.1', '203.0.113.0/24', 'ext:ads'])
  expect(entriesOf('')).toEqual([])
})

test('numbers are whole and above 0', () => {
  expect(numbersOf(['25', 'x', '-1', '1.5', '465'])).toEqual([25, 465])
})

test('parts that are on are named in order', () => {
  expect(partsOn(null)).toEqual([])
  expect(partsOn({ connectionDrop: { enabled: true }, ingressFilter: { enabled: false, blockedIps: [] } })).toEqual([
    'connectionDrop',
  ])
})

test('a text that is no JSON says why', () => {
  expect(readJson('{"a":1}')).toEqual({ value: { a: 1 } })
  expect(readJson('{')).toMatchObject({ problem: expect.stringMatching(/JSON/) })
})
