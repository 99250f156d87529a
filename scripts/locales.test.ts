import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { textTypes, writtenTextTypes } from './text-types.ts'
import { kindNames } from '../apps/server/src/jobs/kinds.ts'
import { reasons } from '../apps/server/src/features/notices/texts/reasons.rules.ts'
import { registered } from '../apps/server/src/schedule.ts'

const LANGUAGES = ['en', 'ru', 'fa', 'zh'] as const
type Language = (typeof LANGUAGES)[number]
type Texts = Map<string, string>

const root = path.resolve(import.meta.dirname, '..')
const folder = path.join(root, 'apps/dashboard/public/locales')
const PLURAL = /_(zero|one|two|few|many|other)$/

/** Every text of a language under its file and key, `users:status.ACTIVE`. */
function textsOf(language: Language): Texts {
  const files = globSync('*.json', { cwd: path.join(folder, language) })
  const entries = files.flatMap((file) => {
    const content: unknown = JSON.parse(readFileSync(path.join(folder, language, file), 'utf8'))
    return flat(content, `${path.basename(file, '.json')}:`)
  })
  return new Map(entries)
}

function flat(value: unknown, prefix: string): [string, string][] {
  if (typeof value === 'string') return [[prefix, value]]
  if (typeof value !== 'object' || value === null) throw new Error(`${prefix} is no text`)
  return Object.entries(value).flatMap(([key, inner]) => flat(inner, prefix.endsWith(':') ? prefix + key : `${prefix}.${key}`))
}

const texts = Object.fromEntries(LANGUAGES.map((language) => [language, textsOf(language)])) as Record<Language, Texts> // one per language
/** A key without its plural form; only where the plural forms are meant, as they always have the general one. */
const isPlural = (key: string, all: Texts) => PLURAL.test(key) && all.has(key.replace(PLURAL, '_other'))
const baseOf = (key: string, all: Texts) => (isPlural(key, all) ? key.replace(PLURAL, '') : key)
const inEnglish = (key: string) => texts.en.get(key) ?? texts.en.get(key.replace(PLURAL, '_other')) ?? ''
const placeholders = (text: string) =>
  [
    ...new Set(
      Array.from(text.matchAll(/\{\{\s*([^,}\s]+)|\$t\(([^)]+)\)|<(\/?\w+)/g), (found) => found[1] ?? found[2] ?? found[3] ?? ''),
    ),
  ].toSorted()

it('reasons of notices that screens show too have the same texts', () => {
  const shared = Object.entries(reasons).filter(([name]) => texts.en.has(`api:server.${name}`))
  expect(shared.length).toBeGreaterThan(20)
  for (const [name, reason] of shared)
    for (const language of LANGUAGES) expect([name, reason[language]]).toEqual([name, texts[language].get(`api:server.${name}`)])
})

it('every file of texts is there in all four languages', () => {
  expect(texts.en.size).toBeGreaterThan(800)
  for (const language of LANGUAGES)
    expect(globSync('*.json', { cwd: path.join(folder, language) }).toSorted()).toEqual(
      globSync('*.json', { cwd: path.join(folder, 'en') }).toSorted(),
    )
})

it.each(LANGUAGES)('%s has the keys of English, no more and no fewer', (language) => {
  const keysOf = (all: Texts) => [...new Set([...all.keys()].map((key) => baseOf(key, all)))].toSorted()
  expect(keysOf(texts[language])).toEqual(keysOf(texts.en))
})

it('every kind of job that is registered has a name, and no other has one', () => {
  const named = [...texts.en.keys()].filter((key) => key.startsWith('jobs:kind.')).map((key) => key.slice('jobs:kind.'.length))
  expect(named.toSorted()).toEqual(kindNames(registered).toSorted())
})

