import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import {
  conditionOperators,
  defaultResponseRules,
  responseRules,
  type ResponseRule,
  type RuleCondition,
} from '@causeway/contract'
import { compileRules } from './response-rules.rules.ts'

type Part = Partial<ResponseRule>
const rulesOf = (...parts: Part[]) => ({
  version: '1' as const,
  rules: parts.map((part, place): ResponseRule => ({
    name: `rule ${place + 1}`,
    enabled: true,
    operator: 'AND',
    conditions: [],
    responseType: 'XRAY_JSON',
    ...part,
  })),
})
const on = (operator: RuleCondition['operator'], value: string, rest: Partial<RuleCondition> = {}): RuleCondition => ({
  headerName: 'user-agent',
  operator,
  value,
  caseSensitive: false,
  ...rest,
})
const reader = (headers: Record<string, string>) => (name: string) => headers[name]
const matched = (headers: Record<string, string>, ...parts: Part[]) =>
  compileRules(rulesOf(...parts)).compiled.find(reader(headers))?.rule.name

test.each([
  ['EQUALS', 'happ/1', ['Happ/1', 'HAPP/1'], ['Happ/12', ' Happ']],
  ['NOT_EQUALS', 'happ/1', ['Happ/12'], ['Happ/1']],
  ['CONTAINS', 'APP', ['Happ/1'], ['Hap']],
  ['NOT_CONTAINS', 'APP', ['Hap'], ['Happ/1']],
  ['STARTS_WITH', 'ha', ['Happ/1'], ['xHapp']],
  ['NOT_STARTS_WITH', 'ha', ['xHapp'], ['Happ/1']],
  ['ENDS_WITH', '/1', ['Happ/1'], ['Happ/12']],
  ['NOT_ENDS_WITH', '/1', ['Happ/12'], ['Happ/1']],
  ['REGEX', '^h.pp/[0-9]$', ['Happ/1', 'hOPP/2'], ['Happ/12']],
  ['NOT_REGEX', '^h.pp/[0-9]$', ['Happ/12'], ['Happ/1']],
] as const)('RULE-001: %s %s holds, without regard to case, and never without the header', (operator, value, yes, no) => {
  const rule = { conditions: [on(operator, value)] }
  const matching = (agents: readonly string[]) => agents.filter((agent) => matched({ 'user-agent': agent }, rule) === 'rule 1')
  expect(matching(yes)).toEqual(yes)
  expect(matching(no)).toEqual([])
  expect(matched({ accept: '*/*' }, rule)).toBeUndefined()
})

test('RULE-001: the list above has every operator', () => {
  expect(conditionOperators).toHaveLength(10)
})

test('RULE-001: with regard to case both sides stay as they are', () => {
  const agent = { 'user-agent': 'Happ/1' }
  for (const [operator, hit, miss] of [
    ['EQUALS', 'Happ/1', 'happ/1'],
    ['CONTAINS', 'Ha', 'ha'],
    ['REGEX', '^H', '^h'],
  ] as const) {
    expect(matched(agent, { conditions: [on(operator, hit, { caseSensitive: true })] })).toBe('rule 1')
    expect(matched(agent, { conditions: [on(operator, miss, { caseSensitive: true })] })).toBeUndefined()
  }
})

test('RULE-001: the first enabled rule wins; AND needs all, OR one, and without conditions every request matches', () => {
  const [happ, beta] = [on('CONTAINS', 'happ'), on('EQUALS', 'beta', { headerName: 'X-Channel' })]
  const agent = { 'user-agent': 'Happ/1' }
  expect(matched(agent, { enabled: false }, { conditions: [happ] }, {})).toBe('rule 2')
  expect(matched(agent, { conditions: [happ, beta] }, { operator: 'OR', conditions: [beta, happ] })).toBe('rule 2')
  expect(matched({ ...agent, 'x-channel': 'beta' }, { conditions: [happ, beta] })).toBe('rule 1')
  expect(matched({}, { operator: 'OR' })).toBe('rule 1')
  expect(matched(agent)).toBeUndefined()
})

