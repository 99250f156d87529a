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

it('every command and every file that the README names exists', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> } // npm's own format
  for (const [, name = ''] of readme.matchAll(/npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(name)
  for (const [, file = ''] of readme.matchAll(/\]\(((?!http)[^)]+)\)/g))
    expect(existsSync(path.join(root, file)), file).toBe(true)
  for (const command of Object.values(scripts)) {
    const file = command.split(' ').at(-1) ?? ''
    expect(existsSync(path.join(root, file)), file).toBe(true)
  }
})
