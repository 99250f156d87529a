import { afterEach, expect, test, vi } from 'vitest'
import { closedBlockStart, configureLanguage, repeatedCloser } from './code-editor-languages.ts'

afterEach(() => vi.restoreAllMocks())

test.each([
  ['json', 'Failed to configure Monaco JSON'],
  ['yaml', 'Failed to configure Monaco YAML'],
] as const)('TMPL-048: a failing %s is logged by its name, and the editor goes on', (language, words) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const broken = new Error('no worker')
  configureLanguage(language, () => {
    throw broken
  })
  expect(log).toHaveBeenCalledExactlyOnceWith(words, broken)
})

test('a language that can be configured logs nothing', () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const configure = vi.fn<() => void>()
  configureLanguage('yaml', configure)
  expect(configure).toHaveBeenCalledOnce()
  expect(log).not.toHaveBeenCalled()
})

test.each([
  ['{"a":{"b":1}', 5],
  ['{"a":{"b":1}}', 0],
  ['["}", [1]', 6],
  ['{"a":"\\"{"}', 0],
])('the block that %j ends with begins at %i', (text, start) => {
  expect(closedBlockStart(text, text.length)).toBe(start)
})

test.each(['{"a":}', '}', '{"a":"}', '{a:1}'])('%j is not whole JSON, so nothing of it is formatted', (text) => {
  expect(closedBlockStart(text, text.length)).toBeUndefined()
})

test.each([
  ['after formatting', '{\n  "a": {\n    "b": 1\n  }\n', '}', '}', 1],
  ['on a line below', '{"a":1', '}', '\n} ', 2],
  ['of a list', '{"a":[1', ']', ' ]}', 2],
  ['of a text behind a backslash', '{"a": "b\\\\', '"', '"}', 1],
])('a sign that is typed stands for the one %s', (_, before, key, after, length) => {
  expect(repeatedCloser(before, key, after)).toBe(length)
})

test.each([
  ['it closes what was open', '{"a":{"b":1', '}', '}'],
  ['another kind follows', '[{"a":1', '}', ']'],
  ['nothing follows', '{}', '}', ''],
  ['text follows', '{}', '}', ' "a"'],
  ['it stands inside a string', '{"a":"', '}', '}"}'],
  ['the text is broken elsewhere too', '[[{}', '}', '}'],
  ['it is no closing bracket', '{"a":1', '2', '}'],
  ['it is escaped', '{"a": "b\\\\\\', '"', '"}'],
  ['the editor knows it', '{"a": "b', '"', '"}'],
])('a sign that is typed stands for itself where %s', (_, before, key, after) => {
  expect(repeatedCloser(before, key, after)).toBe(0)
})
