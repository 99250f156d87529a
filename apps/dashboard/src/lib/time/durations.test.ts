import { describe, expect, it } from 'vitest'
import { seconds, shortDuration } from './durations.ts'

describe('durations', () => {
  it('CALL-019 plain timing numbers are seconds', () => {
    expect(seconds(5)).toBe(5000)
    expect(seconds(5.1)).toBe(5100)
  })

  it.each([
    [0, '0s'],
    [59, '59s'],
    [61, '1m 1s'],
    [3600, '1h'],
    [3605, '1h'],
    [90_000, '1d 1h'],
    [200_000, '2d 7h'],
    [-4, '0s'],
  ])('CONST-005 %d seconds read %s', (given, expected) => {
    expect(shortDuration(given)).toBe(expected)
  })

  it.each([
    ['ru', '2 д. 7 ч'],
    ['fa', '۲ روز ۷ ساعت'],
    ['zh', '2天 7小时'],
  ])('reads in %s as %s', (language, expected) => {
    expect(shortDuration(200_000, language).replaceAll('\u00a0', ' ')).toBe(expected)
  })
})
