import { QueryCache, QueryClient } from '@tanstack/react-query'
import { seconds } from '../lib/durations.ts'
import { onSessionEnd } from './session.ts'
import { showFailure } from './toasts.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The operation a failure is named after. */
      failure?: { name: string; title: string }
    }
  }
}

const QUERY_DEFAULTS = {
  staleTime: seconds(60),
  gcTime: seconds(120),
  retry: false,
  refetchOnWindowFocus: true,
  refetchInterval: false,
} as const

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.meta?.failure) showFailure(query.meta.failure, error)
      },
    }),
    defaultOptions: { queries: QUERY_DEFAULTS, mutations: { retry: false } },
  })
  // Nothing that was read with a session may be shown to the next one.
  onSessionEnd(() => client.clear())
  return client
}
