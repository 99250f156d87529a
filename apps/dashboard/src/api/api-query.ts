import type { CallInput, Endpoint, Reply } from '@causeway/contract'
import { queryOptions, type UseQueryOptions } from '@tanstack/react-query'
import { call } from './call.ts'

/** Timing and shape of a read; everything else follows from its endpoint. */
type ReadOptions<E extends Endpoint> = Pick<
  UseQueryOptions<Reply<E>>,
  'staleTime' | 'refetchInterval' | 'refetchOnMount' | 'refetchOnWindowFocus' | 'enabled' | 'placeholderData'
>

/** For what is edited as text: the library keeps equal parts of a former reply, and with them the former order of their keys. */
export const AS_WRITTEN = { structuralSharing: false } as const

/** A read of the API for useQuery: key, call and the title under which a failure is shown. */
export function apiQuery<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: ReadOptions<E> & { quiet?: boolean; isResting?: boolean; structuralSharing?: false } = {},
) {
  const { quiet, isResting, ...timing } = options
  return queryOptions<Reply<E>>({
    queryKey: [endpoint.name, input],
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
    meta: { ...(quiet ? {} : { failure: { name: endpoint.name, title: endpoint.title } }), ...(isResting ? { isResting } : {}) },
    ...timing,
  })
}
