import { expect, test } from 'vitest'
import { refuseUnstorableText, unstorableIssue } from './unstorable.ts'

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

test('a text with the character U+0000 is named', () => {
  const issue = expect.objectContaining({ path: ['description'], message: 'must not contain the character U+0000' })
  expect(() => refuseUnstorableText({ username: 'alice', tag: 7, description: 'a\u0000b' })).toThrow(
    expect.objectContaining({ issues: [issue] }),
  )
  expect(() => refuseUnstorableText({ username: 'alice', tag: null })).not.toThrow()
})
