const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** After so many failed attempts the next pause; the last one repeats. */
const PAUSES_MS = [5000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS] as const
/** A delivery is tried for as long, and a webhook without success is stopped after it. */
export const TRIED_FOR_MS = 24 * HOUR_MS
/** From so many failures in a row on, a webhook is failing: it is probed with one delivery at a time. */
export const FAILING_FROM = 3

export function pauseAfter(failures: number): number {
  return PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? PAUSES_MS[0]
}

export const isFailing = ({ failures }: { failures: number }) => failures >= FAILING_FROM

export const isAccepted = (status: number | null) => status !== null && status >= 200 && status < 300

const SENTENCES: Record<string, string> = {
  ECONNREFUSED: 'Nothing listens at this address.',
  ENOTFOUND: 'The name of the host is unknown.',
  EAI_AGAIN: 'The name of the host could not be looked up.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network of the host cannot be reached.',
  ECONNRESET: 'The receiver closed the connection early.',
  UND_ERR_SOCKET: 'The receiver closed the connection early.',
  UND_ERR_CONNECT_TIMEOUT: 'The host did not answer in time.',
  ETIMEDOUT: 'The host did not answer in time.',
  CERT_HAS_EXPIRED: 'The certificate of the receiver has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the receiver is for another name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the receiver is signed by itself.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the receiver is signed by an unknown authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate of the receiver is signed by an unknown authority.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate of the receiver is signed by an unknown authority.',
  UND_ERR_SOCKS5_AUTH_REJECTED: 'The proxy asks for a name and password.',
  UND_ERR_SOCKS5_AUTH_FAILED: 'The proxy refuses the name or password.',
  UND_ERR_SOCKS5_VERSION: 'What listens there is no SOCKS5 proxy.',
}

/** Says in a sentence why there was no answer. */
export function failureSentence(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'The request failed.'
  if (error.name === 'TimeoutError') return `There was no whole answer within ${timeoutMs / 1000} seconds.`
  const code = 'code' in error ? String(error.code) : ''
  const cause = error.cause instanceof Error ? failureSentence(error.cause, timeoutMs) : undefined
  return SENTENCES[code] ?? cause ?? error.message
}

/** Says in a sentence why an answer is none that counts. */
export function refusalSentence(status: number): string {
  if (status >= 300 && status < 400)
    return `It answered ${status}, a redirect, which is not followed. Enter the address it leads to.`
  if (status === 401 || status === 403) return `It answered ${status}: it does not accept the signature. Compare the secrets.`
  return `It answered ${status}. Only answers from 200 to 299 count as received.`
}
