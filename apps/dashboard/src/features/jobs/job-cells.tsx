import type { Job, JobStatus } from '@causeway/contract'
import { Progress, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../api/server-sentences.ts'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { NoValue } from '../../ui/rows/cells.tsx'
import { StatusBadge, type StatusColor } from '../../ui/status-badge.tsx'
import { useJobName } from './parts/cancel-button.tsx'
import classes from './jobs.module.css'

const COLORS: Record<JobStatus, StatusColor> = {
  queued: 'gray',
  running: 'blue',
  done: 'teal',
  failed: 'red',
  cancelled: 'gray',
}

export function JobName({ job }: { job: Job }) {
  const nameOf = useJobName()
  return (
    <>
      {nameOf(job)}
      {job.error !== null && (
        <Text size="xs" c="dimmed" dir="auto" className={classes['error']!}>
          {inOurWords(job.error)}
        </Text>
      )}
    </>
  )
}

export function JobStatusBadge({ status }: { status: JobStatus }) {
  const { t } = useTranslation('jobs')
  return <StatusBadge color={COLORS[status]} label={t(`status.${status}`)} isPulsing={status === 'running'} />
}

export function ProgressOf({ job }: { job: Job }) {
  const { t } = useTranslation('jobs')
  const nameOf = useJobName()
  const { done, total } = job
  return (
    <>
      {t('count', { done, total })}
      <Progress
        size="sm"
        mt={4}
        maw={160}
        value={total === 0 ? 0 : (done / total) * 100}
        aria-label={t('progressOf', { job: nameOf(job) })}
      />
    </>
  )
}

export function Counted({ value }: { value: number }) {
  const { i18n } = useTranslation()
  return numberFormat(i18n.language).format(value)
}

export function Moment({ at }: { at: string | null }) {
  return at === null ? <NoValue /> : <RelativeTime at={at} />
}
