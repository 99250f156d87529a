import { isIP } from 'node:net'
import { describe, expect, it } from 'vitest'
import { addressBytes } from './vision.rules.ts'

describe('addressBytes', () => {
  it.each([
    ['203.0.113.7', [203, 0, 113, 7]],
    ['0.0.0.0', [0, 0, 0, 0]],
    ['2001:db8::1', [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
    ['::', Array.from({ length: 16 }, () => 0)],
    ['1:2:3:4:5:6:7:8', [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]],
    ['::ffff:192.0.2.1', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 1]],
  ])('of %s', (text, bytes) => {
    expect(isIP(text)).toBeGreaterThan(0)
    expect(addressBytes(text)).toEqual(Uint8Array.from(bytes))
  })

  it.each([
    '',
    'localhost',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.4.5',
    ':',
    ':::',
    '1::2::3',
    '12345::',
    '1:2:3:4:5:6:7',
    'g::1',
  ])('of %j is undefined', (text) => {
    expect(isIP(text)).toBe(0)
    expect(addressBytes(text)).toBeUndefined()
  })
})
