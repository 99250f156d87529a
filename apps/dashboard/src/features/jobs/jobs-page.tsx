import { listJobs, type Job } from '@causeway/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { ErrorState, LoadingRows } from '../../ui/frames/states.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { jobsQuery } from './jobs.queries.ts'
import { Counted, JobName, JobStatusBadge, Moment, ProgressOf } from './job-cells.tsx'
import { JobTable } from './job-table.tsx'
import { CancelButton } from './parts/cancel-button.tsx'

const ENDED_SHOWN = 25

/** Background jobs of the server: what waits and runs, what recurs, what ended last. */
export default function JobsPage() {
  const { t } = useTranslation('jobs')
  const client = useQueryClient()
  const jobs = useQuery(jobsQuery())
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <RefreshButton label={t('refresh')} onRefresh={() => void client.invalidateQueries({ queryKey: [listJobs.name] })} />
        }
      />
      {jobs.data && <Sections jobs={jobs.data} />}
      {jobs.isPending && <LoadingRows />}
      {jobs.isError && !jobs.data && <ErrorState error={jobs.error} onRetry={() => void jobs.refetch()} />}
    </>
  )
}

function Sections({ jobs }: { jobs: readonly Job[] }) {
  const { t } = useTranslation('jobs')
  return (
    <>
      <JobTable
        title={t('open')}
        empty={t('nothing')}
        jobs={jobs.filter((job) => !job.isRecurring && job.finishedAt === null)}
        columns={[
          { head: t('job'), cell: (job) => <JobName job={job} /> },
          { head: t('state'), cell: (job) => <JobStatusBadge status={job.status} /> },
          { head: t('progress'), cell: (job) => <ProgressOf job={job} /> },
          { head: t('asked'), cell: (job) => <Moment at={job.createdAt} /> },
          { head: t('actions'), isHeadHidden: true, cell: (job) => <CancelButton job={job} /> },
        ]}
      />
      <JobTable
        title={t('recurring')}
        empty={t('nothingRecurring')}
        jobs={jobs.filter((job) => job.isRecurring)}
        columns={[
          { head: t('job'), cell: (job) => <JobName job={job} /> },
          { head: t('state'), cell: (job) => <JobStatusBadge status={job.status} /> },
          { head: t('runs'), cell: (job) => <Counted value={job.done} /> },
          { head: t('last'), cell: (job) => <Moment at={job.startedAt} /> },
          { head: t('next'), cell: (job) => <Moment at={job.dueAt} /> },
        ]}
      />
      <JobTable
        title={t('ended')}
        empty={t('nothingEnded')}
        jobs={jobs.filter((job) => !job.isRecurring && job.finishedAt !== null).slice(0, ENDED_SHOWN)}
        columns={[
          { head: t('job'), cell: (job) => <JobName job={job} /> },
          { head: t('state'), cell: (job) => <JobStatusBadge status={job.status} /> },
          { head: t('progress'), cell: ({ done, total }) => t('count', { done, total }) },
          { head: t('asked'), cell: (job) => <Moment at={job.createdAt} /> },
          { head: t('endedAt'), cell: (job) => <Moment at={job.finishedAt} /> },
        ]}
      />
    </>
  )
}
