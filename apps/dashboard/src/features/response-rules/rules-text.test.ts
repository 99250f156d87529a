import { defaultResponseRules, type ResponseRule } from '@causeway/contract'
import i18n from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import { placeOfPath } from './json-place.ts'
import {
  duplicateRule,
  freeName,
  linesOf,
  readImport,
  readRules,
  rulesText,
  usableText,
  withModifications,
} from './rules-text.ts'

beforeAll(() => i18n.init({ resources: {} }))

const rule: ResponseRule = { name: 'One', enabled: true, operator: 'AND', conditions: [], responseType: 'XRAY_JSON' }
const whole = { version: '1' as const, rules: [rule] }

test('what is stored is read from its own text, and no text means no rules', () => {
  expect(readRules(rulesText(defaultResponseRules))).toEqual({ kind: 'rules', rules: defaultResponseRules, issues: [] })
  expect(readRules(' \n')).toEqual({ kind: 'none' })
  expect([usableText(''), usableText('{'), usableText('{}'), usableText(rulesText(whole))]).toEqual([
    null,
    undefined,
    undefined,
    whole,
  ])
  expect(readRules('{\n "rules": [,] }')).toMatchObject({ kind: 'broken', line: 2 })
  expect(readRules('{"rules": 1}')).toMatchObject({ kind: 'broken' })
})

test('rules with mistakes are shown as far as they go, with each mistake at its place', () => {
  const rules = [
    { ...rule, name: '', conditions: [{ headerName: 'a b', operator: 'IS', value: 'x' }] },
    { name: 'Two', more: 1 },
  ]
  const read = readRules(JSON.stringify({ version: '1', rules }))
  expect(read).toMatchObject({
    kind: 'rules',
    rules: { rules: [{ name: '', conditions: [{ headerName: 'a b', operator: 'CONTAINS' }] }, { name: 'Two' }] },
  })
  const places = 'issues' in read ? read.issues.map(({ path }) => path.join('.')) : []
  expect(places).toEqual(
    expect.arrayContaining([
      'rules.0.name',
      'rules.0.conditions.0.headerName',
      'rules.0.conditions.0.operator',
      'rules.1.enabled',
    ]),
  )
})

const published = `{
  // rules of a catalogue
  "name": "My rules", "author": "x",
  "responseRules": { "version": "1", "rules": [
    { "name": "Happ // Android", "enabled": true, "operator": "AND", "note": "kept by its author",
      "conditions": [{ "headerName": "user-agent", "operator": "REGEX", "value": "^happ/,]", "caseSensitive": false, "id": 7 }],
      "responseType": "XRAY_JSON", /* the type */
      "responseModifications": { "headers": [{ "key": "hide-settings", "value": "1" }], "applyHeadersToEnd": true, }, },
  ] }
}`
test.each([
  ['whole, with comments, further members and a comma too many', published],
  ['a list', JSON.stringify([{ ...rule, name: 'Happ // Android' }])],
  ['one rule', JSON.stringify({ ...rule, name: 'Happ // Android' })],
  [
    'settings of a panel',
    JSON.stringify({ response: { uuid: 'x', responseRules: { rules: [{ ...rule, name: 'Happ // Android' }] } } }),
  ],
])('RULE-006: published rules are taken: %s', (_, text) => {
  const rules = readImport(text)
  expect(rules).toMatchObject([{ name: 'Happ // Android', enabled: true, responseType: 'XRAY_JSON' }])
  expect(usableText(rulesText({ version: '1', rules: rules ?? [] }))).toBeDefined()
})

test('RULE-006: of published rules every member that is known stays', () => {
  expect(readImport(published)).toEqual([
    {
      name: 'Happ // Android',
      enabled: true,
      operator: 'AND',
      conditions: [{ headerName: 'user-agent', operator: 'REGEX', value: '^happ/,]', caseSensitive: false }],
      responseType: 'XRAY_JSON',
      responseModifications: { headers: [{ key: 'hide-settings', value: '1' }], applyHeadersToEnd: true },
    },
  ])
})

test.each(['', 'happ', '{}', '[]', '[1]', '{"rules":[]}', '{"proxies":[{"name":"a"}]}'])('%j has no rules in it', (text) => {
  expect(readImport(text)).toBeUndefined()
})

test('a copy stands behind its rule under a name of its own, which is not too long', () => {
  const rules = [rule, { ...rule, name: 'One 2' }]
  expect(duplicateRule(rules, 0).map(({ name }) => name)).toEqual(['One', 'One 3', 'One 2'])
  expect(freeName([{ name: 'x'.repeat(50) }], 'x'.repeat(50))).toBe(`${'x'.repeat(48)} 2`)
})

test('modifications that say nothing are left out', () => {
  const changed = withModifications(rule, { disableHwidCheck: true, subscriptionTemplate: 'A' })
  expect(changed.responseModifications).toEqual({ disableHwidCheck: true, subscriptionTemplate: 'A' })
  expect(withModifications(changed, { disableHwidCheck: false, subscriptionTemplate: '', headers: [] })).toEqual(rule)
  expect(linesOf(' a \n\n b')).toEqual(['a', 'b'])
})

test('a place in the rules is a place in the text, however it is written', () => {
  const text = '{"version":"1",\n "rules": [\n  {"name": "a\\"]}", "n": [1, {"x": 2}], "conditions": []},\n  {"name": "b"}]}'
  expect(placeOfPath(text, ['rules', 1, 'name'])).toEqual({ line: 4, column: 12 })
  expect(placeOfPath(text, ['rules', 0, 'conditions', 0, 'value'])).toEqual({ line: 3, column: 55 })
  expect(placeOfPath(text, [])).toEqual({ line: 1, column: 1 })
})
