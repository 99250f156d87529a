// Measures the English of comments, log messages and names. `node scripts/prose.ts apps/server/src/db`
// lists what a folder breaks, with file and line; prose.test.ts holds the limits.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const PRODUCTION = '{apps,packages}/*/src/**/*.{ts,tsx}'
const NOT_PRODUCTION = /\.(test|browser\.test|e2e)\.tsx?$|\/(gen|golden)\/|\/wire-conformance\//
const LONGEST_SENTENCE = 25
/** A comment (group 1), or what may hold marks of one: strings, templates, regular expressions behind an operator. */
const TOKEN =
  /(\/\/[^\n]*|\/\*[\s\S]*?\*\/)|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<=[=(,:?|&!]\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//g
/** Words that make a reader ask which thing is meant. */
const RIDDLE = /\b(who|whom|whoever|whomever|nobody|somebody|everybody|anybody)\b|^(What|Who)\b/i
/** Bare participles as names of functions, and the type names that mean nothing on their own. */
const PARTICIPLES = new Set(['told', 'made', 'sent', 'kept', 'given', 'asked', 'seen', 'heard', 'taken', 'found', 'shown'])
const VAGUE_TYPES = new Set(['Look', 'Desk', 'Turn', 'Parts', 'Told', 'Asked', 'Seen', 'Kept', 'Sent', 'Made', 'Ahead'])
const LOG_CALL =
  /\blog\??\.(?:trace|debug|info|warn|error|fatal)\(\s*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\},\s*)?(['"`])((?:\\.|(?!\1).)*)\1/gs
const FUNCTION_NAME = /^(?:export )?(?:async )?function\*? (\w+)/gm
const TYPE_NAME = /^(?:export )?(?:interface|type|class) (\w+)/gm

export interface Finding {
  file: string
  line: number
  rule: 'riddle' | 'long sentence' | 'log message' | 'name'
  text: string
}

export interface Prose {
  comments: number
  findings: Finding[]
}

/** Reads all production sources under a folder, the whole repository by default. */
export function measureProse(folder = ''): Prose {
  const files = globSync(PRODUCTION, { cwd: root })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.startsWith(folder) && !NOT_PRODUCTION.test(file))
  if (files.length === 0) throw new Error(`No source file lies under ${folder}.`)
  const measured = files.map((file) => measureSource(file, readFileSync(path.join(root, file), 'utf8')))
  return {
    comments: measured.reduce((sum, { comments }) => sum + comments, 0),
    findings: measured.flatMap(({ findings }) => findings),
  }
}

export function measureSource(file: string, source: string): Prose {
  const comments = commentsOf(source)
  const findings = comments.flatMap(({ line, text }): Finding[] => [
    ...(RIDDLE.test(text) ? [{ file, line, rule: 'riddle' as const, text }] : []),
    ...sentencesOf(text)
      .filter((sentence) => wordCount(sentence) > LONGEST_SENTENCE)
      .slice(0, 1)
      .map((sentence) => ({ file, line, rule: 'long sentence' as const, text: sentence })),
  ])
  const found = (rule: Finding['rule'], pattern: RegExp, group: number, isBad: (text: string) => boolean): Finding[] =>
    Array.from(source.matchAll(pattern), (match) => ({
      file,
      line: lineAt(source, match.index),
      rule,
      text: match[group] ?? '',
    })).filter(({ text }) => isBad(text))
  return {
    comments: comments.length,
    findings: [
      ...findings,
      ...found('log message', LOG_CALL, 2, (text) => RIDDLE.test(text) || wordCount(text) > LONGEST_SENTENCE),
      ...found('name', FUNCTION_NAME, 1, (name) => PARTICIPLES.has(name)),
      ...found('name', TYPE_NAME, 1, (name) => VAGUE_TYPES.has(name)),
    ],
  }
}

/** Comments of a source, neighbouring lines of `//` as one, without marks and without directives for tools. */
function commentsOf(source: string): { line: number; text: string }[] {
  const comments: { line: number; end: number; text: string }[] = []
  for (const { 0: token, 1: comment, index } of source.matchAll(TOKEN)) {
    if (comment === undefined) continue
    const line = lineAt(source, index)
    const text = token
      .replace(/^\/[/*]+|\*+\/$/g, '')
      .replace(/^[ \t]*\*/gm, '')
      .replace(/\s+/g, ' ')
      .trim()
    const isLine = token.startsWith('//')
    const previous = comments.at(-1)
    if (isLine && previous?.end === line - 1) Object.assign(previous, { end: line, text: `${previous.text} ${text}` })
    else comments.push({ line, end: isLine ? line : Number.NaN, text })
  }
  return comments.filter(({ text }) => text !== '' && !/^(oxlint|eslint|@ts-|@vite|@__|#|\/ <reference)/.test(text))
}

/** Sentences end at a full stop; code in backticks, links and dotted names count as one word. */
function sentencesOf(text: string): string[] {
  const plain = text.replace(/`[^`]*`/g, 'code').replace(/\{@link [^}]*\}|https?:\S+/g, 'link')
  return plain.split(/(?<=[.?!])\s+/)
}

const wordCount = (text: string): number => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’./_-]*/gu)?.length ?? 0
const lineAt = (source: string, index: number): number => source.slice(0, index).split('\n').length

if (import.meta.main) {
  const { comments, findings } = measureProse(process.argv[2])
  for (const { file, line, rule, text } of findings) console.log(`${file}:${line}  ${rule}: ${text.slice(0, 160)}`)
  const count = (rule: Finding['rule']) => findings.filter((finding) => finding.rule === rule).length
  const share = (rule: Finding['rule']) => `${((100 * count(rule)) / comments).toFixed(1)} %`
  console.log(
    `${comments} comments: ${share('riddle')} riddles, ${share('long sentence')} with a long sentence; ` +
      `${count('log message')} log messages, ${count('name')} names`,
  )
}
