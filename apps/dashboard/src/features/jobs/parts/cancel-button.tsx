import type { Job } from '@causeway/contract'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useConfirm } from '../../../ui/frames/confirm.tsx'
import { useCancelJob } from '../jobs.queries.ts'

/** The name of the job's kind; a kind of a later server shows its identifier. */
export function useJobName(): (job: Job) => string {
  const { t } = useTranslation('jobs')
  return ({ kind }) => t(`kind.${kind}`, { defaultValue: kind })
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
