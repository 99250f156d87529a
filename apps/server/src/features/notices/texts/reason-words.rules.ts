import type { NoticeLanguage } from '@causeway/contract'
import { isolated } from './direction.rules.ts'
import { reasons } from './reasons.rules.ts'

/** Names and reasons may be of any length; a line is read on a phone. */
const LONGEST_VALUE = 160

export const LOCALES: Readonly<Record<NoticeLanguage, string>> = { en: 'en-GB', ru: 'ru', fa: 'fa', zh: 'zh' }

/** `The agent could not do {{call}}: {{reason}}` finds what was put in. */
const patterns = Object.values(reasons).map((texts) => ({ texts, pattern: patternOf(texts.said ?? texts.en) }))

function patternOf(template: string): RegExp {
  const parts = template.split(/\{\{(\w+)(?:, \w+)?\}\}/)
  const source = parts.map((part, place) =>
    place % 2 === 0 ? part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`) : `(?<${part}>.+?)`,
  )
  return new RegExp(`^${source.join('')}$`, 's')
}

/** A stored reason in the language of a notice; undefined where it has no other words than its own. */
export function reasonInWords(said: string, language: NoticeLanguage): string | undefined {
  for (const { texts, pattern } of patterns) {
    const found = pattern.exec(said)
    if (!found) continue
    return texts[language].replaceAll(/\{\{(\w+)(, number)?\}\}/g, (_, name: string, isNumber?: string) => {
      const value = found.groups?.[name] ?? ''
      if (isNumber !== undefined && Number.isFinite(Number(value)))
        return new Intl.NumberFormat(LOCALES[language]).format(Number(value))
      return (name === 'reason' ? reasonInWords(value, language) : undefined) ?? isolated(shortened(value), language)
    })
  }
  return undefined
}

export const shortened = (text: string) =>
  text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE).toWellFormed()}…` : text
