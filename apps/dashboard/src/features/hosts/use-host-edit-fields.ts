import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type EditFields, isSameSet } from '../../api/edit-merge.ts'
import { nodesQuery } from '../nodes/nodes.queries.ts'
import type { HostForm } from './host-form.ts'

/** Labels of a host's fields in the edit form. */
export function useHostEditFields(): EditFields<HostForm> {
  const { t } = useTranslation('hosts')
  const { t: ui } = useTranslation('ui')
  const nodes = useQuery(nodesQuery(false)).data ?? []
  const onOrOff = (isOn: boolean) => (isOn ? ui('edited.on') : ui('edited.off'))
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
    shuffleHost: { label: t('field.shuffleHost'), inWords: onOrOff },
    mihomoX25519: { label: t('field.mihomoX25519'), inWords: onOrOff },
    allowInsecure: { label: t('field.allowInsecure'), inWords: onOrOff },
    nodes: {
      label: t('field.nodes'),
      isSame: isSameSet((uuid) => uuid),
      inWords: (uuids) => uuids.map((uuid) => nodes.find((node) => node.uuid === uuid)?.name ?? uuid).join(', '),
    },
  }
}
