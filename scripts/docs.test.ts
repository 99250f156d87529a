import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '../apps/server/src/config.ts'

const root = path.resolve(import.meta.dirname, '..')
const readme = readFileSync(path.join(root, 'README.md'), 'utf8')

// To be shortened; a new name here is a mistake.
const LONG_DECISIONS = new Set([
  '026-figures-of-nodes.md',
  '029-plans-and-revisions.md',
  '030-days-of-the-installation.md',
  '032-one-node-first.md',
])

const texts = (...names: string[]) =>
  globSync(names, { cwd: root, exclude: (name) => name === 'node_modules' || name === 'dist' }).map((file) => ({
    file,
    text: readFileSync(path.join(root, file), 'utf8'),
  }))

it('the README explains every setting of the server, and none that does not exist', () => {
  const table = readme.slice(readme.indexOf('## Configuration'), readme.indexOf('## Backup'))
  const explained = new Set(table.match(/(?<=`)[A-Z][A-Z0-9_]+(?=`)/g))
  const settings = Object.keys(readConfig({})).filter((name) => /^[A-Z]/.test(name))
  // The three settings of each further provider are explained by those of the first.
  const ofProviders = settings.filter((name) => /^OAUTH2_(YANDEX|POCKETID)_/.test(name))
  expect(settings.filter((name) => !explained.has(name) && !ofProviders.includes(name))).toEqual([])
  const known = new Set([...settings, 'SECRET_KEY', 'SSL_CERT'])
  expect(Array.from(explained).filter((name) => !known.has(name))).toEqual([])
})

it('the defaults that the README names are those of the code', () => {
  const defaults = new Map<string, unknown>(Object.entries(readConfig({})))
  const named = Array.from(readme.matchAll(/^\| `([A-Z_]+)` \| `([^`]+)` \|/gm), ([, name = '', value]) => ({ name, value }))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(({ name, value }) => JSON.stringify(defaults.get(name) ?? null).replaceAll('"', '') !== value)).toEqual([])
})

it('every command that the README names exists, and leads to a program', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> } // npm's own format
  const commands = Array.from(readme.matchAll(/npm run ([\w:]+)/g), ([, name = '']) => name)
  expect(commands.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  const programs = Object.values(scripts).map((command) => command.split(' ').find((word) => word.endsWith('.ts')) ?? '')
  expect(programs.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
})

it('every link from one document to another leads somewhere', () => {
  const links = texts('*.md', 'docs/**/*.md').flatMap(({ file, text }) =>
    [...text.matchAll(/\]\(([^)#\s]+)/g)].map(([, to = '']) => ({ file, to })).filter(({ to }) => !/^https?:/.test(to)),
  )
  expect(links.length).toBeGreaterThan(50)
  expect(links.filter(({ file, to }) => !existsSync(path.join(root, path.dirname(file), to)))).toEqual([])
})

it('ARCHITECTURE is read in five minutes, and every file that it names by its path exists', () => {
  const text = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8')
  expect(text.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(1200)
  const named = Array.from(text.matchAll(/`([\w./-]+\/[\w.-]+\.(?:tsx?|mjs|sql))`/g), ([, name = '']) => name)
  expect(named.length).toBeGreaterThan(20)
  const users = 'apps/dashboard/src/features/users' // of whose fields the first recipe tells
  const rooms = ['', 'apps/server/src', 'apps/dashboard', 'apps/dashboard/src', 'packages', users]
  const isThere = (name: string) => rooms.some((room) => existsSync(path.join(root, room, name)))
  expect(named.filter((name) => !isThere(name))).toEqual([])
})

it('every decision is one screen and stands in the index', () => {
  const index = readFileSync(path.join(root, 'docs/decisions/README.md'), 'utf8')
  const decisions = texts('docs/decisions/[0-9]*.md').map(({ file, text }) => ({
    name: path.basename(file),
    title: /^# \d+: (.*)$/m.exec(text)?.[1] ?? '',
    words: text.split(/\s+/).length,
  }))
  expect(decisions.length).toBeGreaterThan(30)
  expect(decisions.filter(({ name, title }) => !index.includes(`](${name}) ${title}\n`))).toEqual([])
  expect(decisions.filter(({ name, words }) => words > 450 && !LONG_DECISIONS.has(name))).toEqual([])
})

it('no two decisions have the same number', () => {
  const numbers = texts('docs/decisions/[0-9]*.md').map(({ file }) => path.basename(file).slice(0, 3))
  expect(numbers.filter((number, place) => numbers.indexOf(number) !== place)).toEqual([])
})

it('every decision and rule of the wire that the code cites is there', () => {
  const decisions = new Set(texts('docs/decisions/*.md').map(({ file }) => /(\d{3})-[^/]*$/.exec(file)?.[1]))
  const rules = new Set(
    [...readFileSync(path.join(root, 'docs/wire.md'), 'utf8').matchAll(/^(\d+)\. /gm)].map(([, rule]) => rule),
  )
  const code = texts('{apps,packages,scripts,e2e,bench}/**/*.{ts,tsx,mjs,sql}')
  const cited = (what: RegExp, known: Set<string | undefined>) =>
    code.flatMap(({ file, text }) => [...text.matchAll(what)].map(([, number]) => ({ file, number, isKnown: known.has(number) })))
  const found = [...cited(/\bdecisions?[ /](\d{3})\b/g, decisions), ...cited(/\bwire\.md (\d+)/g, rules)]
  expect(found.length).toBeGreaterThan(80)
  expect(found.filter(({ isKnown }) => !isKnown)).toEqual([])
})
