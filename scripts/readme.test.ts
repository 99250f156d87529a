import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '../apps/server/src/config.ts'

const root = path.resolve(import.meta.dirname, '..')
const readme = readFileSync(path.join(root, 'README.md'), 'utf8')

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
  const defaults = new Map(Object.entries(readConfig({})))
  const named = Array.from(readme.matchAll(/^\| `([A-Z_]+)` \| `([^`]+)` \|/gm), ([, name = '', value]) => ({ name, value }))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(({ name, value }) => String(defaults.get(name)) !== value)).toEqual([])
})

it('every command and every file that the README names exists', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> } // npm's own format
  const commands = Array.from(readme.matchAll(/npm run ([\w:]+)/g), ([, name = '']) => name)
  expect(commands.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  const links = Array.from(readme.matchAll(/\]\(((?!http)[^)]+)\)/g), ([, file = '']) => file)
  const programs = Object.values(scripts).map((command) => command.split(' ').at(-1) ?? '')
  expect([...links, ...programs].filter((file) => !existsSync(path.join(root, file)))).toEqual([])
})
