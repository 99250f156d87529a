import { expect, it } from 'vitest'
import { samplePreview } from '../../../test/samples.ts'
import {
  comparedLines,
  countDifferences,
  countInvisible,
  headerDifference,
  readableBody,
  readableHeader,
  serversOnlyIn,
  sortHeaders,
} from './subscription-preview.rules.ts'

const base64 = (text: string) => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))

it('what is sent as Base64 can be read, and what is not stays as it is', () => {
  expect(readableBody({ format: 'links', body: base64('ss://a#😀\nvless://b') })).toBe('ss://a#😀\nvless://b')
  expect(readableBody({ format: 'links', body: 'not base64 ✗' })).toBeUndefined()
  expect(readableBody({ format: 'mihomo', body: 'mode: rule' })).toBeUndefined()
  expect(readableHeader(`base64:${base64('Привет')}`)).toBe('Привет')
  expect(readableHeader('12')).toBeUndefined()
})

it('headers of the subscription stand apart from those of every answer', () => {
  const { own, common } = sortHeaders({
    'x-frame-options': 'DENY',
    'profile-title': 'a',
    announce: 'b',
    'cache-control': 'c',
    'x-own': 'd',
  })
  expect(own.map(([name]) => name)).toEqual(['announce', 'profile-title', 'x-own'])
  expect(common.map(([name]) => name)).toEqual(['cache-control', 'x-frame-options'])
})

it.each([
  ['plain', 0],
  ['two\nlines', 1],
  ['\u200fmirrored\u200e', 2],
  ['👨‍👩‍👧 family', 0],
  ['a\u200db', 1],
])('%j holds %i signs that cannot be seen', (text, count) => {
  expect(countInvisible(text)).toBe(count)
})

it('two answers are compared: servers that one lacks, headers that one lacks or that differ, lines of the body', () => {
  const [server] = samplePreview().servers
  if (!server) throw new Error('the sample has a server')
  const one = samplePreview({
    servers: [server, { ...server, port: 1 }],
    headers: { 'profile-title': 'a', only: 'x', same: 's' },
  })
  const other = samplePreview({ servers: [server], headers: { 'profile-title': 'b', same: 's' } })
  expect([...serversOnlyIn(one, other)]).toEqual([1])
  expect([...serversOnlyIn(other, one)]).toEqual([])
  expect(headerDifference('profile-title', 'a', other)).toBe('differs')
  expect(headerDifference('only', 'x', other)).toBe('only')
  expect(headerDifference('same', 's', other)).toBeUndefined()
  expect(countDifferences(one, other)).toEqual({ servers: 1, headers: 2 })
  expect(countDifferences(one, one)).toEqual({ servers: 0, headers: 0 })
  expect(comparedLines('a\n  b\n', 'b\nc')).toEqual([
    { line: 'a', isOnlyHere: true },
    { line: '  b', isOnlyHere: false },
    { line: '', isOnlyHere: false },
  ])
})
