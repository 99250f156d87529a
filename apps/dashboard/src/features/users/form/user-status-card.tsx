import type { User } from '@causeway/contract'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { unreachableHost } from '../../../lib/own-address.ts'
import { CopyField } from '../../../ui/inputs/copy-field.tsx'
import { UserStatusBadge } from '../parts/user-status-badge.tsx'
import { LastSeen } from '../table/user-cells.tsx'
import classes from './user-form.module.css'

/** Identity of the user: status and the values copied most often. */
export function UserStatusCard({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const host = unreachableHost(user.subscriptionUrl)
  return (
    <section className={classes['status']} aria-label={t('card.status')}>
      <div className={classes['statusHead']}>
        <UserStatusBadge status={user.status} />
        <LastSeen onlineAt={user.onlineAt} />
      </div>
      <CopyField label={t('field.username')} value={user.username} />
      <CopyField label={t('field.shortUuid')} value={user.shortUuid} />
      <CopyField label={t('field.subscriptionUrl')} value={user.subscriptionUrl} />
      {host !== undefined && (
        <Text size="xs" c="var(--warn)" role="note">
          {t('subscriptionUrlHint', { host: host || '–' })}
        </Text>
      )}
    </section>
  )
}
