import { expect, it } from 'vitest'
import { measureProse, measureSource } from './prose.ts'

// The aim is 2 % and 3 %, no log message and no name (style guide, plain technical English); these limits only go down.
const RIDDLES = 0.02
const LONG_SENTENCES = 0.01
const NAMES = 0
const LOG_MESSAGES = 0

const rules = (source: string) => measureSource('example.ts', source).findings.map(({ rule, line }) => `${line} ${rule}`)

it('finds riddles, long sentences, log messages and vague names where they stand', () => {
  const long = `${'word '.repeat(25)}word`
  expect(rules('const a = 1\n// Whoever asks gets nothing.\n')).toEqual(['2 riddle'])
  expect(rules('/** Tells nobody. */\nexport function told() {}\n')).toEqual(['1 riddle', '2 name'])
  expect(rules(`// ${long}.\n`)).toEqual(['1 long sentence'])
  expect(rules(`// ${'word '.repeat(13)}.\n// ${'word '.repeat(13)}.\n`)).toEqual([])
  expect(rules("ctx.log.warn({ error }, 'nobody hears changes')\n")).toEqual(['1 log message'])
  expect(rules("const url = 'https://example.org' // Whoever\n")).toEqual(['1 riddle'])
  expect(rules('const url = `https://nobody.example`\n')).toEqual([])
})

it('comments, log messages and names keep to plain technical English', () => {
  const { comments, findings } = measureProse()
  const beyond = (wanted: string, limit: number) => {
    const found = findings.filter(({ rule }) => rule === wanted).map(({ file, line, text }) => `${file}:${line} ${text}`)
    return found.length > limit ? found : []
  }
  expect(comments).toBeGreaterThan(3000)
  expect(beyond('riddle', comments * RIDDLES)).toEqual([])
  expect(beyond('long sentence', comments * LONG_SENTENCES)).toEqual([])
  expect(beyond('name', NAMES)).toEqual([])
  expect(beyond('log message', LOG_MESSAGES)).toEqual([])
})
