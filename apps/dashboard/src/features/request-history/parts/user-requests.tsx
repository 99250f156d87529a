import { KEPT_REQUESTS, type SubscriptionRequestRecord } from '@causeway/contract'
import { Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/inputs/copy-field.tsx'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../../ui/frames/states.tsx'
import { userRequestsQuery } from '../request-history.queries.ts'
import { appOf } from '../request-history.rules.ts'
import classes from './user-requests.module.css'

/** The newest requests of a user for their subscription: when, with which app, from where. */
export function UserRequests({ userUuid }: { userUuid: string }) {
  return (
    // Its texts come with it, wherever it is lent to.
    <Suspense fallback={<LoadingRows count={4} />}>
      <Requests userUuid={userUuid} />
    </Suspense>
  )
}

function Requests({ userUuid }: { userUuid: string }) {
  const { t } = useTranslation('request-history')
  const requests = useQuery(userRequestsQuery(userUuid))
  if (requests.isPending) return <LoadingRows count={4} />
  if (!requests.data) return <ErrorState error={requests.error} onRetry={() => void requests.refetch()} />
  const { records } = requests.data
  if (records.length === 0) return <EmptyState icon={IconHistory} title={t('empty')} hint={t('emptyHint')} />
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {t('kept', { count: KEPT_REQUESTS })}
      </Text>
      <ol className={classes['requests']} aria-label={t('title')}>
        {records.map((record) => (
          <Request key={record.id} record={record} />
        ))}
      </ol>
    </>
  )
}

function Request({ record }: { record: SubscriptionRequestRecord }) {
  const { t } = useTranslation('request-history')
  const { userAgent, requestIp } = record
  const app = appOf(userAgent)
  return (
    <li className={classes['request']}>
      <div className={classes['line']}>
        <bdi className={classes['app']} title={userAgent ?? undefined}>
          {app?.name ?? t('unknownApp')}
        </bdi>
        {app?.version !== undefined && <bdi className={classes['version']}>{app.version}</bdi>}
        {userAgent !== null && userAgent !== '' && <CopyButton value={userAgent} label={t('copyUserAgent')} />}
        <span className={classes['time']}>
          <RelativeTime at={record.requestAt} />
        </span>
      </div>
      {requestIp !== null && (
        <div className={classes['line']}>
          <code className={classes['address']} dir="ltr">
            {requestIp}
          </code>
          <CopyButton value={requestIp} label={t('copyAddress')} />
        </div>
      )}
    </li>
  )
}
