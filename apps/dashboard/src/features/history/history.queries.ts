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
} from '@causeway/contract'
import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { call } from '../../api/call.ts'
import { useApiMutation } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'

export type HistoryQuestion = Omit<CallInput<typeof listHistory>, 'cursor' | 'limit'>
interface Page<Entry> {
  entries: Entry[]
  nextCursor: string | null
}

/** The history, page by page; new entries come by themselves. */
export const historyQuery = (question: HistoryQuestion) =>
  pages(listHistory.name, question, (cursor, signal) => call(listHistory, { ...question, cursor }, { signal }))

/** What was deleted and can be restored. */
export const deletedQuery = (question: Omit<CallInput<typeof listDeleted>, 'cursor' | 'limit'>) =>
  pages(listDeleted.name, question, (cursor, signal) => call(listDeleted, { ...question, cursor }, { signal }))

function pages<Entry>(
  name: string,
  question: object,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Entry>>,
) {
  return infiniteQueryOptions({
    queryKey: [name, question],
    queryFn: ({ pageParam, signal }) => read(pageParam ?? undefined, signal),
    initialPageParam: null as string | null, // the first page has none
    getNextPageParam: (page: Page<Entry>) => page.nextCursor,
    refetchInterval: seconds(15),
  })
}

export const actorsQuery = () => apiQuery(listHistoryActors, {}, { staleTime: seconds(60) })
export const entryQuery = (id: number) => apiQuery(getHistoryEntry, { id }, { quiet: true })

/** An entry to undo, or one thing of it. In addresses `12`, or `12.<uuid>`. */
export interface UndoOne {
  id: number
  only?: string | undefined
}

export const undoAddress = ({ id, only }: UndoOne) => (only === undefined ? String(id) : `${id}.${only}`)

export function readUndo(text: string): UndoOne {
  const [id, only] = text.split('.')
  return { id: Number(id), only }
}

/** Plans are made anew whenever one looks, and never kept. */
export const planQuery = (which: UndoOne) => apiQuery(planUndo, which, { quiet: true, staleTime: 0 })
export const planOfActorQuery = (which: CallInput<typeof planUndoOfActor>) =>
  apiQuery(planUndoOfActor, which, { quiet: true, staleTime: 0 })

/** Everything may look otherwise after an undo. */
function useRefreshAll() {
  const client = useQueryClient()
  return () => void client.invalidateQueries()
}

/** @param sentence what is undone, for the message */
export function useUndo(sentence: string | undefined, onStale: () => void) {
  const { t } = useTranslation('history')
  const refreshAll = useRefreshAll()
  return useApiMutation(undoEntry, {
    success: ({ jobId }) => {
      if (sentence === undefined) return t(jobId === null ? 'undo.done' : 'undo.begun')
      return t(jobId === null ? 'undo.doneNamed' : 'undo.begunNamed', { sentence })
    },
    onReply: refreshAll,
    onFailure: onStale,
  })
}

export function useUndoOfActor(onStale: () => void) {
  const { t } = useTranslation('history')
  const refreshAll = useRefreshAll()
  return useApiMutation(undoOfActor, { success: () => t('undo.begun'), onReply: refreshAll, onFailure: onStale })
}
