import { describe, expect, test } from 'vitest'
import { passwordProblem, secondsToWait } from './auth.rules.ts'

describe('a new password', () => {
  test.each([
    ['admin', 'Correct4horse', undefined],
    ['Correct4horse', 'Correct4horse', 'The password must differ from the username'],
    ['CORRECT4HORSE', 'Correct4horse', 'The password must differ from the username'],
    ['admin', 'Password1234', 'This password is among the most common ones; choose another'],
    ['admin', 'qWERTY123456', 'This password is among the most common ones; choose another'],
  ])('of %s, %s: %s', (username, password, problem) => {
    expect(passwordProblem(username, password)).toBe(problem)
  })
})

test('the wait ends when the oldest counted attempt is 15 minutes old', () => {
  const at = new Date('2026-01-01T12:00:00Z')
  expect(secondsToWait(at, new Date('2026-01-01T12:05:00Z'))).toBe(600)
  expect(secondsToWait(at, new Date('2026-01-01T12:20:00Z'))).toBe(1)
})
