import { searchAll } from '@causeway/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { apiQuery } from '../../api/api-query.ts'
import { seconds } from '../../lib/time/durations.ts'

/** Results for a text. Answers belong to their text: a late one never replaces a newer one. */
export const searchQuery = (text: string) =>
  apiQuery(searchAll, { text }, { enabled: text !== '', staleTime: seconds(10), placeholderData: keepPreviousData, quiet: true })
