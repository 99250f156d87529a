import { expect, it } from 'vitest'
import { countInvisible, readableBody, readableHeader, sortHeaders } from './subscription-preview.rules.ts'

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
