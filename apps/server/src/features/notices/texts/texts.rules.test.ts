import { expect, test } from 'vitest'
import { lineOf, type Facts, type TextName } from '../texts.rules.ts'

const line = (language: 'en' | 'ru' | 'fa' | 'zh', text: TextName, facts: Facts) => lineOf(text, facts, { language, zone: 'UTC' })
const REFUSED = '10.0.0.1:2222 refused the connection (ECONNREFUSED). Check that the agent runs there and listens on this port.'
const FAILED = 'The agent could not do /node/stats: Xray is not running.'

test.each<['en' | 'ru' | 'fa' | 'zh', string, string]>([
  ['en', REFUSED, `Node Warsaw lost its connection. ${REFUSED}`],
  [
    'ru',
    REFUSED,
    'Узел Warsaw потерял связь. 10.0.0.1:2222 отказал в соединении (ECONNREFUSED). Проверьте, что агент там запущен и слушает этот порт.',
  ],
  [
    'fa',
    REFUSED,
    'اتصال نود \u2068Warsaw\u2069 قطع شد. \u206810.0.0.1:2222\u2069 اتصال را نپذیرفت (\u2068ECONNREFUSED\u2069). ببینید عامل آنجا اجراست و به این پورت گوش می‌دهد.',
  ],
  ['zh', FAILED, '节点 Warsaw 已断开。代理程序无法执行 /node/stats：Xray 未在运行。'],
  ['fa', FAILED, 'اتصال نود \u2068Warsaw\u2069 قطع شد. عامل نتوانست \u2068/node/stats\u2069 را انجام دهد: Xray اجرا نیست.'],
  ['ru', 'main: failed to load', 'Узел Warsaw потерял связь. main: failed to load'],
])('NOTE-003 reasons are in the language of the notice: %s, %s', (language, reason, said) => {
  expect(line(language, 'event node.connection_lost', { name: 'Warsaw', reason })).toBe(said)
})

test('NOTE-003 reasons of refused sign-ins are sentences in every language', () => {
  const facts = { name: 'admin', address: '198.51.100.7', reason: 'wrong password' }
  expect(line('en', 'signInRefused', facts)).toBe('A sign-in as admin from 198.51.100.7 was refused. The password was wrong.')
  expect(line('zh', 'signInRefused', facts)).toBe('以 admin 的身份从 198.51.100.7 登录被拒绝。密码错误。')
})

test('NOTE-003 figures of one line have the digits of its language, also within reasons and sums', () => {
  const silent = 'node.example:2222 did not answer /node/stats within 60 seconds.'
  const persian = line('fa', 'nodeLost', { name: 'Warsaw', sinceAt: '2026-11-26T12:00:00Z', reason: silent })
  expect(persian.replaceAll(/\u2068[^\u2069]*[a-z][^\u2069]*\u2069/gi, '')).not.toMatch(/\d/)
  expect(persian).toContain('۶۰ ثانیه')
  expect(line('fa', 'weekMoney', { amount: '1012.50', due: '–' })).toContain('۱٬۰۱۲٫۵۰')
  expect(line('en', 'weekMoney', { amount: '12.50', due: '–' })).toContain('Paid: 12.50.')
})

test('NOTE-003 a name turns nothing round: overrides are left out, and its own direction ends with it', () => {
  const name = 'abc\u202Ecba\u2069\u2066'
  expect(line('en', 'userLimited', { name })).toBe('abccba has used up the traffic.')
  expect(line('fa', 'userLimited', { name })).toBe('ترافیک \u2068abccba\u2069 تمام شد.')
  expect(line('en', 'userLimited', { name: 'آنا 1' })).toBe('\u2068آنا 1\u2069 has used up the traffic.')
})
