import { errors, type ErrorCode } from '@causeway/contract'

export interface FailOptions {
  message?: string
  status?: number
  cause?: unknown
  retryAfterSeconds?: number
}

/** A failure of the catalogue. The message goes to the caller; `cause` and `details` go to the log only. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** Sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, options: FailOptions = {}) {
    super(options.message ?? errors[code].message, { cause: options.cause })
    this.code = code
    this.status = options.status ?? errors[code].status
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** Fails with a code of the wire's catalogue; `message` replaces its text, `status` its status where decided so. */
export function fail(code: ErrorCode, options: FailOptions = {}): never {
  throw new ApiError(code, options)
}

export interface ValidationIssue {
  code: string
  path: (string | number)[]
  message: string
  [detail: string]: unknown
}

/** Parameters, query or body that break their schema: shape B of the wire. */
export class ValidationError extends Error {
  readonly issues: ValidationIssue[]

  constructor(issues: ValidationIssue[]) {
    super('Validation failed')
    this.issues = issues
  }
}

/** Refuses one field with a sentence, in the form of a schema failure; for rules that a schema cannot see. */
export function refuseField(path: string, message: string): never {
  throw new ValidationError([{ code: 'custom', path: path.split('.'), message }])
}
