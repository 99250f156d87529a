import i18n from 'i18next'
import { inOurWords } from './server-sentences.ts'

/** A complaint about one field, as zod or the server words it. */
export interface Issue {
  path: readonly PropertyKey[]
  message: string
  code?: string | undefined
  minimum?: unknown
  maximum?: unknown
  type?: unknown
  origin?: unknown
}

interface Details {
  status?: number
  code?: string | undefined
  serverMessage?: string | undefined
  issues?: readonly Issue[] | undefined
  hadSession?: boolean
  isUnanswered?: boolean
  isAbsent?: boolean
  cause?: unknown
}

/** A request that did not give what was asked for. */
export class CallError extends Error {
  readonly status: number | undefined
  /** Code of the server's catalogue (`errors` in the contract). */
  readonly code: string | undefined
  /** The server's sentence, if there is one, in the reader's language. */
  readonly serverMessage: string | undefined
  readonly issues: readonly Issue[]
  /** The refusal has just ended a session: the visitor is sent to the login page, which says enough. */
  readonly hadSession: boolean
  /** Nothing came back at all: the line broke, or the server is away. */
  readonly isUnanswered: boolean
  /** A route that this server does not have: it is older than the dashboard, or of another make. */
  readonly isAbsent: boolean

  constructor(message: string, details: Details = {}) {
    super(message, { cause: details.cause })
    this.name = 'CallError'
    this.status = details.status
    this.code = details.code
    this.serverMessage = details.serverMessage
    this.issues = details.issues ?? []
    this.hadSession = details.hadSession ?? false
    this.isUnanswered = details.isUnanswered ?? false
    this.isAbsent = details.isAbsent ?? false
  }
}

/** It does not exist: the server says so, or refuses an id from the address that no thing can have. */
export function isNotFound(error: unknown): boolean {
  return error instanceof CallError && !error.isAbsent && (error.status === 404 || isNoId(error))
}

/** The server has no such route: a screen says so, offers no second try, and nothing is wrong. */
export function isAbsent(error: unknown): boolean {
  return error instanceof CallError && error.isAbsent
}

/** No thing can have this id. */
export function isNoId({ status, issues }: CallError): boolean {
  return status === 400 && issues.length > 0 && issues.every(({ path }) => path.length === 1 && path[0] === 'uuid')
}

/** Reads any of the wire's four error bodies. */
export async function errorOfReply(reply: Response, { hadSession }: { hadSession: boolean }): Promise<CallError> {
  const body = await reply.json().catch(() => undefined)
  const fields = isRecord(body) ? body : {}
  const said = typeof fields['message'] === 'string' && fields['message'] !== '' ? fields['message'] : undefined
  // A missing entity has an error code; a missing route has none.
  const isAbsent = reply.status === 404 && fields['errorCode'] === undefined
  const serverMessage = isAbsent ? i18n.t('api:absent') : said === undefined ? undefined : inOurWords(said)
  return new CallError(serverMessage ?? 'Request failed', {
    status: reply.status,
    code: typeof fields['errorCode'] === 'string' ? fields['errorCode'] : undefined,
    serverMessage,
    issues: Array.isArray(fields['errors']) ? fields['errors'].filter(isIssue) : undefined,
    hadSession,
    isAbsent,
    cause: body,
  })
}

function isIssue(value: unknown): value is Issue {
  return isRecord(value) && Array.isArray(value['path']) && typeof value['message'] === 'string'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
