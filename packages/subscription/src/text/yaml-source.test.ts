import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import { defaultTemplates } from '../default-templates/default-templates.ts'
import { parseYaml } from './yaml-source.ts'

describe('what grows by itself is refused before it has grown', () => {
  const bomb = (width: number, levels: number) =>
    [
      'a0: &a0 lol',
      ...Array.from({ length: levels }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(width).fill(`*a${n}`).join()}]`),
    ].join('\n')
  test.each([
    ['aliases of aliases', bomb(9, 9), /written out it has more than \d+ characters/],
    ['many aliases of something long', `a: &a ${'x'.repeat(200_000)}\nb: [*a, *a, *a, *a]`, /it has more than \d+ characters/],
    ['too many aliases', `a: &a 1\nb: [${Array(101).fill('*a').join()}]`, /^More than 100 aliases at line 2$/],
    ['an alias of itself', 'a: &a [*a]', /^The alias \*a stands for nothing before it at line 1$/],
    ['very deep lists', `a: ${'['.repeat(100_000)}`, /^Lists and maps lie too deep within each other/],
    ['very deep keys', '? '.repeat(20_000), /^Lists and maps lie too deep within each other/],
    ['very deep maps', `${'{a: '.repeat(5000)}1${'}'.repeat(5000)}`, /^Lists and maps lie too deep within each other/],
  ])('%s', (_, source, message) => {
    expect(() => parseYaml(source)).toThrow(message)
  })
})

describe('what is wrong is told with its place', () => {
  test.each([
    ['mode: rule\nmode: global', 'The key mode stands twice at line 2'],
    ['a:\n  b: 1\n  c: {b: 1, b: 2}', 'The key b stands twice at line 3'],
    ['a: b\nc: d: e', /at line 2/],
    ['a: [1, 2', /at line 1/],
    ['a: *nowhere', 'The alias *nowhere stands for nothing before it at line 1'],
  ])('%j', (source, message) => {
    expect(() => parseYaml(source)).toThrow(message)
  })
})

test('reads what the parser reads by itself', () => {
  const merged = 'a: &a {x: 1, y: [2, ~]}\nb: {<<: *a, y: 3}\nc: *a\nd: 2001-01-01\n1: one'
  const yamls = Object.values(defaultTemplates).flatMap(({ templateYaml }) => templateYaml ?? [])
  for (const source of [merged, ...yamls]) expect(parseYaml(source)).toEqual(parse(source, { merge: true }))
})
