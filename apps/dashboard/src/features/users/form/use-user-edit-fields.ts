import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isSameSet, type EditFields } from '../../../api/edit-merge.ts'
import { exactTime } from '../../../lib/dates.ts'
import { squadsQuery } from '../users.queries.ts'
import { toInstant, type UserForm } from './user-form.ts'

/** What the edit form of a user says of its fields. */
export function useUserEditFields(): EditFields<UserForm> {
  const { t, i18n } = useTranslation('users')
  const squads = useQuery(squadsQuery).data?.internalSquads ?? []
  const nameOf = (uuid: string) => squads.find((squad) => squad.uuid === uuid)?.name ?? uuid
  return {
    username: { label: t('formField.username') },
    email: { label: t('formField.email') },
    telegramId: { label: t('formField.telegramId') },
    description: { label: t('formField.description') },
    tag: { label: t('formField.tag') },
    trafficLimitGib: {
      label: t('formField.trafficLimitGib'),
      inWords: (limit) => (limit === 0 || limit === '' ? '∞' : `${limit} GiB`),
    },
    trafficLimitStrategy: {
      label: t('formField.trafficLimitStrategy'),
      inWords: (strategy) => t(`strategy.${strategy}`),
    },
    expireAt: { label: t('formField.expireAt'), inWords: (at) => exactTime(new Date(toInstant(at)), i18n.language) },
    isDeviceLimitOff: { label: t('formField.isDeviceLimitOff') },
    hwidDeviceLimit: { label: t('formField.hwidDeviceLimit') },
    squadUuids: {
      label: t('formField.squadUuids'),
      isSame: isSameSet((uuid) => uuid),
      inWords: (uuids) => uuids.map(nameOf).join(', ') || '–',
    },
  }
}
