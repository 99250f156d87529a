import { expect, it } from 'vitest'
import { asSent, editColumns } from './edit-columns.ts'

interface Edit {
  name?: string | undefined
  faviconLink?: string | null | undefined
}

const columns = editColumns<'infraProviders', Edit>({ name: (name) => name.trim(), faviconLink: asSent })

it('sets what is given, clears by null, and keeps what is absent', () => {
  expect(columns({})).toEqual({})
  expect(columns({ name: undefined, faviconLink: null })).toEqual({ faviconLink: null })
  expect(columns({ name: ' a ' })).toEqual({ name: 'a' })
})

it('does not compile where a field has no entry, no column, or is none of the edit', () => {
  // @ts-expect-error -- `faviconLink` has no entry
  editColumns<'infraProviders', Edit>({ name: asSent })
  // @ts-expect-error -- `colour` is no column
  editColumns<'infraProviders', { colour: string }>({ colour: asSent })
  // @ts-expect-error -- `name` is a text
  editColumns<'infraProviders', { name: string }>({ name: () => 1 })
  const sent = { name: 'a', colour: 'red' }
  // @ts-expect-error -- `colour` would be dropped
  expect(columns(sent)).toEqual({ name: 'a' })
})
