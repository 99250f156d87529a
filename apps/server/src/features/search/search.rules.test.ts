import { expect, test } from 'vitest'
import { hasIndexedPart, likeText, searchTerms } from './search.rules.ts'

test.each([
  ['https://panel.example.com/api/sub/Abcdefgh_-12', 'Abcdefgh_-12'],
  [' https://sub.example.com/Abcdefgh_-12#anna ', 'Abcdefgh_-12'],
  ['https://sub.example.com/Abcdefgh_-12/json', 'Abcdefgh_-12'],
  ['https://panel.example.com/api/sub/outline/Abcdefgh_-12/ss/tag', 'Abcdefgh_-12'],
  ['Abcdefgh_-12', 'Abcdefgh_-12'],
  ['short', undefined],
  ['https://example.com/', undefined],
  ['anna maria', undefined],
])('%s means the short uuid %s', (typed, shortUuid) => {
  expect(searchTerms(typed)?.shortUuid).toBe(shortUuid)
})

test('digits may be a Telegram ID, a uuid is one, blanks and zero bytes are nothing', () => {
  expect(searchTerms('123456789')).toMatchObject({ telegramId: 123456789, text: '123456789' })
  expect(searchTerms('0123')?.telegramId).toBeUndefined()
  expect(searchTerms('9'.repeat(30))?.telegramId).toBeUndefined()
  const uuid = '019f75e7-5bde-4536-a88f-f9447e790000'
  expect(searchTerms(uuid)?.uuid).toBe(uuid)
  expect(searchTerms('  \0 ')).toBeUndefined()
})

test('signs that mean something in patterns mean themselves', () => {
  expect(likeText(String.raw`100%_\ `)).toBe(String.raw`100\%\_\\ `)
})

test.each([
  ['ann', true],
  ['an', false],
  ['аня', true],
  ['r_s', true],
  ['ab%', true],
  ['%ab', true],
  ['%a', true],
  ['a%', false],
  ['a_', false],
  ['%'.repeat(500), false],
  ['_'.repeat(500), false],
  ['%_'.repeat(250), false],
  ['😀😀😀', false],
])('whether an index narrows the search for %j', (text, isIndexed) => {
  expect(hasIndexedPart(text)).toBe(isIndexed)
})
