import { describe, expect, it } from 'vitest'
import { doubtfulUsers } from './unfinished-changes.ts'

const UUID = '550e8400-e29b-41d4-a716-446655440000'
const OTHER = '123e4567-e89b-12d3-a456-426614174000'

describe('doubtfulUsers', () => {
  it.each<[string, Parameters<typeof doubtfulUsers>, ReturnType<typeof doubtfulUsers>]>([
    ['nobody', [[], []], []],
    ['who is in both', [[{ email: 'Alice', id: UUID }], [{ username: 'alice', uuid: UUID.toUpperCase() }]], []],
    ['who has the same password', [[{ email: 'alice', id: UUID, password: 'p' }], [{ username: 'alice', password: 'p' }]], []],
    ['who is only in the core', [[], [{ username: 'Alice', uuid: UUID }]], [{ username: 'Alice', isInCore: true }]],
    ['who is only noted down', [[{ email: 'alice', id: UUID }], []], [{ username: 'alice', isInCore: false }]],
    [
      'who has another UUID in the core',
      [[{ email: 'alice', id: UUID }], [{ username: 'alice', uuid: OTHER }]],
      [{ username: 'alice', isInCore: true }],
    ],
    [
      'who has another password in the core',
      [[{ email: 'alice', id: UUID, password: 'p' }], [{ username: 'alice', password: 'q' }]],
      [{ username: 'alice', isInCore: true }],
    ],
    [
      'whose id is a text that Xray makes a UUID of',
      [[{ email: 'alice', id: 'secret' }], [{ username: 'alice', uuid: UUID }]],
      [],
    ],
    ['who has no name', [[{ id: UUID }], [{ username: '', uuid: OTHER }]], []],
  ])('finds %s', (_, given, expected) => {
    expect(doubtfulUsers(...given)).toEqual(expected)
  })
})
