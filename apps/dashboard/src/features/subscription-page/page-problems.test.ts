import { createInstance } from 'i18next'
import { expect, it } from 'vitest'
import en from '../../../public/locales/en/subscription-page.json'
import { problemsInWords } from './page-problems.ts'

const i18n = createInstance()
await i18n.init({ lng: 'en', resources: { en: { 'subscription-page': en } }, interpolation: { escapeValue: false } })
const t = i18n.getFixedT('en', 'subscription-page')

const text = { en: 'a', fa: 'b', ru: 'c' }
const step = { description: text }
const app = {
  id: 'happ',
  name: 'Happ',
  isFeatured: false,
  urlScheme: 'happ://add/',
  installationStep: { ...step, buttons: [{ buttonLink: 'https://a.example', buttonText: text }] },
  addSubscriptionStep: step,
  connectAndUseStep: step,
}
const problemsOf = (change: object) => problemsInWords(t, { ios: [], android: [app, { ...app, id: 'other', ...change }], pc: [] })

it('nothing is said of a configuration without problems', () => {
  expect(problemsOf({})).toEqual([])
})

it.each<[object, string]>([
  [{ id: 'Happ' }, 'ID: must start with a lowercase letter'],
  [{ id: 'happ' }, 'ID: is the ID of app 1 (Happ) too; choose another'],
  [{ urlScheme: 'javascript:' }, 'URL scheme: must not be a link that a browser runs'],
  [{ urlScheme: 'a'.repeat(2001) }, 'URL scheme: must have at most 2,000 characters'],
  [{ connectAndUseStep: { description: { ...text, fa: ' ' } } }, 'Connecting › Description › Persian: must not be empty'],
  [
    { installationStep: { ...step, buttons: [{ buttonLink: '', buttonText: text }] } },
    'Installation › Button 1 › Link: must not be empty',
  ],
  [
    { additionalBeforeAddSubscriptionStep: { ...step, title: { ...text, en: '' }, buttons: [] } },
    'Step before adding › Title › English: must not be empty',
  ],
  [{ isFeatured: 'yes' }, 'Recommended: does not have the expected form'],
])('%j is said in the words of the field', (change, said) => {
  expect(problemsOf(change)).toEqual([`Android › app 2 (Happ) › ${said}`])
})

it('an app without a name is told by its number, and an unknown place as it is written', () => {
  expect(problemsOf({ name: '', id: 'X' })).toEqual(['Android › App 2 › ID: must start with a lowercase letter'])
  expect(problemsInWords(t, 5)).toEqual(['config: must be an object'])
})
