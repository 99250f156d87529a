import {
  checkSnippet,
  createSnippet,
  deleteSnippet,
  getSnippet,
  listSnippetRevisions,
  listSnippets,
  syncSnippet,
  updateSnippet,
  type CallInput,
} from '@causeway/contract'
import type { Snippets } from '@causeway/xray'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { apiQuery, AS_WRITTEN } from '../../../api/api-query.ts'
import { useApiMutation } from '../../../api/use-api-mutation.ts'
import { seconds } from '../../../lib/time/durations.ts'

export const snippetsQuery = () =>
  apiQuery(listSnippets, {}, { staleTime: seconds(30), refetchOnWindowFocus: true, ...AS_WRITTEN })

export const snippetQuery = (uuid: string) => apiQuery(getSnippet, { uuid }, { staleTime: seconds(30), ...AS_WRITTEN })

/** Mistakes in a snippet and in the profiles that name it. */
export const snippetCheckQuery = (given: CallInput<typeof checkSnippet>) =>
  apiQuery(checkSnippet, given, { staleTime: 0, refetchOnWindowFocus: false, quiet: true })

/** Contents by name, the same object until one of them changes. Undefined while they are not known. */
export function useSnippetContents(): Snippets | undefined {
  const { data, isError } = useQuery(QUIET)
  const found = useMemo(() => data && new Map(data.snippets.map(({ name, snippet }) => [name, snippet])), [data])
  // The server judges names again that are not known here.
  return found ?? (isError ? NONE : undefined)
}

const NONE: Snippets = new Map()
/** The editor is of use without them. */
const QUIET = apiQuery(listSnippets, {}, { staleTime: seconds(30), refetchOnWindowFocus: true, quiet: true, ...AS_WRITTEN })

export function useCreateSnippet(options: { onCreated: () => void; onFailure: (error: Error) => void }) {
  const { t } = useTranslation('snippets')
  return useApiMutation(createSnippet, {
    success: t('created'),
    refreshes: [listSnippets],
    onReply: options.onCreated,
    onFailure: options.onFailure,
  })
}

export function useUpdateSnippet() {
  const { t } = useTranslation('snippets')
  return useApiMutation(updateSnippet, { success: t('updated'), refreshes: [listSnippets, listSnippetRevisions] })
}

export function useDeleteSnippet() {
  const { t } = useTranslation('snippets')
  return useApiMutation(deleteSnippet, { isUndoable: true, success: t('deleted'), refreshes: [listSnippets] })
}

export function useSyncSnippet() {
  const { t } = useTranslation('snippets')
  return useApiMutation(syncSnippet, { success: t('synced') })
}
