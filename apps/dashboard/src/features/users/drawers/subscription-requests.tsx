import type { User } from '@causeway/contract'
import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { userRequestsQuery } from '../../request-history/request-history.queries.ts'
import classes from './user-overview.module.css'

const SHOWN = 5

/** Which apps fetched the subscription last, and when. */
export function SubscriptionRequests({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const requests = useQuery({ ...userRequestsQuery(user.uuid), meta: {} })
  if (requests.isPending) return <Skeleton height={40} aria-busy />
  const records = requests.data?.records.slice(0, SHOWN) ?? []
  if (records.length === 0)
    return (
      <Text size="xs" c="dimmed">
        {t(
          requests.isError
            ? 'overview.requestsUnknown'
            : user.subLastOpenedAt === null
              ? 'overview.noRequests'
              : 'overview.requestsGone',
        )}
      </Text>
    )
  return (
    <ul className={classes['requests']} aria-label={t('overview.requests')}>
      {records.map(({ id, userAgent, requestIp, requestAt }) => (
        <li key={id}>
          <bdi title={[userAgent, requestIp].filter(Boolean).join(' · ')}>{userAgent ?? requestIp ?? '–'}</bdi>
          <RelativeTime at={requestAt} />
        </li>
      ))}
    </ul>
  )
}
