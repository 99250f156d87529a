import { describe, expect, it } from 'vitest'
import { bytesToGib, formatBytes, gibToBytes } from './bytes.ts'

describe('bytes', () => {
  it.each([
    [0, '0 B'],
    [1000, '1,000 B'],
    [1024, '1.00 KiB'],
    [1_000_000, '976.56 KiB'],
    [1024 ** 2 - 1, '1.00 MiB'],
    [5 * 1024 ** 3, '5.00 GiB'],
    [1024 ** 6, '1,024.00 PiB'],
    [-5_000_000_000, '-4.66 GiB'],
  ])('CONST-006 %d bytes read %s', (bytes, text) => {
    expect(formatBytes(bytes, 'en')).toBe(text)
  })

  it('figures follow the language', () => {
    expect(formatBytes(1_000_000, 'ru')).toBe('976,56 KiB')
  })

  it('are kept from left to right in a text that runs the other way', () => {
    expect(formatBytes(1024, 'fa')).toBe('\u2066۱٫۰۰ KiB\u2069')
  })

  it('limits go from GiB to bytes and back', () => {
    expect(gibToBytes(1.5)).toBe(1_610_612_736)
    expect(bytesToGib(gibToBytes(250))).toBe(250)
  })
})
