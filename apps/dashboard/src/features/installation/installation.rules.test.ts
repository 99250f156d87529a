import { expect, test } from 'vitest'
import { isFound, offsetName, timeIn, zoneChoices } from './installation.rules.ts'

const at = new Date('2026-07-01T12:00:00Z')

test('zones are found by words of their names in any order', () => {
  expect(isFound('America/New_York', 'new york')).toBe(true)
  expect(isFound('America/New_York', 'YORK america')).toBe(true)
  expect(isFound('America/New_York', 'america/new_')).toBe(true)
  expect(isFound('America/New_York', 'berlin')).toBe(false)
  expect(isFound('America/New_York', '')).toBe(true)
})

test('the choice has UTC, every zone of the browser, and once the one that is set', () => {
  const zones = zoneChoices('Asia/Tokyo')
  expect(zones).toEqual(expect.arrayContaining(['UTC', 'Europe/Berlin', 'Asia/Tokyo']))
  expect(new Set(zones).size).toBe(zones.length)
  expect(zoneChoices('Mars/Olympus')).toContain('Mars/Olympus')
})

test('a zone says how far it is from UTC, and what its clocks show', () => {
  expect(offsetName('Asia/Kolkata', at)).toBe('GMT+5:30')
  expect(offsetName('America/New_York', at)).toBe('GMT-4')
  expect(timeIn('Asia/Tokyo', at, 'en')).toMatch(/^Wednesday, July 1, 2026 at 9:00\sPM$/)
  // Browsers would write ۱۴۰۵ تیر ۱۰, چهارشنبه.
  expect(timeIn('Asia/Tokyo', at, 'fa')).toBe('چهارشنبه ۱۰ تیر ۱۴۰۵ ساعت ۲۱:۰۰')
})
