import { expect, it } from 'vitest'
import { isHostAddress } from './host-address.ts'

it.each([
  'example.com',
  'node-1',
  'a_b.internal',
  'пример.рф',
  'xn--e1afmkfd.xn--p1ai',
  'example.com.',
  '192.0.2.7',
  '2001:db8::1',
  '[2001:db8::1]',
  '::ffff:192.0.2.7',
])('“%s” is an address of a node', (text) => expect(isHostAddress(text)).toBe(true))

it.each([
  'not a host!',
  'https://example.com',
  'http://1.2.3.4:2222',
  '1.2.3.4:2222',
  'example.com:2222',
  'example.com/path',
  '256.1.1.1',
  '1.2.3',
  '-a.com',
  'a..b',
  '2001:db8:::1',
  '[::1]:2222',
  '',
])('“%s” is none', (text) => expect(isHostAddress(text)).toBe(false))
