import { KEPT_REQUESTS, type SubscriptionRequestRecord } from '@causeway/contract'
import { Select, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
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
  const [rule, setRule] = useState<string | null>(null)
  const requests = useQuery(userRequestsQuery(userUuid))
  if (requests.isPending) return <LoadingRows count={4} />
  if (!requests.data) return <ErrorState error={requests.error} onRetry={() => void requests.refetch()} />
  const { records } = requests.data
  if (records.length === 0) return <EmptyState icon={IconHistory} title={t('empty')} hint={t('emptyHint')} />
  const names = [...new Set(records.flatMap(({ srrRuleName }) => srrRuleName ?? []))]
  const shown = rule === null ? records : records.filter(({ srrRuleName }) => srrRuleName === rule)
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {t('kept', { count: KEPT_REQUESTS })}
      </Text>
      {names.length > 0 && (
        <Select
          mb="sm"
          maw={320}
          label={t('rule')}
          placeholder={t('anyRule')}
          data={names}
          clearable
          value={rule}
          onChange={setRule}
        />
      )}
      {shown.length === 0 && <Text size="sm">{t('noneOfRule')}</Text>}
      <ol className={classes['requests']} aria-label={t('title')}>
        {shown.map((record) => (
          <Request key={record.id} record={record} />
        ))}
      </ol>
    </>
  )
}

function Request({ record }: { record: SubscriptionRequestRecord }) {
  const { t } = useTranslation('request-history')
  const { userAgent, requestIp, srrRuleName, srrResponseType } = record
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
      <Answer rule={srrRuleName} type={srrResponseType} />
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

/** What was answered, and by which rule; requests that are older than such notes say nothing. */
function Answer({ rule, type }: { rule: string | null | undefined; type: string | undefined }) {
  const { t } = useTranslation(['request-history', 'response-rules'])
  if (type === undefined || type === 'UNKNOWN') return null
  return (
    <div className={classes['line']}>
      <span className={classes['version']}>{t(`response-rules:type.${type}`, { defaultValue: type })}</span>
      {rule !== null && rule !== undefined && <bdi className={classes['version']}>{rule}</bdi>}
    </div>
  )
}
