import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timestampOf } from './timestamp.ts'

test('reads instants as the database sends them, to the millisecond', () => {
  const year = { min: new Date('1000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }
  fc.assert(
    fc.property(fc.date(year), fc.integer({ min: 0, max: 999 }), (instant, finer) => {
      const text = instant
        .toISOString()
        .replace('T', ' ')
        .replace('Z', String(finer).padStart(3, '0'))
        .replace(/\.?0+$/, '')
      expect(timestampOf(`${text}+00`)).toEqual(instant)
    }),
  )
})

test.each([
  'infinity',
  '-infinity',
  '0044-03-15 12:00:00+00 BC',
  '10000-01-01 00:00:00+00',
  '0001-01-01 00:00:00+00',
  '2026-11-22 18:26:00+01',
  '2026-11-22 18:26:00',
  '2026-11-22',
  '',
])('leaves %s to the driver', (text) => {
  expect(timestampOf(text)).toBeUndefined()
})
