import { getWall, type Wall } from '@causeway/contract'
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { call } from '../../api/call.ts'
import { CallError, errorOfReply } from '../../api/call-error.ts'
import { seconds } from '../../lib/time/durations.ts'

/** Also while nothing answers, and after the link has ended: it may be given more time. */
const PERIOD_MS = seconds(10)
/** A connection that breaks in silence would otherwise hold the wall for minutes. */
const TIMEOUT_MS = seconds(15)

/** With the token of a link, or with the session. */
export const wallQuery = (token: string | undefined) =>
  queryOptions<Wall>({
    queryKey: [getWall.name, token ?? null],
    queryFn: ({ signal }) => read(token, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])),
    staleTime: 0,
    gcTime: Infinity,
    refetchInterval: PERIOD_MS,
    // A monitor may show another window in front.
    refetchIntervalInBackground: true,
  })

const envelope = z.object({ response: getWall.response })

/** The session has no part in what becomes of a link: its refusal signs out no administrator. */
async function read(token: string | undefined, signal: AbortSignal): Promise<Wall> {
  if (token === undefined) return call(getWall, {}, { signal })
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const reply = await fetch(getWall.path, { headers, signal, cache: 'no-store' }).catch((cause: unknown) => {
    throw new CallError('Request failed', { isUnanswered: true, cause })
  })
  if (!reply.ok) throw await errorOfReply(reply, { hadSession: false })
  return envelope.parse(await reply.json()).response
}

/** The link was withdrawn or has ended, or the role does not open the wall; anything else passes by itself. */
export function isWithdrawn(error: unknown): error is CallError {
  return error instanceof CallError && (error.status === 401 || error.status === 403)
}
