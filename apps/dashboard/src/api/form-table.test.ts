import { describe, expect, it } from 'vitest'
import { defineForm } from './form-table.ts'

interface Shelf {
  name: string
  limitBytes: number | null
}
type ShelfForm = { name: string; limitBytes: number | '' }

const shelfForm = defineForm<ShelfForm, { name: string; limitBytes: number }, Shelf, { t: (key: string) => string }>({
  name: {
    label: ({ t }) => t('name'),
    empty: (now) => `shelf of ${now.getUTCFullYear()}`,
    fromEntity: (shelf) => shelf.name,
    toWire: (name) => name.trim(),
    isSame: (one, other) => one.trim() === other.trim(),
    check: (name, { t }, form) => (name === '' && form.limitBytes !== '' ? t('nameMissing') : null),
  },
  limitBytes: {
    label: ({ t }) => t('limit'),
    empty: () => '',
    fromEntity: (shelf) => shelf.limitBytes ?? '',
    toWire: (limit) => (limit === '' ? undefined : limit * 1024),
    inWords: (limit, { t }) => `${limit} ${t('kib')}`,
  },
})
const words = { t: (key: string) => key.toUpperCase() }

describe('a form made from its table of fields', () => {
  it('starts from the empty values, or from an entity', () => {
    expect(shelfForm.empty(new Date('2026-05-01T00:00:00Z'))).toEqual({ name: 'shelf of 2026', limitBytes: '' })
    expect(shelfForm.fromEntity({ name: 'A', limitBytes: null })).toEqual({ name: 'A', limitBytes: '' })
  })

  it('sends every field, or those that are named, and leaves out what has no value', () => {
    expect(shelfForm.toWire({ name: ' A ', limitBytes: 2 })).toEqual({ name: 'A', limitBytes: 2048 })
    expect(shelfForm.toWire({ name: ' A ', limitBytes: 2 }, ['limitBytes'])).toEqual({ limitBytes: 2048 })
    expect(shelfForm.toWire({ name: 'A', limitBytes: '' })).toEqual({ name: 'A' })
    expect(shelfForm.toWire({ name: 'A', limitBytes: 2 }, new Set<keyof ShelfForm>())).toEqual({})
  })

  it('says the problems of its entries by field, also those that depend on another field', () => {
    expect(shelfForm.problemsOf({ name: '', limitBytes: 1 }, words)).toEqual({ name: 'NAMEMISSING' })
    expect(shelfForm.problemsOf({ name: '', limitBytes: '' }, words)).toEqual({})
  })

  it('gives the edit frame label, comparison and words of each field', () => {
    const fields = shelfForm.editFields(words)
    expect([fields.name.label, fields.limitBytes.label]).toEqual(['NAME', 'LIMIT'])
    expect(fields.name.isSame?.('A', ' A')).toBe(true)
    expect(fields.limitBytes.isSame).toBeUndefined()
    expect(fields.limitBytes.inWords?.(3)).toBe('3 KIB')
  })
})
