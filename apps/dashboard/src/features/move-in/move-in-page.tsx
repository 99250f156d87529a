import type { MoveIn } from '@causeway/contract'
import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../api/server-sentences.ts'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { ErrorState, LoadingRows } from '../../ui/frames/states.tsx'
import { GoingBack } from './going-back.tsx'
import { Moment } from './moment.tsx'
import { moveInQuery, pollPause } from './move-in.queries.ts'
import { Report } from './report.tsx'
import { RunProgress } from './run-progress.tsx'
import { SourceForm } from './source-form.tsx'
import classes from './move-in.module.css'

/** From another panel to this one: source, rehearsal, import, the moment itself, and the way back. */
export default function MoveInPage() {
  const { t } = useTranslation('move-in')
  const state = useQuery({ ...moveInQuery(), refetchInterval: (query) => pollPause(Boolean(query.state.data?.running)) })
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      {state.data && <Content state={state.data} />}
      {state.isPending && <LoadingRows />}
      {state.isError && !state.data && <ErrorState error={state.error} onRetry={() => void state.refetch()} />}
    </>
  )
}

function Content({ state }: { state: MoveIn }) {
  const { t } = useTranslation('move-in')
  const client = useQueryClient()
  const { importedAt } = state
  // What stands in the way of another import is then said beside its button alone.
  const isTakenOver = state.startedAt !== null && !state.isHeld

  // Everything in the query cache, which is outside this component, is of the installation before.
  useEffect(() => {
    if (importedAt !== null) void client.invalidateQueries()
  }, [importedAt, client])

  return (
    <div className={classes['page']}>
      {state.obstacle !== null && !isTakenOver && (
        <Alert color="yellow" icon={<IconAlertTriangle size={20} aria-hidden />} title={t('obstacle')}>
          <bdi className={classes['sentence']}>{inOurWords(state.obstacle)}</bdi>
        </Alert>
      )}
      {state.running && <RunProgress state={state} />}
      {/* What was typed serves for the import after the rehearsal. */}
      <div hidden={state.running !== null}>
        <SourceForm state={state} />
      </div>
      {state.failure !== null && (
        <Alert color="red" icon={<IconX size={20} aria-hidden />} title={t('failed')}>
          <bdi className={classes['sentence']}>{inOurWords(state.failure)}</bdi>
        </Alert>
      )}
      {state.report && !state.running && <Report state={state} report={state.report} />}
      {(state.report || importedAt !== null) && <Moment state={state} />}
      {importedAt !== null && <GoingBack state={state} />}
    </div>
  )
}
