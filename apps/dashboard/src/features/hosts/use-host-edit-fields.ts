import { useTranslation } from 'react-i18next'
import type { EditFields } from '../../api/edit-merge.ts'
import type { HostForm } from './host-form.ts'

/** What the edit form of a host says of its fields. */
export function useHostEditFields(): EditFields<HostForm> {
  const { t } = useTranslation('hosts')
  const orAsInbound = (value: string | null) => value ?? t('asInbound')
  return {
    remark: { label: t('field.remark') },
    address: { label: t('field.address') },
    port: { label: t('field.port') },
    isEnabled: { label: t('field.enabled') },
    inbound: {
      label: t('field.inbound'),
      isSame: (one, other) => one?.uuid === other?.uuid,
      inWords: (inbound) => inbound?.tag ?? '–',
    },
    securityLayer: { label: t('field.securityLayer'), inWords: (layer) => t(`security.${layer}`) },
    sni: { label: t('field.sni') },
    host: { label: t('field.host') },
    path: { label: t('field.path') },
    alpn: { label: t('field.alpn'), inWords: orAsInbound },
    fingerprint: { label: t('field.fingerprint'), inWords: orAsInbound },
    serverDescription: { label: t('field.serverDescription') },
    xHttpExtraText: { label: t('extra.open') },
  }
}
