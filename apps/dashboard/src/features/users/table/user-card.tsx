import { TRAFFIC_SORTS, type ListedUser, type TrafficSortId } from '@causeway/contract'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { expirationText } from '../../../lib/time/dates.ts'
import { LastSeen } from './user-cells.tsx'
import { Bytes } from '../../../ui/traffic/bytes.tsx'
import { UserStatusBadge } from '../parts/user-status-badge.tsx'
import { useDateFallbacks } from '../form/use-date-fallbacks.ts'
import { usageOf } from '../users.rules.ts'
import classes from '../users.module.css'

/** A user in two lines, for narrow screens. */
export function UserCard({ user, order }: { user: ListedUser; order?: TrafficSortId | undefined }) {
  const { t, i18n } = useTranslation('users')
  const fallbacks = useDateFallbacks()
  const limit = user.trafficLimitBytes === 0 ? '∞' : formatBytes(user.trafficLimitBytes, i18n.language)
  const usage = usageOf(user)
  return (
    <span className={classes['card']}>
      <span className={classes['cardLine']}>
        <Text span fw={600} size="sm" truncate dir="auto">
          {user.username}
        </Text>
        <LastSeen onlineAt={user.onlineAt} />
        <span className={classes['push']} />
        <UserStatusBadge status={user.status} />
      </span>
      <span className={`${classes['cardLine']} ${classes['cardFigures']}`}>
        <bdi className={classes['small']}>
          {formatBytes(user.usedTrafficBytes, i18n.language)} / {limit}
        </bdi>
        <span className={`${classes['small']} ${classes['percent']}`}>{usage ? t('usage.percentUsed', usage) : ''}</span>
        <span className={classes['push']} />
        <span className={classes['small']}>{t('until', { date: expirationText(user.expireAt, i18n.language, fallbacks) })}</span>
      </span>
      {order && (
        <span className={classes['cardLine']}>
          <span className={classes['small']}>{t(`column.${order}`)}</span>
          <span className={classes['push']} />
          <Bytes value={user.traffic?.[TRAFFIC_SORTS[order]] ?? 0} />
        </span>
      )}
    </span>
  )
}
