import { createHmac } from 'node:crypto'
import type { Ctx } from '../../ctx.ts'
import { requestOutside } from '../../lib/outgoing.ts'
import { bodyOf, type SentEvent } from './body.rules.ts'
import type { Outcome } from './deliveries.queries.ts'
import { failureSentence, isAccepted, refusalSentence } from './retry.rules.ts'
import type { Sending } from './webhooks.queries.ts'

export const TIMEOUT_MS = 10_000
const ANSWER_BYTES = 2048

export const secretPurpose = 'webhook secret'

/** The secrets of a webhook; the previous one only while the overlap lasts. */
export function secretsOf(
  ctx: Ctx,
  hook: Pick<Sending, 'secret' | 'previousSecret' | 'previousSecretEndsAt' | 'hasNewSecret'>,
): Secrets {
  const isOverlap = hook.previousSecretEndsAt !== null && hook.previousSecretEndsAt > ctx.now()
  return {
    current: ctx.secrets.unwrap(secretPurpose, hook.secret),
    previous: isOverlap && hook.previousSecret !== null ? ctx.secrets.unwrap(secretPurpose, hook.previousSecret) : null,
    isAccepted: hook.hasNewSecret,
  }
}

/** Sends an event once. During an overlap a receiver that refuses the old signature is asked with the new one at once. */
export async function sendEvent(
  ctx: Ctx,
  hook: Sending,
  event: SentEvent,
  attempt: number,
): Promise<Outcome & { isNewSecret: boolean }> {
  const secrets = secretsOf(ctx, hook)
  const body = bodyOf(event, hook.expiryNames)
  const first = await post(ctx, hook.url, headersOf(event, body, secrets, attempt), body)
  const isRefused = first.status === 401 || first.status === 403
  if (!isRefused || secrets.previous === null || secrets.isAccepted) return { ...first, isNewSecret: false }
  const second = await post(ctx, hook.url, headersOf(event, body, { ...secrets, isAccepted: true }, attempt), body)
  return { ...second, isNewSecret: second.error === null }
}

async function post(ctx: Ctx, url: string, headers: Record<string, string>, body: string): Promise<Outcome> {
  const [at, start] = [ctx.now(), performance.now()]
  const duration = () => Math.round(performance.now() - start)
  try {
    const reply = await requestOutside(url, {
      method: 'POST',
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      firstBytes: ANSWER_BYTES,
      allowedPrivateHosts: ctx.config.OUTGOING_PRIVATE_HOSTS,
    })
    const { status } = reply
    // The database keeps no NUL in text.
    const answer = reply.body.toString('utf8').replaceAll('\0', '')
    return { at, durationMs: duration(), status, answer, error: isAccepted(status) ? null : refusalSentence(status) }
  } catch (error) {
    return { at, durationMs: duration(), status: null, answer: null, error: failureSentence(error, TIMEOUT_MS) }
  }
}

function signatureOf(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

interface Secrets {
  current: string
  /** During the overlap after a rotation. */
  previous: string | null
  /** The receiver has accepted the current one. */
  isAccepted: boolean
}

/**
 * Receivers compare one header with one secret. During the overlap it is the signature that the receiver accepted last; the other
 * header holds both, the newer first.
 */
export function headersOf(event: SentEvent, body: string, secrets: Secrets, attempt: number): Record<string, string> {
  const signatures = [secrets.current, ...(secrets.previous === null ? [] : [secrets.previous])].map((secret) =>
    signatureOf(body, secret),
  )
  const main = secrets.previous === null || secrets.isAccepted ? signatures[0] : signatures[1]
  return {
    'content-type': 'application/json',
    'user-agent': 'Remnawave',
    'x-remnawave-signature': main ?? '',
    'x-remnawave-timestamp': event.at.toISOString(),
    'x-causeway-signatures': signatures.join(', '),
    'x-causeway-event-id': event.uuid,
    'x-causeway-attempt': String(attempt),
  }
}
