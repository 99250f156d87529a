import i18n from 'i18next'
import { beforeAll, expect, it, vi } from 'vitest'

const stored = new Map<string, string>()
const browser = { languages: ['de', 'ru-RU'], language: 'de' }
const page = { documentElement: { lang: 'fa' } }
const address = { pathname: '/zh/dashboard', hostname: 'en.example.com', search: '', hash: '' }

// For the whole file: what the module has begun may end later.
beforeAll(() => {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
  vi.stubGlobal('location', address)
  vi.stubGlobal('navigator', browser)
  vi.stubGlobal('document', page)
})

it('SHELL-071 the language is looked for in storage, browser, html tag, path and subdomain, in this order', async () => {
  await import('./texts.ts')
  await vi.waitUntil(() => i18n.services.languageDetector !== undefined)
  const detect = (): string => i18n.services.languageDetector.detect()
  stored.set('i18nextLng', 'zh')
  expect(detect()).toBe('zh')
  stored.clear()
  expect(detect()).toBe('ru-RU')
  browser.languages = []
  browser.language = ''
  expect(detect()).toBe('fa')
  page.documentElement.lang = ''
  expect(detect()).toBe('zh')
  address.pathname = '/'
  expect(detect()).toBe('en')
})

it('only Persian is written from right to left', async () => {
  const { directionOf } = await import('../lib/languages.ts')
  expect(['en', 'ru', 'fa', 'zh'].map(directionOf)).toEqual(['ltr', 'ltr', 'rtl', 'ltr'])
})
