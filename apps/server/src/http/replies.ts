import { errors, MISSING_HEADER } from '@causeway/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DISK_FULL, isDiskFull, isOutage, isOutcomeUnknown, isOvertaken, isPassing } from '../db/driver/failures.ts'
import { ApiError, ValidationError, type ValidationIssue } from './errors.ts'
import { GuardError } from './guards.ts'
import { isUnstorable, unstorableIssue } from './unstorable.ts'

// The four error bodies of the wire (docs/wire.md 4). A: known errors. A': every 403 of the catalogue. B: validation.
// C: refusals of guards and the framework.

interface FrameworkError extends Error {
  statusCode?: number
  code?: string
}

/** Turns whatever was thrown into one of the four bodies; what the caller need not know goes to the log only. */
export function answerError(error: FrameworkError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ApiError) return answerApiError(error, request, reply)
  if (error instanceof ValidationError) return answerIssues(reply, error.issues)
  if (error instanceof GuardError) return answerGuard(error, request, reply)
  if (isUnstorable(error)) {
    request.log.warn({ err: error }, 'input rejected by the database')
    const issue = unstorableIssue(error.message, [request.params, request.query, request.body])
    if (issue) return answerIssues(reply, [{ ...issue, path: issue.path.slice(1) }])
    return refuse(
      reply,
      400,
      'A value cannot be stored: a text with the character U+0000 or one too long, a number or a date out of range.',
    )
  }
  if (isOvertaken(error)) {
    request.log.warn({ err: error }, 'change lost a conflict with a concurrent one')
    return refuse(reply, 409, 'Another administrator has just changed or deleted this. Reload and try again.')
  }
  if (isPassing(error)) {
    request.log.error({ err: error }, 'database failed')
    reply.header('retry-after', RETRY_SECONDS)
    if (isDiskFull(error)) return refuse(reply, 503, DISK_FULL)
    if (!isOutage(error)) return refuse(reply, 503, BROKEN_OFF)
    return refuse(reply, 503, request.method !== 'GET' && isOutcomeUnknown(error) ? OUTCOME_UNKNOWN : DATABASE_AWAY)
  }
  const status = error.statusCode ?? 500
  if (status === 413) return refuse(reply, status, tooLarge(request.routeOptions.bodyLimit))
  if (status >= 400 && status < 500) return refuse(reply, status, sentence(error))
  request.log.error({ err: error }, 'request failed')
  return reply.code(500).send({ statusCode: 500, message: 'Internal server error' })
}

/** Shape B: which fields, and what is wrong with them. */
function answerIssues(reply: FastifyReply, errors: ValidationIssue[]): FastifyReply {
  return reply.code(400).send({ statusCode: 400, message: 'Validation failed', errors })
}

/** Shape C: what happened in a sentence, with the usual name of the status. */
export function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  const error = STATUS_NAMES[status]
  return reply.code(status).send({ message, ...(error ? { error } : {}), statusCode: status })
}

export function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return refuse(reply, 404, `Cannot ${request.method} ${request.url}`)
}

const RETRY_SECONDS = 5
const DATABASE_AWAY = 'The server cannot reach its database just now. Try again in a moment.'
const OUTCOME_UNKNOWN =
  'The connection to the database broke before it confirmed this: it may have been done or not. Look at it in a moment before you send it again; with an Idempotency-Key it can be sent again at once.'
/** A statement that took too long or was cancelled, and a lock that others held for too long. */
const BROKEN_OFF = 'The database has broken this off, as it took too long or others held what it concerns. Try again in a moment.'

const STATUS_NAMES: Record<number, string> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
}

function answerApiError(error: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // A service that is away for a while is a state, such as an import that is under way.
  if (error.status === 503) request.log.warn({ code: error.code, reason: error.message }, 'request refused')
  else if (error.status >= 500) request.log.error({ err: error, code: error.code }, 'request failed')
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds)
  // A refusal carries no reason, so that it reveals no names, methods or roles.
  const isForbidden = error.status === 403
  return reply.code(error.status).send({
    timestamp: new Date().toISOString(),
    path: request.url,
    message: isForbidden ? 'Forbidden' : error.message,
    errorCode: isForbidden ? 'E000' : error.code,
    ...(isForbidden ? {} : error.details),
  })
}

function answerGuard(error: GuardError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  switch (error.kind) {
    case 'unauthorized':
      return reply.code(401).send({ message: 'Unauthorized', statusCode: 401 })
    case 'tokenExpired':
      return refuse(reply, 401, `This API token ended at ${error.detail}. Create another one, or give this one more time.`)
    case 'forbiddenResource':
      return refuse(reply, 403, 'Forbidden resource')
    case 'browserHeaderMissing':
      return refuse(reply, 403, 'Sessions are for the dashboard only. Create an API token for other programs.')
    case 'forbiddenRole':
      return answerApiError(new ApiError(errors.forbiddenRoleError), request, reply)
    case 'notOfRole':
      // The session goes on: only this is not for it.
      return reply
        .code(403)
        .header(MISSING_HEADER, error.detail)
        .send({
          timestamp: new Date().toISOString(),
          path: request.url,
          message: `Your role lacks the permission ${error.detail}. Ask an owner for it.`,
          errorCode: 'E000',
        })
    case 'outOfScope':
      return reply
        .code(403)
        .header(MISSING_HEADER, 'scope')
        .send({
          timestamp: new Date().toISOString(),
          path: request.url,
          message: `This is not open to resellers: you see the users of ${error.detail} only. Ask an administrator.`,
          errorCode: 'E000',
        })
    case 'secondFactorDue':
      return answerApiError(new ApiError(errors.secondFactorDue), request, reply)
    case 'permissionMissing':
      return reply.code(403).send({
        timestamp: new Date().toISOString(),
        path: request.url,
        message: `This API token lacks the permission ${error.detail}. It can be given on the page of API tokens.`,
        errorCode: 'E000',
      })
  }
}

const SENTENCES: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The request body must be JSON (Content-Type: application/json).',
}

const MEBIBYTE = 1024 * 1024

function tooLarge(limitBytes: number): string {
  const most = limitBytes < MEBIBYTE ? `${limitBytes / 1024} KiB` : `${limitBytes / MEBIBYTE} MiB`
  return `The request body is too large: this route takes at most ${most}. Send less at once, for example fewer entries per call.`
}

function sentence(error: FrameworkError): string {
  return SENTENCES[error.code ?? ''] ?? error.message
}
