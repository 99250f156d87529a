import { writeFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

/** Where the reporter writes to. */
export const OUTSIDE_ERRORS = 'OUTSIDE_ERRORS'

/** A reporter for Vitest: writes what went wrong outside of all tests, which its own report in JSON leaves out. */
// eslint-disable-next-line boundaries/default-exports -- Vitest takes a reporter from its file by the default export
export default class OutsideErrors implements Reporter {
  onTestRunEnd: NonNullable<Reporter['onTestRunEnd']> = (_, errors) => {
    const file = process.env[OUTSIDE_ERRORS]
    if (file !== undefined) writeFileSync(file, JSON.stringify(errors.map(describeError)))
  }
}

/** The error's own words and those of what caused it, which alone tell a page that died from a mistake. */
function describeError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  const { message, stack, cause } = error as { message?: unknown; stack?: unknown; cause?: unknown } // whatever was thrown
  const own = typeof stack === 'string' && stack !== '' ? stack : String(message)
  const said = typeof message === 'string' && !own.includes(message) ? `${message}\n${own}` : own
  return cause === undefined ? said : `${said}\nCaused by: ${describeError(cause)}`
}
