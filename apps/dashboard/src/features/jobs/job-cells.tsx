import type { Job, JobStatus } from '@causeway/contract'
import { Button, Progress, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../api/server-sentences.ts'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { useConfirm } from '../../ui/frames/confirm.tsx'
import { NoValue } from '../../ui/rows/cells.tsx'
import { StatusBadge, type StatusColor } from '../../ui/status-badge.tsx'
import { useCancelJob } from './jobs.queries.ts'
import classes from './jobs.module.css'

const COLORS: Record<JobStatus, StatusColor> = {
  queued: 'gray',
  running: 'blue',
  done: 'teal',
  failed: 'red',
  cancelled: 'gray',
}

/** The name of the job's kind; a kind of a later server shows its identifier. */
function useJobName(): (job: Job) => string {
  const { t } = useTranslation('jobs')
  return ({ kind }) => t(`kind.${kind}`, { defaultValue: kind })
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

export function CancelButton({ job }: { job: Job }) {
  const { t } = useTranslation('jobs')
  const nameOf = useJobName()
  const confirm = useConfirm()
  const cancel = useCancelJob()
  const name = nameOf(job)

  async function ask(): Promise<void> {
    const question = {
      title: t('confirm.title', { job: name }),
      body: t('confirm.body'),
      action: t('confirm.action'),
      wayBack: t('confirm.keep'),
    }
    if (await confirm({ ...question, isDangerous: true })) cancel.mutate({ id: job.id })
  }
  // Servers before this member cancel what they can, and say so otherwise.
  if (job.isCancellable === false) return null
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={t('cancelOf', { job: name })}
      loading={cancel.isPending}
      onClick={() => void ask()}
    >
      {t('cancel')}
    </Button>
  )
}
