import { expect, test } from 'vitest'
import { appsOf, configOf, movedApp, platformsOf, withApps, withBranding, withLook } from './page-config-form.rules.ts'

const app = (name: string) => ({ mark: name, name, blocks: [] })
const text = JSON.stringify({
  unknown: { kept: true },
  version: '1',
  locales: ['en'],
  uiConfig: { own: 1, subscriptionInfoBlockType: 'hidden', installationGuidesBlockType: 'cards' },
  brandingSettings: { color: 'red', title: 'Gold', logoUrl: '', supportUrl: '' },
  platforms: {
    linux: { displayName: { en: 'Linux' }, apps: [] },
    ios: { note: 'x', displayName: { en: 'iOS' }, apps: [app('one'), app('two'), app('three')] },
  },
  baseTranslations: {},
  svgLibrary: {},
})

test('the form changes what it knows, and members that it does not know stay, in their order', () => {
  const config = configOf(text)
  if (!config) throw new Error('a configuration')
  const titled = withBranding(config, { title: 'Silver' })
  expect(JSON.stringify(titled)).toBe(text.replace('Gold', 'Silver'))
  expect(JSON.stringify(withLook(config, { installationGuidesBlockType: 'timeline' }))).toBe(
    text.replace('"installationGuidesBlockType":"cards"', '"installationGuidesBlockType":"timeline"'),
  )
  expect(platformsOf(config)).toEqual(['ios', 'linux'])
  const moved = withApps(config, 'ios', movedApp(appsOf(config, 'ios'), 2, 0))
  expect(appsOf(moved, 'ios').map(({ name, mark }) => [name, mark])).toEqual([
    ['three', 'three'],
    ['one', 'one'],
    ['two', 'two'],
  ])
  expect(JSON.stringify(withApps(moved, 'ios', movedApp(appsOf(moved, 'ios'), 0, 2)))).toBe(text)
  expect(withApps(config, 'android', [])).toBe(config)
  expect(JSON.stringify(config)).toBe(text)
})

test.each([['{"version"'], ['[]'], ['{"version":"2"}']])('%s is no configuration, and has no form', (broken) => {
  expect(configOf(broken)).toBeUndefined()
})
