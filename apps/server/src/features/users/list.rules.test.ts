import type { UserFilterId } from '@causeway/contract'
import { describe, expect, test } from 'vitest'
import { everyone } from '../../lib/scope.ts'
import { statusesOfTotal, toUsersView } from './list.rules.ts'

const NOW = new Date('2026-06-10T12:34:56.789Z')

function filterOf(id: UserFilterId, value: unknown, mode?: string) {
  const view = toUsersView({ filters: [{ id, value }], ...(mode ? { filterModes: { [id]: mode } } : {}) }, everyone, NOW)
  return 'refusal' in view ? view.refusal : view.filters[0]
}

test('USER-075: without anything said, the newest 25 users come first', () => {
  expect(toUsersView({}, everyone, NOW)).toEqual({
    start: 0,
    size: 25,
    filters: [],
    sorting: [{ column: 'createdAt', table: 'users', isDescending: true }],
  })
})

test.each([
  ['negative', { start: -1 }, 'start'],
  ['a fraction', { start: 1.5 }, 'start'],
  ['not a number', { start: Number.NaN }, 'start'],
  ['beyond any list', { start: 1e300 }, 'start'],
  ['a fraction of a size', { size: 2.5 }, 'size'],
])('a view that cannot be shown is refused: %s', (_, query, path) => {
  const view = toUsersView(query, everyone, NOW)
  expect('refusal' in view && view.refusal.path).toBe(path)
})

describe('filters', () => {
  test('text is contained unless a known mode says otherwise', () => {
    const contains = { kind: 'text', table: 'users', column: 'username', mode: 'contains', text: 'ann' }
    expect(filterOf('username', 'ann')).toEqual(contains)
    expect(filterOf('username', 'ann', 'fuzzy')).toEqual(contains)
    expect(filterOf('username', 'ann', 'startsWith')).toEqual({ ...contains, mode: 'startsWith' })
    expect(filterOf('subLastUserAgent', 7, 'equals')).toMatchObject({ table: 'userAccesses', mode: 'equals', text: '7' })
  })
  test('words that can only be one of a few are matched at once', () => {
    expect(filterOf('status', 'active')).toMatchObject({ matching: ['ACTIVE'] })
    expect(filterOf('status', 'E')).toMatchObject({ matching: ['ACTIVE', 'DISABLED', 'LIMITED', 'EXPIRED'] })
    expect(filterOf('status', 'active', 'equals')).toMatchObject({ matching: [] })
    expect(filterOf('trafficLimitStrategy', 'NO', 'startsWith')).toMatchObject({ matching: ['NO_RESET'] })
  })
  test('a telegram id that is none asks for users without one', () => {
    expect(filterOf('telegramId', '42')).toEqual({ kind: 'telegramId', telegramId: 42 })
    expect(filterOf('telegramId', 42)).toEqual({ kind: 'telegramId', telegramId: 42 })
    for (const value of ['', 'abc', '4.2', null, 1e300])
      expect(filterOf('telegramId', value)).toEqual({ kind: 'telegramId', telegramId: null })
  })
  test('instants are instants, and ids are uuids', () => {
    expect(filterOf('expireAt', '2026-01-01T00:00:00Z')).toMatchObject({ kind: 'instant', at: new Date('2026-01-01T00:00:00Z') })
    expect(filterOf('expireAt', 'soon')).toMatchObject({ path: 'filters.0' })
    expect(filterOf('activeInternalSquads', 'x')).toMatchObject({ path: 'filters.0' })
    expect(filterOf('nodeName', '00000000-0000-4000-8000-000000000000')).toMatchObject({ kind: 'node' })
  })
  test('a search is read as it is everywhere, nothing is searched for in blanks, and a group has its minute', () => {
    expect(filterOf('search', ' https://sub.example.com/Abcdefgh_-12 ')).toMatchObject({
      kind: 'search',
      terms: { text: 'Abcdefgh_-12' },
    })
    expect(filterOf('search', '  ')).toBeUndefined()
    expect(filterOf('search', 'a'.repeat(501))).toMatchObject({ path: 'filters.0' })
    expect(filterOf('search', null)).toMatchObject({ path: 'filters.0' })
    expect(filterOf('among', 'nearLimit')).toEqual({ kind: 'among', group: 'nearLimit', now: new Date('2026-06-10T12:34:00Z') })
    expect(filterOf('among', 'everyone')).toMatchObject({ path: 'filters.0' })
  })
  test.each([[null], [['a']], [{ a: 1 }], ['a\u0000b'], [undefined]])('%j is no text', (value) => {
    expect(filterOf('username', value)).toMatchObject({ path: 'filters.0' })
  })
})

test('the total is kept for all users and for statuses, and counted for the rest', () => {
  const totalOf = (...filters: { id: UserFilterId; value: unknown }[]) => {
    const view = toUsersView({ filters }, everyone, NOW)
    return 'refusal' in view ? view.refusal : statusesOfTotal(view.filters)
  }
  expect(totalOf()).toEqual(['ACTIVE', 'DISABLED', 'LIMITED', 'EXPIRED'])
  expect(totalOf({ id: 'status', value: 'LIMITED' })).toEqual(['LIMITED'])
  expect(totalOf({ id: 'status', value: 'ED' }, { id: 'status', value: 'LIM' })).toEqual(['LIMITED'])
  expect(totalOf({ id: 'username', value: 'a' })).toBeUndefined()
})
