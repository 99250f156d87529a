import { expect, test } from 'vitest'
import type { TemplateType } from '@causeway/contract'
import {
  compileTemplate,
  compileTemplates,
  defaultTemplates,
  formatOfClientType,
  renderedSize,
  renderSubscription,
  sizeProblem,
  type TemplateSource,
} from '@causeway/subscription'
import { placeholder } from './placeholders.ts'

const types = Object.keys(defaultTemplates) as TemplateType[] // the keys of a record over exactly these types
const clients = { MIHOMO: 'mihomo', STASH: 'stash', CLASH: 'clash', XRAY_JSON: 'json', SINGBOX: 'singbox' } as const
const yaml = (templateYaml: string): TemplateSource => ({ templateYaml, templateJson: null })
const json = (templateJson: unknown): TemplateSource => ({ templateYaml: null, templateJson })
const problemOf = (type: TemplateType, source: TemplateSource, count = 1, nameLength = 20) =>
  sizeProblem(type, compileTemplate(type, source), { count, nameLength })

test.each(types)('the size foretold of a subscription by the shipped %s template is the size that it has', (type) => {
  const format = type === 'SINGBOX_LEGACY' ? ({ kind: 'sing-box', version: null } as const) : formatOfClientType(clients[type])
  const template = compileTemplate(type, defaultTemplates[type])
  const entries = Array.from({ length: 73 }, (_, index) => ({
    ...placeholder(`name ${100 + index}`),
    protocol: 'trojan' as const,
    network: 'tcp',
    address: 'server.example.com',
    port: 443,
  }))
  const templates = Object.assign(compileTemplates({}), { [type]: template })
  const { body } = renderSubscription(format, entries, { templates, isHapp: false, random: () => 0 })
  const foretold = renderedSize(type, template, { count: 73, nameLength: 'name 100'.length })
  // Names with blanks and digits are written as the letters of the trial are, or in quotes.
  expect(Math.abs(body.length - foretold)).toBeLessThan(body.length / 100)
})

test.each(types)('the shipped %s template is taken with any number of servers', (type) => {
  expect(problemOf(type, defaultTemplates[type])).toBeUndefined()
  expect(problemOf(type, defaultTemplates[type], 5000, 40)).toBeUndefined()
})

test('groups beyond all measure are refused by a sentence with the numbers, for few servers too', () => {
  const groups = (count: number) => yaml(`proxy-groups:\n${'  - name: a\n'.repeat(count)}`)
  const sentence =
    /^With 50 servers a subscription would have \d+ characters, and 1000000 are the most\. Use fewer groups, or add servers to fewer of them\.$/
  for (const type of ['MIHOMO', 'STASH', 'CLASH'] as const) {
    expect(problemOf(type, groups(9000))).toMatch(sentence)
    expect(problemOf(type, groups(1000))).toMatch(sentence)
    expect(problemOf(type, groups(500))).toBeUndefined()
  }
  expect(problemOf('CLASH', groups(500), 200)).toMatch(/^With 200 servers/)
  const selectors = (length: number) => json({ outbounds: Array.from({ length }, () => ({ type: 'selector', outbounds: null })) })
  for (const type of ['SINGBOX', 'SINGBOX_LEGACY'] as const) {
    expect(problemOf(type, selectors(1000))).toMatch(sentence)
    expect(problemOf(type, selectors(100))).toBeUndefined()
  }
})

test('what is repeated for each server, and what grows by its depth, is refused', () => {
  expect(problemOf('XRAY_JSON', json({ log: 'x'.repeat(50_000) }))).toMatch(/Shorten it: it is repeated for each server\.$/)
  expect(problemOf('XRAY_JSON', json({ log: 'x'.repeat(15_000) }))).toBeUndefined()
  const deep = JSON.parse(`${'['.repeat(90)}1${']'.repeat(90)}`) as unknown
  expect(problemOf('SINGBOX', json({ route: Array.from({ length: 1000 }, () => deep) }))).toMatch(/characters/)
})
