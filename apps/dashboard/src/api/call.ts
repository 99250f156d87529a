import { ENTRY_HEADER, MISSING_HEADER, type CallInput, type Endpoint, type Reply } from '@causeway/contract'
import i18n from 'i18next'
import { noteRead, takeAhead } from './ahead.ts'
import { CallError, errorOfReply } from './call-error.ts'
import { noteAnswer } from './connection.ts'
import { callHeaders, sessionToken } from './credentials.ts'
import { endSession, sessionStore } from './session.ts'
import { buildUrl } from './url.ts'

interface CallOptions {
  signal?: AbortSignal
  /** Marks a submission: sent again, it creates nothing. */
  idempotencyKey?: string
  /** Told the entry that a change has made in the history. */
  onEntry?: (id: number) => void
}

/** One request: what the contract says goes out and comes back, or a CallError. */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  { idempotencyKey, onEntry, ...options }: CallOptions = {},
): Promise<Reply<E>> {
  const given: Record<string, unknown> = { ...(input as Record<string, unknown>) } // CallInput is always an object of fields
  const params = take(given, endpoint.params)
  const query = take(given, endpoint.query)
  const headers = { ...callHeaders(), ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }) }
  const init: RequestInit = { method: endpoint.method, headers, ...options }
  // A deletion may name what it is about in its body: sent without, it would be about everything.
  if (endpoint.method !== 'GET' && (endpoint.method !== 'DELETE' || Object.keys(given).length > 0)) {
    const body = JSON.stringify(checkedBody(endpoint, given))
    const excess = excessOf(endpoint, body)
    if (excess !== undefined) throw new CallError(excess, { serverMessage: excess })
    init.body = body
  }

  const token = sessionToken()
  const reply = await reach(buildUrl(endpoint.path, params, query), init)
  if (!reply.ok) {
    const hadSession =
      (token !== null || sessionStore.getState().isAuthenticated) &&
      (reply.status === 401 || (reply.status === 403 && !reply.headers.has(MISSING_HEADER)))
    // A late answer to the session before must not end the one that has begun since.
    if (hadSession && sessionToken() === token) endSession()
    throw await errorOfReply(reply, { hadSession })
  }
  const entry = reply.headers.get(ENTRY_HEADER)
  if (entry !== null) onEntry?.(Number(entry.split(',')[0]))
  const isText = endpoint.raw && reply.headers.get('content-type')?.startsWith('text/') === true
  const body: unknown = isText ? await reply.text() : await reply.json()
  const content = endpoint.raw ? body : unwrap(body)
  const parsed = endpoint.response.safeParse(content)
  if (!parsed.success) {
    throw new CallError(`The answer to ${endpoint.name} does not have the expected form`, {
      status: reply.status,
      cause: parsed.error,
    })
  }
  return parsed.data as Reply<E> // safeParse of this endpoint's own response schema
}

/** Moves the fields that a schema names out of the input. */
function take(given: Record<string, unknown>, schema: Endpoint['params']): Record<string, unknown> {
  const taken: Record<string, unknown> = {}
  for (const name of Object.keys(schema.shape)) {
    taken[name] = given[name]
    delete given[name]
  }
  return taken
}

const MEBIBYTE = 1024 * 1024
/** A letter takes at most three bytes. */
const LETTER_BYTES = 3

/** The reason why the server would refuse such a body unread; for dialogs that would otherwise ask or send in vain. */
export function excessOf({ bodyMegabytes: most }: Endpoint, body: string): string | undefined {
  if (body.length * LETTER_BYTES <= most * MEBIBYTE) return undefined
  const bytes = new TextEncoder().encode(body).length
  if (bytes <= most * MEBIBYTE) return undefined
  // Up, so that it is never told to be as large as it may be.
  return i18n.t('api:tooLarge', { size: Math.ceil((bytes / MEBIBYTE) * 100) / 100, most })
}

function checkedBody(endpoint: Endpoint, given: Record<string, unknown>): unknown {
  const parsed = endpoint.body.safeParse(given)
  if (parsed.success) return parsed.data
  throw new CallError('Validation failed', { issues: parsed.error.issues, cause: parsed.error })
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  // Asked before: a network that breaks later may have carried the write. A server on this machine answers without one.
  const wasOnline = navigator.onLine
  try {
    if (init.method === 'GET') noteRead(url)
    const reply = await ((init.method === 'GET' ? takeAhead(url) : undefined) ?? fetch(url, init))
    noteAnswer()
    return reply
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    const offline = init.method === 'GET' || wasOnline ? undefined : i18n.t('api:offline')
    throw new CallError(offline ?? 'Request failed', { serverMessage: offline, isUnanswered: true, cause })
  }
}

function unwrap(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'response' in body ? body.response : undefined
}
