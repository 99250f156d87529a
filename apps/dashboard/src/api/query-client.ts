import { QueryCache, QueryClient } from '@tanstack/react-query'
import { seconds } from '../lib/time/durations.ts'
import { CallError, isAbsent } from './call-error.ts'
import { isServerThere, onReturn } from './connection.ts'
import { isRefused } from './proof.ts'
import { onSessionEnd } from './session.ts'
import { showFailure } from './toasts.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The operation a failure is named after. */
      failure?: { name: string; title: string }
      /** Changes of others are not read while this is so. */
      isResting?: boolean
    }
  }
}

const QUERY_DEFAULTS = {
  staleTime: seconds(60),
  gcTime: seconds(120),
  retry: false,
  refetchOnWindowFocus: true,
  refetchInterval: false,
  // A save reads first: a read that waits for the network would keep the save back with it.
  networkMode: 'always',
  refetchOnReconnect: true,
} as const

/** Without a network a write fails at once. By default the library keeps it and sends it later, unseen. */
const MUTATION_DEFAULTS = { retry: false, networkMode: 'always' } as const

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        void tell(error, query.meta?.failure)
      },
    }),
    defaultOptions: { queries: QUERY_DEFAULTS, mutations: MUTATION_DEFAULTS },
  })
  // Nothing that was read with a session may be shown to the next one.
  onSessionEnd(() => client.clear())
  // Reads that failed meanwhile, and old ones.
  onReturn(() => void client.invalidateQueries())
  return client
}

/** The screen says what its server cannot. A read without an answer is the strip's to tell when the whole server is away, and a toast's when only this one broke. */
async function tell(error: Error, failure: { name: string; title: string } | undefined): Promise<void> {
  // What a session may not do is a page's to say.
  if (isAbsent(error) || isRefused(error)) return
  if (error instanceof CallError && error.isUnanswered && !(await isServerThere())) return
  if (failure) showFailure(failure, error)
}