it.each(LANGUAGES)('%s has each plural in exactly the forms that the language has', (language) => {
  const own = texts[language]
  const forms = new Map<string, string[]>()
  for (const key of own.keys()) {
    if (!isPlural(key, own)) continue
    forms.set(baseOf(key, own), [...(forms.get(baseOf(key, own)) ?? []), PLURAL.exec(key)?.[1] ?? ''])
  }
  expect(forms.size).toBeGreaterThan(10)
  const wanted = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted()
  const wrong = [...forms].filter(([, found]) => found.toSorted().join() !== wanted.join())
  expect(wrong).toEqual([])
})

it.each(LANGUAGES)('%s fills in the same values as English, and leaves no text empty', (language) => {
  const wrong: string[] = []
  for (const [key, text] of texts[language]) {
    if (text.trim() === '') wrong.push(`${key} is empty`)
    // A form for exactly one may do without its number.
    const optional = PLURAL.test(key) ? ['count', 'shown'] : []
    const [found, expected] = [placeholders(text), placeholders(inEnglish(key))]
    const missing = expected.filter((name) => !found.includes(name) && !optional.includes(name))
    const unknown = found.filter((name) => !expected.includes(name) && !optional.includes(name))
    if (missing.length + unknown.length > 0) wrong.push(`${key}: ${text} (English: ${inEnglish(key)})`)
  }
  expect(wrong).toEqual([])
})

it('what the dashboard takes for a sentence of the server is one that the server or the agent says', () => {
  const sources = ['apps/server/src', 'apps/agent/src', 'packages/contract/src', 'packages/xray/src']
    .flatMap((within) => globSync('**/*.ts', { cwd: path.join(root, within) }).map((file) => path.join(root, within, file)))
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const sentences = [...texts.en].filter(([key]) => key.startsWith('api:server.'))
  expect(sentences.length).toBeGreaterThan(40)
  const pieces = (text: string) =>
    text
      .split(/\{\{[^}]+\}\}|(?<=\.) /)
      .map((piece) => piece.trim())
      .filter((piece) => piece.length > 2)
  expect(sentences.filter(([, text]) => !pieces(text).every((piece) => sources.includes(piece)))).toEqual([])
})

interface Term {
  word: string
  rejected: Map<string, string[]>
}

/** The table of docs/glossary.md: an English word, and per language the words that are not used for it. */
function glossary(): Term[] {
  const section = readFileSync(path.join(root, 'docs/glossary.md'), 'utf8').split('## In the languages of the dashboard')[1] ?? ''
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| English') && !line.startsWith('| ---'))
  return rows.map((row) => {
    const [word = '', ...cells] = row
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1)
    const rejected = cells.map((cell) => /\((.*)\)/.exec(cell)?.[1]?.split(', ') ?? [])
    return { word, rejected: new Map(['ru', 'fa', 'zh'].map((language, index) => [language, rejected[index] ?? []])) }
  })
}

/** What is only searched for, and never shown, has the words that are not ours, too. */
const WORDS_PEOPLE_TYPE = /^search:(words|pageWords|settingsTabWords)\./

it.each(['ru', 'fa', 'zh'] as const)('%s has one word for each thing, the one of the glossary', (language) => {
  const terms = glossary()
  expect(terms.length).toBeGreaterThan(5)
  const wrong: string[] = []
  for (const { word, rejected } of terms) {
    const named = new RegExp(`\\b${word}s?\\b`, 'i')
    const stems = rejected.get(language) ?? []
    expect(stems, `${word} in ${language}`).not.toEqual([])
    // Chinese writes its words without spaces between them.
    const forbidden = new RegExp(language === 'zh' ? stems.join('|') : `(?<!\\p{L})(?:${stems.join('|')})`, 'iu')
    for (const [key, text] of texts[language]) {
      if (WORDS_PEOPLE_TYPE.test(key)) continue
      if (named.test(inEnglish(key)) && forbidden.test(text)) wrong.push(`${word}, ${key}: ${text}`)
    }
  }
  expect(wrong).toEqual([])
})

it('the types of the texts are made from the English files: node scripts/text-types.ts', () => {
  expect(writtenTextTypes()).toBe(textTypes())
})
