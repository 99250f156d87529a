import { expect, test } from 'vitest'
import { chatHtml, mailHtml, MOST_LINES, messageOf, plainText, subjectOf } from './message.rules.ts'

const reading = { language: 'en', zone: 'UTC' } as const
const down = (name: string) =>
  ({ condition: 'nodeDown', text: 'nodeLost', facts: { name, sinceAt: '2026-11-26T12:00:00Z', path: '/nodes?a=1&b=2' } }) as const

test('NOTE-003 names cannot write HTML, and links are escaped', () => {
  const message = messageOf([down('<b>&"x"')], 1, 'https://panel.example.com', reading)
  const link = '<a href="https://panel.example.com/nodes?a=1&amp;b=2">Node &lt;b&gt;&amp;&quot;x&quot; is down since'
  expect(chatHtml(message)).toContain(link)
  expect(mailHtml(message, 'en')).toContain(link)
  expect(plainText(message)).toContain('https://panel.example.com/nodes?a=1&b=2')
  expect(subjectOf(message)).toContain('Node <b>&"x" is down since')
})

test('NOTE-003 mail in Persian is read from right to left, and without an address of the panel there is no link', () => {
  const message = messageOf([down('Warsaw')], 1, null, { ...reading, language: 'fa' })
  expect(mailHtml(message, 'fa')).toContain('lang="fa" dir="rtl"')
  expect(message.lines[0]?.url).toBeNull()
})

test('NOTE-002 many notices are counted, and fit into what chats take however long their names are', () => {
  const held = Array.from({ length: MOST_LINES }, () => down('n'.repeat(5000)))
  const message = messageOf(held, 100_000, 'https://panel.example.com', reading)
  expect(message.title).toBe('Nodes: 100,000')
  expect(message.lines.at(-1)?.text).toBe('And 99,985 more.')
  const visible = chatHtml({ ...message, lines: message.lines.map(({ text }) => ({ text: text.repeat(3), url: null })) })
  expect(visible.length).toBeLessThan(4096)
  expect(visible.endsWith('…')).toBe(true)
})

test('a subject is one line', () => {
  expect(subjectOf({ title: 'a', lines: [{ text: 'one\r\nBcc: other@example.com', url: null }] })).toBe(
    'one Bcc: other@example.com',
  )
})
