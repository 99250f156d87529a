import type { CatalogueEntry } from '@causeway/contract'
import { expect, test } from 'vitest'
import { findEntries, variantOf } from './template-catalogue.rules.ts'

const entry = (name: string, author: string, type: CatalogueEntry['type']): CatalogueEntry => ({
  name,
  author,
  type,
  url: 'https://templates.example/a',
  isOfficial: false,
})
const entries = [entry('Plain', 'ann', 'CLASH'), entry('Games', 'bob', 'CLASH'), entry('Plain', 'ann', 'STASH')]
const names = (search: string) =>
  findEntries(entries, 'CLASH', search, ({ name, author }) => [`Vorlage ${name}`, `${author} texts`]).map(({ name }) => name)

test.each([
  ['', ['Plain', 'Games']],
  [' PLA', ['Plain']],
  ['bob', ['Games']],
  ['bob texts', ['Games']],
  ['vorlage g', ['Games']],
  ['clash', ['Plain', 'Games']],
  ['stash', []],
])('EDIT-015: %j is looked for in name, author and type of the type at hand', (search, found) => {
  expect(names(search)).toEqual(found)
})

test('our own are known by their address, and nobody else may pose as one', () => {
  expect(variantOf({ ...entry('x', 'y', 'CLASH'), url: 'shipped:CLASH/plain', isOfficial: true })).toBe('plain')
  expect(variantOf({ ...entry('x', 'y', 'CLASH'), url: 'shipped:CLASH/plain' })).toBeUndefined()
})
