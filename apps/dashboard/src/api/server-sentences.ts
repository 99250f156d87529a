import i18n from 'i18next'
import type api from '../../public/locales/en/api.json'

interface Sentence {
  name: string
  pattern: RegExp
}

/** `A node named "{{name}}" exists.` finds what the server has put in. */
function patternOf(template: string): RegExp {
  const parts = template.split(/\{\{(\w+)(?:, \w+)?\}\}/)
  const pattern = parts.map((part, place) => (place % 2 === 0 ? escapeRegExp(part) : `(?<${part}>.+?)`))
  return new RegExp(`^${pattern.join('')}$`, 's')
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
}

let sentences: readonly Sentence[] | undefined

/** The English texts are what the server says, word for word; only they can tell which sentence it is. */
function knownSentences(): readonly Sentence[] {
  if (sentences) return sentences
  const english: typeof api | undefined = i18n.getResourceBundle('en', 'api')
  if (!english) return []
  sentences = Object.entries(english.server).map(([name, template]) => ({ name, pattern: patternOf(template) }))
  return sentences
}

/** A sentence of the server or an agent in the reader's language; unknown sentences stay as they are. */
export function inOurWords(said: string): string {
  if (i18n.resolvedLanguage === 'en') return said
  for (const { name, pattern } of knownSentences()) {
    const found = pattern.exec(said)
    if (!found) continue
    const { reason, ...others } = found.groups ?? {}
    // Reasons are sentences themselves.
    const values = { ...others, ...(reason === undefined ? {} : { reason: inOurWords(reason) }) }
    return i18n.t(`api:server.${name}`, { defaultValue: said, ...values })
  }
  return said
}
