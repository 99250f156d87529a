import type { Provider } from '@causeway/contract'
import { expect, it } from 'vitest'
import { providerForm, toCreateProvider } from './provider-form.ts'

it('an edited provider sends what was changed, and an emptied link as null', () => {
  // All that is read.
  const form = providerForm.fromEntity({ name: 'Hoster', faviconLink: null, loginUrl: 'https://a.example' } as Provider)
  expect(form).toEqual({ name: 'Hoster', faviconLink: '', loginUrl: 'https://a.example' })
  const sent = providerForm.toWire({ ...form, name: ' New ', loginUrl: '' }, ['name', 'loginUrl'])
  expect(sent).toEqual({ name: 'New', loginUrl: null })
})

it('a new provider sends an empty link as it is, for the wire to refuse', () => {
  expect(toCreateProvider({ ...providerForm.empty(), name: ' New ' })).toEqual({ name: 'New', faviconLink: '', loginUrl: '' })
})
