import { ConnectError } from '@connectrpc/connect'

const LONGEST = 1000

/** The message of Xray's API for a refused call, or the reason why the call did not reach it. */
export function refusal(error: unknown): string {
  return readable(ConnectError.from(error).rawMessage)
}

/** The reason in the output of an Xray that would not start; undefined when there is none. */
export function complaint(output: string): string | undefined {
  const line = output
    .split('\n')
    .map((text) => text.trim())
    .findLast((text) => /^(Failed to start|panic|fatal error)/.test(text))
  return line && readable(line.replace(/^Failed to start: /, ''))
}

/** Without the names of Go packages that Xray puts before each part of a message. */
function readable(message: string): string {
  return message
    .replace(/(^|> )(main|(?:[a-z0-9_]+\/)+[a-z0-9_]+): /g, '$1')
    .replaceAll(' > ', ': ')
    .slice(0, LONGEST)
}