test('RULE-001: of each rule is told which conditions hold', () => {
  const { compiled } = compileRules(
    rulesOf({ conditions: [on('CONTAINS', 'happ'), on('EQUALS', 'x', { headerName: 'x-not-sent' }), on('CONTAINS', 'clash')] }),
  )
  expect(compiled.rules[0]?.judge(reader({ 'user-agent': 'Happ/1' }))).toEqual([true, null, false])
})

test('RULE-001: patterns that cannot be used are named by rule and condition, and never hold', () => {
  const bad = { name: 'Mine', conditions: [on('CONTAINS', 'x'), on('REGEX', '(?!happ)x')] }
  const { compiled, problems } = compileRules(
    rulesOf({}, bad, {
      conditions: [on('REGEX', '(a)\\1'), on('REGEX', '('), on('NOT_REGEX', '((x{0,60}){0,60}){0,60}')],
      responseModifications: { additionalExtendedClientsRegex: ['^ok', '['] },
    }),
  )
  expect(problems).toEqual([
    {
      path: 'rules.1.conditions.1.value',
      message: 'Rule “Mine”, condition 2: the pattern cannot be used: looking ahead or behind is not supported',
    },
    {
      path: 'rules.2.conditions.0.value',
      message: 'Rule “rule 3”, condition 1: the pattern cannot be used: references to groups are not supported',
    },
    { path: 'rules.2.conditions.1.value', message: expect.stringContaining('missing closing )') },
    { path: 'rules.2.conditions.2.value', message: expect.stringMatching(/cannot be used: /) },
    {
      path: 'rules.2.responseModifications.additionalExtendedClientsRegex.1',
      message: expect.stringContaining('Rule “rule 3”, app 2 with descriptions'),
    },
  ])
  expect(compiled.rules[1]?.isMatch(reader({ 'user-agent': 'x' }))).toBe(false)
  expect(compiled.rules[2]?.extended).toHaveLength(1)
})

test('RULE-001: no pattern stalls the server: those that blow up elsewhere take their time in proportion to the text', () => {
  const conditions = ['^(a+)+$', '^(a|aa)+$', '(.*)*x', '([a-z]+)*\\d', '(a|a?)+$'].map((value) => on('REGEX', value))
  const { compiled, problems } = compileRules(rulesOf(...conditions.map((condition) => ({ conditions: [condition] }))))
  expect(problems).toEqual([])
  const began = performance.now()
  for (let index = 0; index < 20; index++) compiled.find(reader({ 'user-agent': `${'a'.repeat(16_000)}!${index}` }))
  expect(performance.now() - began).toBeLessThan(1000)
})

test('patterns of all rules together are bounded', () => {
  const large = { conditions: [on('REGEX', '(?:[a-z]{1,100}){1,9}x')] }
  const { problems } = compileRules(rulesOf(...Array.from({ length: 30 }, () => large)))
  expect(problems.length).toBeGreaterThan(10)
  expect(problems[0]?.message).toMatch(/the patterns of all rules together are too large/)
})

test('RULE-005: of 100 rules each combination of headers is looked at once', () => {
  let reads = 0
  const many = Array.from({ length: 100 }, (_, index) => ({ conditions: [on('REGEX', `^(?:app|other)${index}/.*android`)] }))
  const { compiled } = compileRules(rulesOf(...many, {}))
  const read = (headers: Record<string, string>) => (name: string) => {
    reads++
    return headers[name]
  }
  expect(compiled.find(read({ 'user-agent': 'App99/1 android' }))?.place).toBe(99)
  expect(reads).toBeGreaterThan(90)
  reads = 0
  expect(compiled.find(read({ 'user-agent': 'App99/1 android' }))?.place).toBe(99)
  expect(compiled.find(read({ 'user-agent': 'Happ/1' }))?.place).toBe(100)
  expect(reads).toBeGreaterThan(90)
  reads = 0
  compiled.find(read({ 'user-agent': 'Happ/1' }))
  expect(reads).toBe(1)
})

