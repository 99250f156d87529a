import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isHarmfulLink, pageConfigProblems, toPageConfig } from './page-config.ts'

const text = { en: 'a', fa: 'b', ru: 'c' }
const button = { buttonLink: 'https://example.com', buttonText: text }
const app = {
  id: 'an-app',
  name: 'App',
  isFeatured: true,
  urlScheme: 'app://add/',
  installationStep: { description: text, buttons: [button] },
  addSubscriptionStep: { description: text },
  connectAndUseStep: { description: text },
}
const extra = { title: text, description: text, buttons: [] }
const problemsOf = (change: Record<string, unknown>) => pageConfigProblems({ ios: [{ ...app, ...change }], android: [], pc: [] })

it('SPB-009 SPB-015 SPB-016 SPB-017 SPB-018 SPB-020 three lists of apps with their steps, texts in three languages and buttons', () => {
  const whole = {
    ...app,
    isNeedBase64Encoding: false,
    additionalBeforeAddSubscriptionStep: extra,
    additionalAfterAddSubscriptionStep: extra,
  }
  const config = { ios: [whole], android: [app], pc: [] }
  expect(pageConfigProblems(config)).toEqual([])
  expect(toPageConfig({ ...config, unknown: 1 })).toEqual(config)
})

describe('what is wrong is told by place', () => {
  it.each([
    ['SPB-030', null, ['config: must be an object']],
    ['SPB-030', [], ['config: must be an object']],
    ['SPB-031 SPB-043', { ios: {}, android: [] }, ['config.ios: must be an array', 'config.pc: must be an array']],
    [
      'SPB-032',
      { ios: [5], android: [[]], pc: [null] },
      ['config.ios[0]: must be an object', 'config.android[0]: must be an object', 'config.pc[0]: must be an object'],
    ],
  ])('%s %j', (_, config, problems) => expect(pageConfigProblems(config)).toEqual(problems))

  it.each([
    ['SPB-033 SPB-043', { id: 'App' }, 'id: must start with a lowercase letter'],
    ['SPB-033', { id: '1a' }, 'id: must start with a lowercase letter'],
    ['SPB-033', { id: 5 }, 'id: must be a string'],
    ['SPB-034', { name: undefined }, 'name: must be a string'],
    ['SPB-035', { isFeatured: 'true' }, 'isFeatured: must be a boolean'],
    ['SPB-036', { urlScheme: null }, 'urlScheme: must be a string'],
    ['SPB-037', { isNeedBase64Encoding: 1 }, 'isNeedBase64Encoding: must be a boolean'],
    ['SPB-038', { installationStep: undefined }, 'installationStep: must be an object'],
    ['SPB-038', { installationStep: { description: text } }, 'installationStep.buttons: must be an array'],
    ['SPB-038', { installationStep: { buttons: [] } }, 'installationStep.description: must be an object'],
    ['SPB-039', { addSubscriptionStep: undefined }, 'addSubscriptionStep: must be an object'],
    ['SPB-039', { connectAndUseStep: {} }, 'connectAndUseStep.description: must be an object'],
    [
      'SPB-040',
      { additionalBeforeAddSubscriptionStep: { ...extra, title: undefined } },
      'additionalBeforeAddSubscriptionStep.title: must be an object',
    ],
    [
      'SPB-040',
      { additionalAfterAddSubscriptionStep: { ...extra, buttons: 5 } },
      'additionalAfterAddSubscriptionStep.buttons: must be an array',
    ],
    ['SPB-040', { additionalAfterAddSubscriptionStep: null }, 'additionalAfterAddSubscriptionStep: must be an object'],
    [
      'SPB-041',
      { installationStep: { description: text, buttons: [{ ...button, buttonLink: ' ' }] } },
      'installationStep.buttons[0].buttonLink: must be a non-empty string',
    ],
    [
      'SPB-042',
      { addSubscriptionStep: { description: { ...text, fa: '' } } },
      'addSubscriptionStep.description.fa: must not be empty',
    ],
    [
      'SPB-042',
      { addSubscriptionStep: { description: { en: 'a', fa: 'b' } } },
      'addSubscriptionStep.description.ru: must be a string',
    ],
    [
      'SPB-042',
      { installationStep: { description: text, buttons: [{ ...button, buttonText: 'a' }] } },
      'installationStep.buttons[0].buttonText: must be an object',
    ],
    ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }, 'name: must have at most 2000 characters'],
    ['a link that runs', { urlScheme: 'javascript:alert(1)//' }, 'urlScheme: must not be a link that a browser runs'],
  ])('%s', (_, change, problem) => expect(problemsOf(change)).toEqual([`config.ios[0].${problem}`]))

  it('in a list that stays readable, however much is wrong', () => {
    expect(pageConfigProblems({ ios: Array.from({ length: 50 }, () => ({})), android: [], pc: [] })).toHaveLength(200)
    expect(pageConfigProblems({ ios: Array.from({ length: 1e5 }, () => ({})), android: [], pc: [] })).toEqual([
      'config.ios: must have at most 50 apps',
    ])
  })
})

describe('links', () => {
  it.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:x',
    'java\nscript:x',
    '\u0001javascript:x',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
  ])('%j is harmful', (link) => expect(isHarmfulLink(link)).toBe(true))
  it.each(['https://example.com', 'happ://add/', 'intent://scan/#Intent;end', 'itms-apps://x', '/path', 'text'])(
    '%j is not',
    (link) => expect(isHarmfulLink(link)).toBe(false),
  )
})

it('nothing that is checked takes the checker down, and what passes has the right form', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const config = toPageConfig(value)
      expect(config === undefined).toBe(pageConfigProblems(value).length > 0)
    }),
  )
})

it('apps of one platform have ids of their own; a page from before that rule stays readable', () => {
  const config = { ios: [app, { ...app, id: 'other' }, app], android: [app], pc: [] }
  expect(pageConfigProblems(config)).toEqual(['config.ios[2].id: is the id of config.ios[0] too; choose another'])
  expect(toPageConfig(config)?.ios).toHaveLength(3)
})
