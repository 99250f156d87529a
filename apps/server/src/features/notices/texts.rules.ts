import type { EventName, NoticeCondition, NoticeLanguage } from '@causeway/contract'
import { isolated } from './texts/direction.rules.ts'
import { LOCALES, reasonInWords, shortened } from './texts/reason-words.rules.ts'
import type { Texts } from './texts/texts-form.rules.ts'
import { chinese } from './texts/texts-zh.rules.ts'
import { english } from './texts/texts-en.rules.ts'
import { persian } from './texts/texts-fa.rules.ts'
import { russian } from './texts/texts-ru.rules.ts'

// Texts of notices. Names in braces are facts: those that end in At, On or Bytes are instants, days and sizes.

export type EventText = `event ${EventName}`
export type LineName = keyof Texts['lines']
export type TextName = LineName | EventText
export type Facts = Record<string, string | number>

const languages: Record<NoticeLanguage, Texts> = { en: english, ru: russian, fa: persian, zh: chinese }

export interface Reading {
  language: NoticeLanguage
  zone: string
}

/** Of sums of money. */
const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 }

export const titleOf = (condition: NoticeCondition, { language }: Reading) => languages[language].titles[condition]

/** A line of a notice in words; facts that are missing leave nothing behind. */
export function lineOf(text: TextName, facts: Facts, reading: Reading): string {
  const { lines, events } = languages[reading.language]
  const template = isEventText(text) ? events[eventOf(text)] : lines[text]
  return template
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = facts[name]
      if (value === undefined) return ''
      // Translated words are read in the direction of the line.
      const reason = name === 'reason' ? reasonInWords(String(value), reading.language) : undefined
      return reason === undefined ? isolated(valueInWords(name, value, reading), reading.language) : reason
    })
    .trim()
}

const isEventText = (text: TextName): text is EventText => text.startsWith('event ')
const eventOf = (text: EventText) => text.slice('event '.length) as EventName // the type says so, which slice() cannot

function valueInWords(name: string, value: string | number, { language, zone }: Reading): string {
  const locale = LOCALES[language]
  if (name.endsWith('On'))
    return new Intl.DateTimeFormat(locale, { timeZone: zone, dateStyle: 'medium' }).format(new Date(String(value)))
  if (name === 'at' || name.endsWith('At'))
    return new Intl.DateTimeFormat(locale, { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' }).format(
      new Date(String(value)),
    )
  if (name.endsWith('Bytes')) return sizeInWords(Number(value), locale)
  if (name === 'amount') return new Intl.NumberFormat(locale, CENTS).format(Number(value))
  if (typeof value === 'number') return new Intl.NumberFormat(locale).format(value)
  return shortened(value)
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

function sizeInWords(bytes: number, locale: string): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const shown = new Intl.NumberFormat(locale, { maximumFractionDigits: power > 1 ? 1 : 0 }).format(bytes / 1024 ** power)
  return `${shown} ${UNITS[power]}`
}
