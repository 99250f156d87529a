import { expect, test } from 'vitest'
import { catalogueEntry, catalogueKind, catalogueType, templateType } from './index.ts'

test('TMPL-031: an entry of the catalogue carries name, author, type and url', () => {
  const entry = {
    name: 'Plain',
    author: 'somebody',
    type: 'XRAY_JSON',
    url: 'https://templates.example/plain.json',
    isOfficial: false,
  }
  expect(catalogueEntry.parse(entry)).toEqual(entry)
  for (const key of ['name', 'author', 'type', 'url'])
    expect(catalogueEntry.safeParse({ ...entry, [key]: undefined }).success).toBe(false)
  expect(catalogueEntry.safeParse({ ...entry, type: 'SOMETHING' }).success).toBe(false)
})

test('TMPL-032: the editors that ask are those of subscriptions and of the core', () => {
  expect(catalogueKind.options).toEqual(['SUBSCRIPTION', 'XRAY_CORE'])
  expect(catalogueType.options).toEqual([...templateType.options, 'XRAY_CORE'])
})
