import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isSameSet, type EditFields } from '../../api/edit-merge.ts'
import { countryName } from '../../lib/countries.ts'
import { numberOf } from '../../lib/numbers/number-entry.ts'
import { providersQuery } from '../infra-billing/infra-billing.queries.ts'
import type { NodeForm } from './node-form.ts'

const isSameInbounds = isSameSet(({ uuid }: { uuid: string }) => uuid)

/** Labels of a node's fields in the edit form. */
export function useNodeEditFields(): EditFields<NodeForm> {
  const { t, i18n } = useTranslation('nodes')
  const providers = useQuery(providersQuery())
  return {
    name: { label: t('field.name') },
    address: { label: t('field.address') },
    port: { label: t('field.port') },
    countryCode: { label: t('field.country'), inWords: (code) => countryName(code, i18n.language) },
    isTrafficTrackingActive: { label: t('field.tracking') },
    trafficLimitGib: { label: t('field.limit'), inWords: (limit) => `${numberOf(limit) ?? 0} GiB` },
    trafficResetDay: { label: t('field.resetDay') },
    notifyPercent: { label: t('field.notify'), inWords: (percent) => `${numberOf(percent) ?? 0} %` },
    consumptionMultiplier: { label: t('field.multiplier'), inWords: (multiplier) => `${numberOf(multiplier) ?? 0}×` },
    providerUuid: {
      label: t('field.provider'),
      inWords: (uuid) => providers.data?.providers.find((provider) => provider.uuid === uuid)?.name ?? '–',
    },
    configProfile: {
      label: t('section.config'),
      isSame: (one, other) => one.uuid === other.uuid && isSameInbounds(one.inbounds, other.inbounds),
      inWords: ({ inbounds }) => inbounds.map(({ tag }) => tag).join(', ') || '–',
    },
  }
}
