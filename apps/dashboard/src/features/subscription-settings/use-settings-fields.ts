import type { SubscriptionSettings } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import type { EditFields } from '../../api/edit-merge.ts'
import type { EditForm } from '../../api/use-edit-form.ts'
import { filledHeaders, filledRemarks, isSameHeaders, isSameRemarks, type SettingsForm } from './settings-form.ts'

export type SettingsEdit = EditForm<SubscriptionSettings, SettingsForm>

/** Labels of the edit form's fields. */
export function useSettingsFields(): EditFields<SettingsForm> {
  const { t } = useTranslation('subscription-settings')
  const remarks = (name: 'expiredUsersRemarks' | 'limitedUsersRemarks' | 'disabledUsersRemarks') => ({
    label: t(`field.${name}`),
    isSame: isSameRemarks,
    inWords: (list: readonly string[]) => filledRemarks(list).join(' · '),
  })
  return {
    profileTitle: { label: t('field.profileTitle') },
    supportLink: { label: t('field.supportLink') },
    profileUpdateInterval: { label: t('field.profileUpdateInterval') },
    happAnnounce: { label: t('field.happAnnounce') },
    happRouting: { label: t('field.happRouting') },
    isProfileWebpageUrlEnabled: { label: t('field.isProfileWebpageUrlEnabled') },
    serveJsonAtBaseSubscription: { label: t('field.serveJsonAtBaseSubscription') },
    addUsernameToBaseSubscription: { label: t('field.addUsernameToBaseSubscription') },
    randomizeHosts: { label: t('field.randomizeHosts') },
    isShowCustomRemarks: { label: t('field.isShowCustomRemarks') },
    expiredUsersRemarks: remarks('expiredUsersRemarks'),
    limitedUsersRemarks: remarks('limitedUsersRemarks'),
    disabledUsersRemarks: remarks('disabledUsersRemarks'),
    customResponseHeaders: {
      label: t('field.customResponseHeaders'),
      isSame: isSameHeaders,
      inWords: (entries) =>
        filledHeaders(entries)
          .map(({ key, value }) => `${key}: ${value}`)
          .join(' · '),
    },
  }
}
