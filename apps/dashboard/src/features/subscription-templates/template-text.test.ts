import type { SubscriptionTemplate } from '@causeway/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { languageOf, placeIn, toInput, toText } from './template-text.ts'

const uuid = '00000000-0000-4000-8000-000000000001'
const yaml = (text: string): SubscriptionTemplate => ({
  uuid,
  templateType: 'MIHOMO',
  templateJson: null,
  encodedTemplateYaml: Buffer.from(text).toString('base64'),
})

test.each([
  ['XRAY_JSON', 'json'],
  ['MIHOMO', 'yaml'],
  ['SINGBOX_LEGACY', 'json'],
  ['SINGBOX', 'json'],
  ['STASH', 'yaml'],
  ['CLASH', 'yaml'],
] as const)('TMPL-033 TMPL-034: %s is edited as %s', (type, language) => {
  expect(languageOf(type)).toBe(language)
})

test('TMPL-033: whatever YAML says, it comes back as it was written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(toInput('MIHOMO', toText(yaml(text)))).toEqual({
        templateType: 'MIHOMO',
        encodedTemplateYaml: Buffer.from(text).toString('base64'),
      })
    }),
  )
})

test('TMPL-034 TMPL-045: JSON is shown with two spaces and sent as an object', () => {
  const templateJson = { b: [1], a: { c: null } }
  const text = toText({ uuid, templateType: 'SINGBOX', templateJson, encodedTemplateYaml: null })
  expect(text).toBe('{\n  "b": [\n    1\n  ],\n  "a": {\n    "c": null\n  }\n}')
  expect(toInput('SINGBOX', text)).toEqual({ templateType: 'SINGBOX', templateJson })
})

test.each([
  ['cannot be used: The key mode stands twice at line 2', { line: 2, column: 1 }],
  ['broken at line 7, column 3', { line: 7, column: 3 }],
  ['too long', undefined],
])('%j is about %j', (sentence, place) => {
  expect(placeIn(sentence)).toEqual(place)
})
