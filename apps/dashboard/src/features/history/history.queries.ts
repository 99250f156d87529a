import {
  getHistoryEntry,
  listDeleted,
  listHistory,
  listHistoryActors,
  planUndo,
  planUndoOfActor,
  undoEntry,
  undoOfActor,
  type CallInput,
  type HistoryEntry,
} from '@causeway/contract'
import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { call } from '../../api/call.ts'
import { useApiMutation } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'

export type HistoryQuestion = Omit<CallInput<typeof listHistory>, 'cursor' | 'limit'>
interface Page {
  entries: HistoryEntry[]
  nextCursor: string | null
}

/** The history, page by page; new entries come by themselves. */
export const historyQuery = (question: HistoryQuestion) =>
  pages(listHistory.name, question, (cursor, signal) => call(listHistory, { ...question, cursor }, { signal }))

/** What was deleted and can be restored. */
export const deletedQuery = (question: { kind?: HistoryEntry['kind'] | undefined }) =>
  pages(listDeleted.name, question, (cursor, signal) => call(listDeleted, { ...question, cursor }, { signal }))

function pages(name: string, question: object, read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>) {
  return infiniteQueryOptions({
    queryKey: [name, question],
    queryFn: ({ pageParam, signal }) => read(pageParam ?? undefined, signal),
    initialPageParam: null as string | null, // the first page has none
    getNextPageParam: (page: Page) => page.nextCursor,
    refetchInterval: seconds(15),
  })
}

export const actorsQuery = () => apiQuery(listHistoryActors, {}, { staleTime: seconds(60) })
export const entryQuery = (id: number) => apiQuery(getHistoryEntry, { id }, { quiet: true })

/** Plans are made anew whenever one looks, and never kept. */
export const planQuery = (id: number) => apiQuery(planUndo, { id }, { quiet: true, staleTime: 0 })
export const planOfActorQuery = (which: CallInput<typeof planUndoOfActor>) =>
  apiQuery(planUndoOfActor, which, { quiet: true, staleTime: 0 })

/** Everything may look otherwise after an undo. */
function useRefreshAll() {
  const client = useQueryClient()
  return () => void client.invalidateQueries()
}

export function useUndo(onStale: () => void) {
  const { t } = useTranslation('history')
  const refreshAll = useRefreshAll()
  return useApiMutation(undoEntry, {
    success: ({ jobId }) => t(jobId === null ? 'undo.done' : 'undo.begun'),
    onReply: refreshAll,
    onFailure: onStale,
  })
}

export function useUndoOfActor(onStale: () => void) {
  const { t } = useTranslation('history')
  const refreshAll = useRefreshAll()
  return useApiMutation(undoOfActor, { success: () => t('undo.begun'), onReply: refreshAll, onFailure: onStale })
}
