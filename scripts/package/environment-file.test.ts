import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { environmentFile } from './environment-file.ts'

const readme = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8')

test('SHIP-003 the settings file of the package has every name of the README, commented out, with its meaning', () => {
  const file = environmentFile(readme)
  const names = [...file.matchAll(/^#([A-Z_0-9]+)=$/gm)].map(([, name]) => name)
  const cells = [...readme.matchAll(/^\| (`[A-Z_0-9]+`.*?) \|/gm)].map(([, cell = '']) => cell)
  const wanted = cells.flatMap((cell) => [...cell.matchAll(/`([A-Z_0-9]+)`/g)].map(([, name]) => name))
  expect(names).toEqual(wanted)
  expect(names.length).toBeGreaterThan(50)
  expect(file).toContain('# Port of the server (APP_PORT is understood too). Default: 3000\n#PORT=\n')
  expect(file.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
})
