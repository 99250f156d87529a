import { TRAFFIC_SORTS, type TrafficPeriod, type TrafficSortId } from '@causeway/contract'
import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isAbsent } from '../../../api/call-error.ts'
import { Bytes } from '../../../ui/traffic/bytes.tsx'
import { topUsersQuery } from '../users.queries.ts'
import { UserStatusBadge } from './user-status-badge.tsx'
import { UsersLink } from './users-link.tsx'
import classes from './top-users.module.css'

const HEIGHT = 200
const SORTS = Object.keys(TRAFFIC_SORTS) as TrafficSortId[] // the type of keys() does not tell

/** Top users of a period: each row leads to the user, the last line to the whole list. */
export function TopUsers({ period, label }: { period: TrafficPeriod; label: string }) {
  const { t } = useTranslation('views')
  const { data, error } = useQuery(topUsersQuery(period))
  if (error && !data) return <Text size="sm">{isAbsent(error) ? error.message : t('top.unknown')}</Text>
  if (!data) return <Skeleton height={HEIGHT} />
  const [first] = data.users
  if (!first)
    return (
      <Text size="sm" c="dimmed">
        {t('top.nobody')}
      </Text>
    )
  return (
    <>
      <ol className={classes['list']} aria-label={label}>
        {data.users.map(({ uuid, username, status, bytes }) => (
          <li key={uuid} className={classes['row']}>
            <Link to="/dashboard/management/users" search={{ user: uuid }} className={classes['name']} dir="auto">
              {username}
            </Link>
            {status === 'ACTIVE' ? null : <UserStatusBadge status={status} />}
            <span className={classes['bar']} aria-hidden>
              <span style={{ inlineSize: `${(100 * bytes) / first.bytes}%` }} />
            </span>
            <span className={classes['bytes']}>
              <Bytes value={bytes} />
            </span>
          </li>
        ))}
      </ol>
      <UsersLink sort={`-${SORTS.find((id) => TRAFFIC_SORTS[id] === period) ?? 'trafficWeek'}`} className={classes['all']}>
        {t('top.all')}
      </UsersLink>
    </>
  )
}
