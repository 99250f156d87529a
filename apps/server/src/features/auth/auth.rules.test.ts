import { describe, expect, test } from 'vitest'
import { addressBucket, passwordProblem, secondsToWait } from './auth.rules.ts'

describe('a new password', () => {
  test.each([
    ['admin', 'Correct4horse', undefined],
    ['Correct4horse', 'Correct4horse', 'must differ from the username'],
    ['CORRECT4HORSE', 'Correct4horse', 'must differ from the username'],
    ['admin', 'Password1234', 'is among the most common passwords; choose another'],
    ['admin', 'qWERTY123456', 'is among the most common passwords; choose another'],
  ])('of %s, %s: %s', (username, password, problem) => {
    expect(passwordProblem(username, password)).toBe(problem)
  })
})

describe('attempts are counted by', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    [null, 'unknown'],
  ])('%s as %s', (address, bucket) => {
    expect(addressBucket(address)).toBe(bucket)
  })
})

test('the wait ends when the oldest counted attempt is 15 minutes old', () => {
  const at = new Date('2026-01-01T12:00:00Z')
  expect(secondsToWait(at, new Date('2026-01-01T12:05:00Z'))).toBe(600)
  expect(secondsToWait(at, new Date('2026-01-01T12:20:00Z'))).toBe(1)
})
