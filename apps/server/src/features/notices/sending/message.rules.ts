import type { NoticeCondition, NoticeLanguage } from '@causeway/contract'
import { lineOf, titleOf, type Facts, type Reading, type TextName } from '../texts.rules.ts'

// Messages hold the notices that are sent together, as each way shows them.

/** Lines of a message; the rest is counted. */
export const MOST_LINES = 15

export interface Message {
  title: string
  lines: { text: string; url: string | null }[]
}

interface Held {
  condition: NoticeCondition
  text: TextName
  facts: Facts
}

/** Notices in words. `total` counts those that have no line too; `origin` is where the panel is reached. */
export function messageOf(held: readonly Held[], total: number, origin: string | null, reading: Reading): Message {
  const lines = held.map(({ text, facts }) => ({ text: lineOf(text, facts, reading), url: linkOf(origin, facts) }))
  const more = total - held.length
  if (more > 0) lines.push({ text: lineOf('more', { count: more }, reading), url: null })
  return { title: titleInWords(held, total, reading), lines }
}

function titleInWords(held: readonly Held[], total: number, reading: Reading): string {
  const [first] = held
  const isOneKind = first !== undefined && held.every(({ condition }) => condition === first.condition)
  const title = isOneKind ? titleOf(first.condition, reading) : lineOf('together', {}, reading)
  const isCounted = total > 1 && first?.condition !== 'weekSummary'
  return isCounted ? lineOf('several', { title, count: total }, reading) : title
}

function linkOf(origin: string | null, { path }: Facts): string | null {
  return origin === null || typeof path !== 'string' ? null : `${origin}${path}`
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const linked = ({ text, url }: Message['lines'][number]) =>
  url === null ? escaped(text) : `<a href="${escaped(url)}">${escaped(text)}</a>`

/** Chats refuse longer texts. Counted without tags, and with room for what is not counted exactly. */
const LONGEST_CHAT_TEXT = 3800

/** The HTML that chats know: few tags, and line breaks as such. Lines that do not fit are left out with an ellipsis. */
export function chatHtml({ title, lines }: Message): string {
  const fitting: string[] = []
  let length = title.length
  for (const line of lines) {
    length += line.text.length + 1
    if (length > LONGEST_CHAT_TEXT) {
      fitting.push('…')
      break
    }
    fitting.push(linked(line))
  }
  return [`<b>${escaped(title)}</b>`, ...fitting].join('\n')
}

export function subjectOf({ title, lines }: Message): string {
  const [only, ...more] = lines
  return (more.length === 0 && only !== undefined ? only.text : title).replaceAll(/[\r\n]+/g, ' ')
}

export function plainText({ title, lines }: Message): string {
  const written = lines.map(({ text, url }) => (url === null ? text : `${text}\n${url}`))
  return `${[title, ...written].join('\n\n')}\n`
}

export function mailHtml(message: Message, language: NoticeLanguage): string {
  const items = message.lines.map((line) => `<li style="margin:0 0 8px">${linked(line)}</li>`).join('')
  const direction = language === 'fa' ? 'rtl' : 'ltr'
  return `<!doctype html><html lang="${language}" dir="${direction}"><body style="font:15px/1.5 sans-serif"><h2 style="font-size:17px">${escaped(message.title)}</h2><ul style="padding-inline-start:20px">${items}</ul></body></html>`
}
