import type { KnownError } from '@causeway/contract'

export interface FailOptions {
  message?: string
  cause?: unknown
  retryAfterSeconds?: number
  /** Sent beside the message, by the schema of what it is. */
  details?: Readonly<Record<string, unknown>>
}

/** A failure of the catalogue. The message goes to the caller, the cause to the log only. */
export class ApiError extends Error {
  readonly code: KnownError['code']
  readonly status: number
  /** Sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined
  readonly details: FailOptions['details']

  constructor(error: KnownError, options: FailOptions = {}) {
    super(options.message ?? error.message, { cause: options.cause })
    this.code = error.code
    this.status = error.status
    this.retryAfterSeconds = options.retryAfterSeconds
    this.details = options.details
  }
}

/** Fails with an error of the catalogue: `fail(errors.userNotFound)`; `message` replaces its text. */
export function fail(error: KnownError, options: FailOptions = {}): never {
  throw new ApiError(error, options)
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

/** The same for several fields at once; those without a problem are passed over, and without any nothing happens. */
export function refuseFields(problems: Record<string, string | undefined>): void {
  const issues = Object.entries(problems).flatMap(([path, message]) =>
    message === undefined ? [] : [{ code: 'custom', path: path.split('.'), message }],
  )
  if (issues.length > 0) throw new ValidationError(issues)
}