test.each([
  ['Mozilla/5.0', 'text/html', 'BROWSER'],
  ['Mozilla/5.0', 'TEXT/HTML', 'XRAY_BASE64'],
  ['Mihomo/1.19', '*/*', 'MIHOMO'],
  ['FlClash/0.8', '*/*', 'MIHOMO'],
  ['koala-clash/1', '*/*', 'MIHOMO'],
  ['ClashX Meta/1', '*/*', 'MIHOMO'],
  ['my mihomo', '*/*', 'XRAY_BASE64'],
  ['Stash/3', '*/*', 'STASH'],
  ['SFA/1.12', '*/*', 'SINGBOX'],
  ['karing/1', '*/*', 'SINGBOX'],
  ['Clash/1.2', '*/*', 'CLASH'],
  ['Happ/3', '*/*', 'XRAY_BASE64'],
])('RULE-001: by the default rules %s, which accepts %s, gets %s', (agent, accept, type) => {
  expect(responseRules.safeParse(defaultResponseRules).success).toBe(true)
  const { compiled, problems } = compileRules(defaultResponseRules)
  expect(problems).toEqual([])
  expect(compiled.find(reader({ 'user-agent': agent, accept }))?.rule.responseType).toBe(type)
})

test('names twice, too many rules and headers that would break HTTP are refused at their place', () => {
  const issues = (rules: unknown) =>
    responseRules.safeParse(rules).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
  expect(issues(rulesOf({ name: 'one' }, { name: 'two' }, { name: 'one' }))).toEqual([
    'rules.2.name is the name of rule 1 as well',
  ])
  expect(issues(rulesOf(...Array.from({ length: 10_000 }, () => ({}))))).toEqual(['rules must have at most 300 entries'])
  const headers = [
    { key: 'x-a', value: 'one\r\nset-cookie: a' },
    { key: 'x a', value: 'b' },
    { key: 'Cache-Control', value: 'public' },
  ]
  expect(issues(rulesOf({ responseModifications: { headers } }))).toEqual([
    'rules.0.responseModifications.headers.0.value must not contain line breaks and other control characters',
    expect.stringContaining('rules.0.responseModifications.headers.1.key header names may contain only'),
    'rules.0.responseModifications.headers.2.key Cache-Control is set by the server and cannot be replaced',
  ])
  expect(issues(rulesOf({ responseModifications: { excludeHostsByTags: [] } }))).toEqual([
    'rules.0.responseModifications.excludeHostsByTags must name at least one tag',
  ])
  const encryption = { method: 'age1' as const, key: 'age1pq1xyz' }
  expect(issues(rulesOf({ responseModifications: { encryption } }))).toEqual([
    'rules.0.responseModifications.encryption.key must begin with age1, as keys of this method do',
  ])
})

test.each([
  ['[Cc]lash-?[Mm]eta|clash.meta', 'ClashMeta/2'],
  ['^(?:FlClashX?|Flowvy|Murge|Mihomo|Clash(?:-Verge|-Nyanpasu|X Meta|[-.]?Meta))', 'clash.meta'],
  ['^sfa|sfi|sfm|sft|karing|singbox|rabbithole', 'RabbitHole/1'],
  ['^(SFA|SFI|[Kk]aring|[Hh]iddify[Nn]ext)|.*[Ss]ing[\\-b]?ox.*', 'my singbox'],
  ['^(?:Happ|Incy|v2plus|Streisand|FoXray|V2Box|V2rayN)', 'INCY/2'],
  ['^happ\\/\\d+\\.\\d+', 'Happ/3.5'],
])('RULE-006: the published pattern %s is taken, and finds %s', (value, agent) => {
  const { compiled, problems } = compileRules(rulesOf({ conditions: [on('REGEX', value)] }))
  expect(problems).toEqual([])
  expect(compiled.find(reader({ 'user-agent': agent }))).toBeDefined()
})
