import { expect, it } from 'vitest'
import { CallError, isNotFound } from './call-error.ts'

it.each([
  [true, 404, []],
  [true, 400, [{ path: ['uuid'], message: 'Invalid uuid' }]],
  [false, 400, []],
  [false, 400, [{ path: ['name'], message: 'Required' }]],
  [
    false,
    400,
    [
      { path: ['uuid'], message: 'Invalid uuid' },
      { path: ['name'], message: 'Required' },
    ],
  ],
  [false, 400, [{ path: ['nodes', 0, 'uuid'], message: 'Invalid uuid' }]],
  [false, 500, [{ path: ['uuid'], message: 'Invalid uuid' }]],
])('a thing is missing (%s) where the answer is %d with %j', (isMissing, status, issues) => {
  expect(isNotFound(new CallError('Validation failed', { status, issues }))).toBe(isMissing)
})

it('that nothing answers says nothing of a thing', () => {
  expect(isNotFound(new CallError('Request failed', { isUnanswered: true }))).toBe(false)
  expect(isNotFound(new Error('Not found'))).toBe(false)
})
