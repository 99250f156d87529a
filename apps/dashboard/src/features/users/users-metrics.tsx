import type { UserStatus } from '@causeway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { StatusDot } from '../../ui/status-badge.tsx'
import { statusColor, USER_STATUSES } from './users.rules.ts'
import classes from './users.module.css'
import { seconds } from '../../lib/time/durations.ts'
import { useUserCounts } from '../home/home.queries.ts'

interface Props {
  /** The status the table is filtered by. */
  status: string | undefined
  onStatus: (status: UserStatus | undefined) => void
}

/** How many users there are in each state; a tile shows only those. */
export function UsersMetrics({ status, onStatus }: Props) {
  const { t, i18n } = useTranslation('users')
  const counts = useUserCounts({ refetchInterval: seconds(25) })
  const number = numberFormat(i18n.language)
  // After a failed read the old figures are not shown as if they were current.
  const users = counts.isError ? undefined : counts.data?.users
  return (
    <div className={classes['metrics']} role="group" aria-label={t('metrics')}>
      <button type="button" className={classes['metric']} aria-pressed={status === undefined} onClick={() => onStatus(undefined)}>
        <span className={classes['metricLabel']}>{t('total')}</span>
        <Figure value={users && number.format(users.totalUsers)} isFailed={counts.isError} />
      </button>
      {USER_STATUSES.map((one) => (
        <button
          key={one}
          type="button"
          className={classes['metric']}
          aria-pressed={status === one}
          onClick={() => onStatus(status === one ? undefined : one)}
        >
          <span className={classes['metricLabel']}>
            <StatusDot color={statusColor(one)} /> {t(`status.${one}`)}
          </span>
          <Figure value={users && number.format(users.statusCounts[one])} isFailed={counts.isError} />
        </button>
      ))}
    </div>
  )
}

function Figure({ value, isFailed }: { value: string | undefined; isFailed: boolean }) {
  if (value === undefined) return isFailed ? <strong>–</strong> : <Skeleton height={14} width={32} />
  return <strong className={classes['metricFigure']}>{value}</strong>
}
