import { listBackups } from '@causeway/contract'
import { Alert, Progress, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../api/server-sentences.ts'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { seconds } from '../../lib/time/durations.ts'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { CancelButton } from '../jobs/parts/cancel-button.tsx'
import { backupJobQuery } from './backups.queries.ts'
import classes from './backups.module.css'

/** How far the backup is, and how it ended. Its job stands in the address, so a reload finds it again. */
export function BackupProgress({ jobId }: { jobId: string }) {
  const { t, i18n } = useTranslation('backups')
  const { t: ui } = useTranslation('ui')
  const dialog = useDialog('job')
  const client = useQueryClient()
  const job = useQuery({
    ...backupJobQuery(jobId),
    refetchInterval: (query) => (query.state.data?.finishedAt ? false : seconds(1)),
  }).data
  const isFinished = Boolean(job?.finishedAt)

  // The list is in the query cache, outside this component; the end of the job makes it old.
  useEffect(() => {
    if (isFinished) void client.invalidateQueries({ queryKey: [listBackups.name] })
  }, [isFinished, client])

  if (!job) return null
  if (job.status === 'done' || job.status === 'failed' || job.status === 'cancelled')
    return (
      <Alert
        role="status"
        color={job.status === 'done' ? 'teal' : job.status === 'failed' ? 'red' : 'gray'}
        title={t(`ended.${job.status}`)}
        withCloseButton
        closeButtonLabel={ui('close')}
        onClose={dialog.close}
      >
        {job.error === null ? t(`ended.${job.status}Help`, { defaultValue: '' }) : inOurWords(job.error)}
      </Alert>
    )
  const percent = job.total === 0 ? 0 : job.done / job.total
  return (
    <section className={classes['card']} role="status" aria-label={t('progress')}>
      <div className={classes['row']}>
        <Text size="sm" fw={600} className={classes['what']!}>
          {t(percent >= 0.99 ? 'proving' : 'copying', {
            percent: numberFormat(i18n.language, { style: 'percent' }).format(percent),
          })}
        </Text>
        <CancelButton job={job} />
      </div>
      <Progress value={percent * 100} aria-label={t('progress')} />
      <Text size="xs" c="dimmed" mt="xs">
        {t('goesOn')}
      </Text>
    </section>
  )
}
