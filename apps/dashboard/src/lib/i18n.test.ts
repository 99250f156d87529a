import { expect, it } from 'vitest'
import { DETECTION_ORDER, directionOf } from './i18n.ts'

it('SHELL-071 the language is looked for in storage, browser, html tag, path and subdomain, in this order', () => {
  expect(DETECTION_ORDER).toEqual(['localStorage', 'navigator', 'htmlTag', 'path', 'subdomain'])
})

it('only Persian is written from right to left', () => {
  expect(['en', 'ru', 'fa', 'zh'].map(directionOf)).toEqual(['ltr', 'ltr', 'rtl', 'ltr'])
})
