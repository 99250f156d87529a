import { updateUser, wireDateTime, wireEmail, wireInt, wireUrl, wireUuid } from '@causeway/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { toWireIssues } from './issues.ts'

function issuesOf(schema: z.ZodType, value: unknown) {
  return toWireIssues(schema.safeParse(value, { reportInput: true }).error?.issues ?? [])
}

describe('an issue of zod 4 leaves in the form of zod 3', () => {
  const cases: [what: string, schema: z.ZodType, value: unknown, issue: object][] = [
    [
      'a missing key',
      z.object({ a: z.string() }),
      {},
      { code: 'invalid_type', expected: 'string', received: 'undefined', path: ['a'], message: 'Required' },
    ],
    ['a wrong type', z.number(), 'x', { code: 'invalid_type', expected: 'number', received: 'string', path: [] }],
    ['null', z.object({}), null, { code: 'invalid_type', expected: 'object', received: 'null' }],
    [
      'a list where an object is wanted',
      z.record(z.string(), z.string()),
      [],
      { code: 'invalid_type', expected: 'object', received: 'array' },
    ],
    ['text that is no number', z.coerce.number(), 'x', { code: 'invalid_type', expected: 'number', received: 'nan' }],
    ['a fraction', wireInt, 1.5, { code: 'invalid_type', expected: 'integer', received: 'float' }],
    ['a pattern', z.string().regex(/^a$/), 'b', { code: 'invalid_string', validation: 'regex' }],
    ['a uuid', wireUuid, 'b', { code: 'invalid_string', validation: 'uuid' }],
    ['an e-mail address', wireEmail, 'b', { code: 'invalid_string', validation: 'email' }],
    ['a URL', wireUrl, 'b', { code: 'invalid_string', validation: 'url' }],
    ['a date-time', wireDateTime, 'b', { code: 'invalid_string', validation: 'datetime' }],
    ['a short text', z.string().min(3), 'ab', { code: 'too_small', minimum: 3, type: 'string', inclusive: true, exact: false }],
    ['a long text', z.string().max(3), 'abcd', { code: 'too_big', maximum: 3, type: 'string', inclusive: true, exact: false }],
    [
      'a text of another length',
      z.string().length(3),
      'ab',
      { code: 'too_small', minimum: 3, type: 'string', inclusive: true, exact: true },
    ],
    ['a small number', wireInt.min(1), 0, { code: 'too_small', minimum: 1, type: 'number', inclusive: true, exact: false }],
    [
      'a number at an open bound',
      z.number().lt(5),
      5,
      { code: 'too_big', maximum: 5, type: 'number', inclusive: false, exact: false },
    ],
    [
      'a short list',
      z.array(z.string()).min(1),
      [],
      { code: 'too_small', minimum: 1, type: 'array', inclusive: true, exact: false },
    ],
    ['another word', z.enum(['A', 'B']), 'C', { code: 'invalid_enum_value', received: 'C', options: ['A', 'B'] }],
    ['no word', z.enum(['A', 'B']), 5, { code: 'invalid_type', expected: "'A' | 'B'", received: 'number' }],
    [
      'a missing word',
      z.object({ a: z.enum(['A']) }),
      {},
      { code: 'invalid_type', received: 'undefined', path: ['a'], message: 'Required' },
    ],
    ['a rule of our own', z.string().refine(() => false, 'must be better'), 'x', { code: 'custom', message: 'must be better' }],
    [
      'a bad key of a record',
      z.record(z.string().regex(/^a$/), z.string()),
      { b: 'x' },
      { code: 'invalid_string', validation: 'regex', path: ['b'] },
    ],
    ['a place in a list', z.array(z.object({ a: z.string() })), [{ a: 1 }], { code: 'invalid_type', path: [0, 'a'] }],
  ]
  test.each(cases)('%s', (_, schema, value, issue) => {
    expect(issuesOf(schema, value)).toMatchObject([issue])
  })
})

test('the sample of the wire: all issues of a body, in field order', () => {
  const body = {
    uuid: '6b1f5c1e-0f2a-4c57-9d0e-2d9f3a1b7c10',
    expireAt: '2020-01-01T00:00:00Z',
    tag: 'not good',
    telegramId: '5',
  }
  expect(issuesOf(updateUser.body, body)).toEqual([
    { code: 'custom', message: 'must lie in the future', path: ['expireAt'] },
    { code: 'invalid_string', validation: 'regex', message: expect.any(String), path: ['tag'] },
    { code: 'invalid_type', expected: 'number', received: 'string', message: expect.any(String), path: ['telegramId'] },
  ])
})
