import i18n from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import en from '../../public/locales/en/api.json' with { type: 'json' }
import { inOurWords } from './server-sentences.ts'

beforeAll(async () => {
  const server = {
    nodeNameTaken: 'Сервер «{{name}}» уже есть.',
    agentFailed: 'Агент не смог выполнить {{call}}: {{reason}}',
    xrayOff: 'Xray не запущен.',
    silent: '{{address}} не ответил на {{call}} за {{seconds, number}} с.',
  }
  await i18n.init({ lng: 'ru', fallbackLng: 'en', resources: { en: { api: en }, ru: { api: { server } } } })
})

it('a sentence of the server is told in the reader’s language, with what the server has put in', () => {
  expect(inOurWords('A node named "A (b) C" exists already. Choose another name.')).toBe('Сервер «A (b) C» уже есть.')
  expect(inOurWords('warsaw.example.com:2222 did not answer /node/xray/start within 60 seconds.')).toBe(
    'warsaw.example.com:2222 не ответил на /node/xray/start за 60 с.',
  )
})

it('a reason within a sentence is told too, or kept as it was said', () => {
  const because = (reason: string) => inOurWords(`The agent could not do /node/stats: ${reason}`)
  expect(because('Xray is not running.')).toBe('Агент не смог выполнить /node/stats: Xray не запущен.')
  expect(because('main: failed\nto load')).toBe('Агент не смог выполнить /node/stats: main: failed\nto load')
})

it('what nobody has words for stays as it was said, and so does everything in English', async () => {
  expect(inOurWords('No such sentence.')).toBe('No such sentence.')
  await i18n.changeLanguage('en')
  expect(inOurWords('A node named "A" exists already. Choose another name.')).toBe(
    'A node named "A" exists already. Choose another name.',
  )
  await i18n.changeLanguage('ru')
})
