import { expect, test } from 'vitest'
import { dueAt, lastMonday } from './due.rules.ts'

const none = { digest: 'none', quietFrom: null, quietTo: null } as const
const ZONE = 'Europe/Moscow' // three hours ahead, all year
const due = (rule: Parameters<typeof dueAt>[0], now: string, zone = ZONE) => dueAt(rule, zone, new Date(now)).toISOString()

test.each<[string, Parameters<typeof dueAt>[0], string, string]>([
  ['at once', none, '2026-11-26T12:34:56.000Z', '2026-11-26T12:34:56.000Z'],
  ['at the next hour', { ...none, digest: 'hourly' }, '2026-11-26T12:34:56.000Z', '2026-11-26T13:00:00.000Z'],
  ['this morning', { ...none, digest: 'daily' }, '2026-11-26T05:59:00.000Z', '2026-11-26T06:00:00.000Z'],
  ['the next morning', { ...none, digest: 'daily' }, '2026-11-26T06:00:00.000Z', '2026-11-27T06:00:00.000Z'],
  ['after the night', { ...none, quietFrom: '22:00', quietTo: '07:30' }, '2026-11-26T19:00:00.000Z', '2026-11-27T04:30:00.000Z'],
  [
    'after the night, late',
    { ...none, quietFrom: '22:00', quietTo: '07:30' },
    '2026-11-27T01:00:00.000Z',
    '2026-11-27T04:30:00.000Z',
  ],
  ['before the night', { ...none, quietFrom: '22:00', quietTo: '07:30' }, '2026-11-26T18:59:00.000Z', '2026-11-26T18:59:00.000Z'],
  [
    'at the end of the night',
    { ...none, quietFrom: '22:00', quietTo: '07:30' },
    '2026-11-27T04:30:00.000Z',
    '2026-11-27T04:30:00.000Z',
  ],
  [
    'after a quiet noon',
    { ...none, quietFrom: '12:00', quietTo: '13:00' },
    '2026-11-26T09:30:00.000Z',
    '2026-11-26T10:00:00.000Z',
  ],
  [
    'after a digest within quiet hours',
    { digest: 'daily', quietFrom: '08:00', quietTo: '11:00' },
    '2026-11-26T00:00:00.000Z',
    '2026-11-26T08:00:00.000Z',
  ],
])('NOTE-002 %s', (_, rule, now, expected) => {
  expect(due(rule, now)).toBe(expected)
})

test('NOTE-002 quiet hours follow the clocks of their zone, also in the night when these change', () => {
  const night = { ...none, quietFrom: '23:00', quietTo: '07:00' }
  expect(due(night, '2026-10-24T22:00:00.000Z', 'Europe/Berlin')).toBe('2026-10-25T06:00:00.000Z')
  expect(due(night, '2026-10-23T22:00:00.000Z', 'Europe/Berlin')).toBe('2026-10-24T05:00:00.000Z')
})

test('NOTE-006 the week is told on Monday morning in the zone of the rule', () => {
  const monday = (now: string) => lastMonday(ZONE, new Date(now))
  expect(monday('2026-11-23T05:59:00Z')).toEqual({ at: new Date('2026-11-16T06:00:00Z'), day: '2026-11-16' })
  expect(monday('2026-11-23T06:00:00Z')).toEqual({ at: new Date('2026-11-23T06:00:00Z'), day: '2026-11-23' })
  expect(monday('2026-11-29T20:59:00Z')).toEqual({ at: new Date('2026-11-23T06:00:00Z'), day: '2026-11-23' })
})
