import type { CertificateFailure } from '@causeway/contract'

const MINUTE_MS = 60_000
/** After each failed try, the last one from then on. Directories allow about five failures of a name in an hour. */
const PAUSES_MINUTES = [5, 15, 60, 180, 360, 720, 1440]
/** Part of its life after which a certificate is renewed. */
const RENEWAL_SHARE = 2 / 3

export function renewalAt(startsAt: Date, endsAt: Date): Date {
  return new Date(startsAt.getTime() + (endsAt.getTime() - startsAt.getTime()) * RENEWAL_SHARE)
}

export interface RenewalWindow {
  start: Date
  end: Date
}

/**
 * When a certificate is renewed earlier than at its usual time, as the directory asks: at a random moment of its window, so
 * that not all come at once (RFC 9773, 4.2). Undefined where the usual time suits it, or is the earlier one.
 */
export function advisedRenewal(usualAt: Date, { start, end }: RenewalWindow, now: Date, random: number): Date | undefined {
  if (end >= usualAt || end < start) return undefined
  const moment = start.getTime() + (end.getTime() - start.getTime()) * random
  return new Date(Math.max(moment, now.getTime()))
}

/** Pause after the given number of failed tries, or as long as the directory asks for. */
export function pauseMs(attempts: number, retryAfterMs: number): number {
  const minutes = PAUSES_MINUTES[Math.min(attempts, PAUSES_MINUTES.length) - 1] ?? 0
  return Math.max(minutes * MINUTE_MS, retryAfterMs)
}

/** A refusal in the directory's words (RFC 8555, 6.7). */
export interface Problem {
  status: number
  /** Such as `urn:ietf:params:acme:error:rateLimited`. */
  type: string
  detail: string
  retryAfterMs: number
}

/** Directories that answer in their own way where a name has no address. */
const NAME_LOST = /could not resolve|resolving|nxdomain|servfail|no valid (a|ip) /i

/** `isChallenge`: the directory has tried to reach this server by the name. */
export function failureOf(problem: Problem | undefined, isChallenge: boolean): CertificateFailure {
  if (problem === undefined) return 'directoryAway'
  const kind = problem.type.split(':').at(-1)
  if (kind === 'rateLimited' || problem.status === 429) return 'rateLimited'
  if (problem.status >= 500) return 'directoryAway'
  if (kind === 'externalAccountRequired' || kind === 'userActionRequired' || kind === 'accountDoesNotExist')
    return 'accountRefused'
  if (kind === 'invalidContact' || kind === 'unsupportedContact') return 'accountRefused'
  if (kind === 'dns' || (isChallenge && NAME_LOST.test(problem.detail))) return 'nameUnknown'
  if (kind === 'connection') return 'portClosed'
  if (isChallenge && ['unauthorized', 'incorrectResponse', 'tls'].includes(kind ?? '')) return 'otherServer'
  return kind === 'unauthorized' ? 'accountRefused' : 'refused'
}

const SENTENCES: Record<CertificateFailure, (name: string, ports: string) => string> = {
  rateLimited: () => 'The directory has given too many certificates lately, or seen too many failures, and asks to wait.',
  nameUnknown: (name) => `The directory finds no address of ${name}. Add an A or AAAA record at the DNS provider.`,
  portClosed: (name, ports) => `The directory does not reach ${name} at ${ports}. Open the firewall, and let the name lead here.`,
  otherServer: (name) => `Another server answers the directory at ${name}. Let its A and AAAA records lead to this server.`,
  refused: (name) => `The directory refused a certificate for ${name}.`,
  accountRefused: () => 'The directory refused the account. Check ACME_EMAIL, ACME_EAB_KID and ACME_EAB_HMAC_KEY.',
  directoryAway: () => 'The directory of ACME_DIRECTORY does not answer.',
}

/** For the log and for `causeway doctor`. */
export function sentenceOfFailure(failure: CertificateFailure, name: string, ports: string): string {
  return SENTENCES[failure](name, ports)
}
