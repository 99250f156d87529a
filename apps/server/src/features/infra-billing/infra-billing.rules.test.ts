import { describe, expect, it, test } from 'vitest'
import { amountProblem, iconType, lastMonths, linkProblem, monthBounds, pageProblem } from './infra-billing.rules.ts'

describe('amounts', () => {
  it.each([0, 0.01, 12.5, 999_999_999_999.99])('%d can be a payment', (amount) => expect(amountProblem(amount)).toBeUndefined())
  it.each([0.001, 1e12, 1e300])('%d cannot, and is told why', (amount) => expect(amountProblem(amount)).toMatch(/^must be /))
})

test.each([
  ['https://example.com/favicon.ico', undefined],
  ['http://example.com', undefined],
  ['javascript:alert(1)', 'must begin with https:// or http://'],
  ['data:text/html,hello', 'must begin with https:// or http://'],
  [`https://example.com/${'x'.repeat(2000)}`, 'must have at most 2000 characters'],
])('the link %s is refused where it could do harm', (link, problem) => expect(linkProblem(link)).toBe(problem))

test('a month reaches from its first day in the zone to the first of the next one', () => {
  expect(monthBounds(new Date('2026-12-31T23:30:00Z'), 'UTC')).toEqual({
    today: '2026-12-31',
    monthStart: '2026-12-01',
    nextMonthStart: '2027-01-01',
  })
  expect(monthBounds(new Date('2026-12-31T23:30:00Z'), 'Europe/Berlin')).toEqual({
    today: '2027-01-01',
    monthStart: '2027-01-01',
    nextMonthStart: '2027-02-01',
  })
})

test('the last months end with that of the zone, also over the turn of a year', () => {
  // In Berlin it is already April.
  const now = new Date('2026-03-31T22:30:00Z')
  expect(lastMonths(4, now, 'Europe/Berlin')).toEqual(['2026-01', '2026-02', '2026-03', '2026-04'])
  expect(lastMonths(4, now, 'UTC')).toEqual(['2025-12', '2026-01', '2026-02', '2026-03'])
})

test.each([
  [{}, undefined],
  [{ start: 50, size: 50 }, undefined],
  [{ start: -1 }, 'start'],
  [{ start: 0.5 }, 'start'],
  [{ start: Number.NaN }, 'start'],
  [{ start: 1e300 }, 'start'],
  [{ size: 1.5 }, 'size'],
])('the page %o', (query, path) => expect(pageProblem(query)?.path).toBe(path))

describe('icons are known by their first bytes', () => {
  const bytes = (...values: (number | string)[]) =>
    Buffer.concat(values.map((value) => (typeof value === 'string' ? Buffer.from(value) : Buffer.from([value]))))
  it.each([
    ['image/png', bytes(0x89, 'PNG\r\n'), 'text/plain'],
    ['image/x-icon', bytes(0, 0, 1, 0, 1), ''],
    ['image/jpeg', bytes(0xff, 0xd8, 0xff, 0xe0), ''],
    ['image/gif', bytes('GIF89a'), ''],
    ['image/webp', bytes('RIFF', 1, 2, 3, 4, 'WEBPVP8'), ''],
    ['image/svg+xml', bytes('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml; charset=utf-8'],
    [undefined, bytes('<html><svg></svg>'), 'text/html'],
    [undefined, bytes('<html>'), 'image/png'],
    [undefined, bytes(), 'image/svg+xml'],
  ])('%s', (type, body, contentType) => expect(iconType(body, contentType)).toBe(type))
})
