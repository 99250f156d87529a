import { getJob, getSystemStats, getUser, listUsers } from '@causeway/contract'
import { CloseButton, Paper, Progress, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { inOurWords } from '../../../api/server-sentences.ts'
import { apiQuery } from '../../../api/api-query.ts'
import { seconds } from '../../../lib/time/durations.ts'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import classes from './bulk.module.css'

const POLL = seconds(1)

/** How far a bulk change has come. Its number stands in the address, so a reload finds it again. */
export function JobProgress() {
  const { t, i18n } = useTranslation('users')
  const dialog = useDialog('job')
  const id = dialog.value
  const client = useQueryClient()
  const job = useQuery({
    ...apiQuery(getJob, { id: id ?? '' }, { staleTime: 0, quiet: true }),
    enabled: id !== undefined,
    refetchInterval: (query) => (query.state.data?.finishedAt ? false : POLL),
  })
  const isFinished = Boolean(job.data?.finishedAt)

  // The lists are in the query cache, outside this component; the end of the job makes them old.
  useEffect(() => {
    if (!isFinished) return
    for (const { name } of [listUsers, getSystemStats, getUser]) void client.invalidateQueries({ queryKey: [name] })
  }, [isFinished, client])

  if (id === undefined) return null
  const number = numberFormat(i18n.language)
  const { done, total, status, error } = job.data ?? { done: 0, total: 0, status: 'queued', error: null }
  const percent = total === 0 ? (isFinished ? 100 : 0) : (done / total) * 100
  return (
    <Paper className={classes['job']!} role="status" aria-label={t('job.label')}>
      <Text size="sm" fw={600}>
        {job.isError ? t('job.unknown') : t(`job.${status}`)}
      </Text>
      <Progress
        className={classes['jobBar']!}
        value={percent}
        size="sm"
        color={status === 'failed' ? 'red' : status === 'cancelled' ? 'gray' : 'cyan'}
        aria-label={t('job.label')}
      />
      <Text size="xs" c="dimmed">
        {t('job.progress', { done: number.format(done), total: number.format(total) })}
      </Text>
      <CloseButton size="sm" aria-label={t('job.close')} onClick={dialog.close} />
      {error !== null && (
        <Text size="xs" c="var(--bad)" className={classes['jobError']!}>
          {inOurWords(error)}
        </Text>
      )}
    </Paper>
  )
}
