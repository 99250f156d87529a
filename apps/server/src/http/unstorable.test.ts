import { expect, test } from 'vitest'
import { LARGEST, nulIssue, refuseUnstorable, unstorableIssue } from './unstorable.ts'

const JSON_SAID = 'invalid input syntax for type json'
const UTF8_SAID = 'invalid byte sequence for encoding "UTF8": 0x00'

test.each([
  ['the number it quotes', 'value "2147483648" is out of range for type integer', { a: [1, { b: 2 ** 31 }] }, ['a', 1, 'b']],
  ['a number of many digits', 'invalid input syntax for type bigint: "1e+308"', { a: '1e+308', b: 1e308 }, ['b']],
  ['half a character', JSON_SAID, { a: 'well 😀', b: { c: 'a\ud800' } }, ['b', 'c']],
  ['U+0000 in a text', UTF8_SAID, { a: ['b', 'c\u0000'] }, ['a', 1]],
  ['the object whose key has it', UTF8_SAID, { a: { 'k\u0000': 1 } }, ['a']],
  ['nothing where all of it could be stored', UTF8_SAID, { a: 'b', c: null, d: 2 ** 40 }, undefined],
])('what the database cannot hold is found by its words: %s', (_, said, sent, path) => {
  expect(unstorableIssue(said, sent)?.path).toEqual(path)
})

test.each([
  [
    'a text with the character U+0000',
    { tag: 7, description: 'a\u0000b' },
    'description',
    'must not contain the character U+0000',
  ],
  ['a number beyond 64 bits', { bytes: 1e300 }, 'bytes', 'is a number beyond what can be stored'],
  ['a negative one', { bytes: -1e19 }, 'bytes', 'is a number beyond what can be stored'],
  ['a number beyond 32 bits', { bytes: null, count: 2 ** 31 }, 'count', 'is a number beyond what can be stored'],
])('what cannot be written later is refused at once: %s', (_, fields, path, message) => {
  const issue = expect.objectContaining({ path: [path], message })
  expect(() => refuseUnstorable(fields, { bytes: LARGEST.bigint, count: LARGEST.integer })).toThrow(
    expect.objectContaining({ issues: [issue] }),
  )
})

test('what can be stored passes, and numbers of which nothing is said', () => {
  expect(() =>
    refuseUnstorable({ username: 'alice', tag: null, bytes: 2 ** 53, other: 1e300 }, { bytes: LARGEST.bigint }),
  ).not.toThrow()
})

test.each([
  ['a text', { name: 'a\u0000b', tag: 'x' }, ['name']],
  ['a text in a list', { users: [{ tag: 'x' }, { tag: '\u0000' }] }, ['users', 1, 'tag']],
  ['a key', { fields: { 'k\u0000': 1 } }, ['fields']],
  ['nothing in a configuration of the core, which is checked by path', { config: { tag: '\u0000' } }, undefined],
  ['nothing where there is none', { name: 'a', count: 1, none: null }, undefined],
])('U+0000 is found before the database is asked: %s', (_, body, path) => {
  expect(nulIssue(body)?.path).toEqual(path)
})
