import type { CallInput, createInfraProvider, Provider, updateInfraProvider } from '@causeway/contract'
import type { TFunction } from 'i18next'
import { defineForm, type FormOf, type WireFields } from '../../api/form-table.ts'

type ProviderWire = WireFields<CallInput<typeof updateInfraProvider>, 'uuid'>
export type ProviderForm = FormOf<ProviderWire, object>

export const providerForm = defineForm<ProviderForm, ProviderWire, Provider, TFunction<'infra-billing'>>({
  name: {
    label: (t) => t('provider.name'),
    empty: () => '',
    fromEntity: (provider) => provider.name,
    toWire: (name) => name.trim(),
  },
  faviconLink: {
    label: (t) => t('provider.faviconLink'),
    empty: () => '',
    fromEntity: (provider) => provider.faviconLink ?? '',
    toWire: (link) => link.trim() || null,
  },
  loginUrl: {
    label: (t) => t('provider.loginUrl'),
    empty: () => '',
    fromEntity: (provider) => provider.loginUrl ?? '',
    toWire: (link) => link.trim() || null,
  },
})

/** A new provider has both links: the wire takes no null here, and refuses the empty text. */
export function toCreateProvider(form: ProviderForm): CallInput<typeof createInfraProvider> {
  const { name = '', faviconLink, loginUrl } = providerForm.toWire(form)
  return { name, faviconLink: faviconLink ?? '', loginUrl: loginUrl ?? '' }
}
