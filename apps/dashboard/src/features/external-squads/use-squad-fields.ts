import { useTranslation } from 'react-i18next'
import type { EditFields } from '../../api/edit-merge.ts'
import { REMARKS, SQUAD_SWITCHES, TEMPLATE_TYPES, type SquadForm } from './external-squad-form.ts'

/** What the form says of a field that two people changed. */
export function useSquadFields(): EditFields<SquadForm> {
  const { t } = useTranslation('external-squads')
  const entries = [
    ...TEMPLATE_TYPES.map((type) => [`template:${type}`, { label: t(`type.${type}`) }]),
    ...SQUAD_SWITCHES.map((name) => [name, { label: t(`switch.${name}`) }]),
    ...REMARKS.map((name) => [`remark:${name}`, { label: t(`remarks.${name}`) }]),
    ['serverDescription', { label: t('hosts.description') }],
    ['vlessRouteId', { label: t('hosts.route') }],
    ['headersAdd', { label: t('headers.add') }],
    ['headersRemove', { label: t('headers.remove') }],
    ['hasDevices', { label: t('devices.own') }],
    ['isLimited', { label: t('devices.enabled') }],
    ['deviceLimit', { label: t('devices.limit') }],
    ['deviceAnnounce', { label: t('devices.announce') }],
    ['hasRemarks', { label: t('remarks.own') }],
    ['page', { label: t('page.label') }],
  ]
  return Object.fromEntries(entries) as EditFields<SquadForm> // one for each field
}
