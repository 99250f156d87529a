import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { depthFault, jsonFault } from './json-text.ts'

const where = (text: string) => {
  const fault = jsonFault(text)
  return fault && [fault.kind, fault.line, fault.column, fault.message]
}

describe('what is no JSON has its place', () => {
  it.each<[string, number, number, RegExp]>([
    ['', 1, 1, /ends before/],
    ['{"a": 1', 1, 8, /ends before/],
    ['{\n  // mine\n  "a": 1\n}', 2, 3, /comment/],
    ['{"a": 1 /* mine */}', 1, 9, /comment/],
    ['# mine\n{}', 1, 1, /comment/],
    ['[1,\n]', 1, 3, /comma stands before a "]"/],
    ['{"a": 1,\n}', 1, 8, /comma stands before a "}"/],
    ['\ufeff{}', 1, 1, /byte order mark/],
    ['{"a": "b\nc"}', 1, 9, /line break/],
    ['{"a": "b\u0000c"}', 1, 9, /control character/],
    ['{"a": "\\x"}', 1, 8, /no such escape/],
    ['{"a": "b', 1, 9, /no end/],
    ['{"a" 1}', 1, 6, /"1" is not expected/],
    ['{a: 1}', 1, 2, /"a" is not expected/],
    ['{} {}', 1, 4, /"{" is not expected/],
    ['[1}', 1, 3, /"}" is not expected/],
    ['[01]', 1, 3, /"1" is not expected/],
    ['["a", 😀]', 1, 7, /"😀" is not expected/],
    ['{,}', 1, 2, /"," is not expected/],
  ])('%j', (text, line, column, message) => {
    expect(where(text)).toEqual(['broken', line, column, expect.stringMatching(message)])
  })
})

describe('what would be lost has its place', () => {
  it.each<[string, number, number, RegExp]>([
    ['{"a": 1,\n "b": {"a": 2},\n "a": 3}', 3, 2, /key "a" stands twice/],
    ['{"\\u0061": 1, "a": 2}', 1, 15, /key "a" stands twice/],
    ['{"a": 9007199254740993}', 1, 7, /9007199254740993 cannot be kept/],
    ['[-1, 1e400]', 1, 6, /1e400 cannot be kept/],
    ['{"a": ["b", "\\ud800c"]}', 1, 13, /half a character/],
    ['{"a\\u0000": 1}', 1, 2, /U\+0000/],
    ['{"a": [1],\n "b": {"__proto__": {}}}', 2, 8, /"__proto__" cannot be kept/],
    ['{"\\u005f_proto__": 1}', 1, 2, /"__proto__" cannot be kept/],
    [`${'['.repeat(91)}${']'.repeat(91)}`, 1, 91, /More than 90 levels/],
  ])('%j', (text, line, column, message) => {
    expect(where(text)).toEqual(['lost', line, column, expect.stringMatching(message)])
  })
  it('what is no JSON at all is said first', () => {
    expect(where('{"a": 1, "a": 2,}')?.slice(0, 3)).toEqual(['broken', 1, 16])
  })
})

it('what is written by JSON.stringify is kept, whatever it is', () => {
  const isKept = (value: unknown) => !/\\u0000|"__proto__":/.test(JSON.stringify(value))
  const json = fc.jsonValue({ noUnicodeString: false, maxDepth: 6 }).filter(isKept)
  fc.assert(
    fc.property(json, fc.nat(3), (value, indent) => {
      expect(jsonFault(JSON.stringify(value, null, indent))).toBeUndefined()
    }),
  )
})

it('says of any text whether it is JSON, as the parser does', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"b"',
    '1',
    '-',
    '0',
    '.5',
    'e3',
    'true',
    'null',
    ' ',
    '\n',
    '"',
    '\\',
    '//',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      expect(jsonFault(text)?.kind === 'broken').toBe(!isJson(text))
    }),
    { numRuns: 5000 },
  )
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

it('neither depth nor length is too much for it', () => {
  expect(where('['.repeat(100_000))?.slice(0, 3)).toEqual(['broken', 1, 100_001])
  expect(where(`{"a": "${'x'.repeat(5_000_000)}", "b": 1e999}`)?.slice(0, 2)).toEqual(['lost', 1])
})

describe('too many levels have their place', () => {
  it.each<[string, string, [number, number] | undefined]>([
    ['lists', '['.repeat(100_000), [1, 91]],
    ['objects on lines of their own', '{"a":\n'.repeat(5000), [91, 1]],
    ['with brackets in texts', `["${'['.repeat(200)}\\"[", "x\n${'['.repeat(91)}`, [2, 90]],
    ['as many as are taken', `${'['.repeat(90)}${']'.repeat(90)}`, undefined],
    ['side by side', `[${'[],'.repeat(500)}1]`, undefined],
    ['more closed than opened', ']'.repeat(5000), undefined],
  ])('%s', (_, text, place) => {
    const fault = depthFault(text)
    expect(fault && [fault.line, fault.column]).toEqual(place)
  })
})

it('more values than the server takes have the place of the first beyond', () => {
  const many = (count: number) => JSON.stringify({ a: Array.from({ length: count }, () => 1) })
  expect(jsonFault(many(119_897))).toBeUndefined()
  expect(where(many(119_898))).toEqual(['lost', 1, 7 + 2 * 119_897, expect.stringMatching(/119900 keys and values/)])
})
