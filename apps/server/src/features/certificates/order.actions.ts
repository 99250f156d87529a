import { AsyncLocalStorage } from 'node:async_hooks'
import acme from 'acme-client'
import { z } from 'zod'
import type { Acme } from '../../config.ts'
import type { Problem } from './certificates.rules.ts'
import { certificateId } from './renewal-info.actions.ts'

// Talks to ACME directories (RFC 8555). Read only where a certificate is to be got: the library is large.

const ANSWER_LIMIT_MS = 30_000
/** Polls of a state at the directory, each after a longer pause, about a minute in all. */
const POLLS = { backoffAttempts: 12, backoffMin: 1000, backoffMax: 8000 }
const SECOND_MS = 1000
const BAD_REQUEST = 400

const CHALLENGES = ['http-01', 'tls-alpn-01'] as const
export type ChallengeKind = (typeof CHALLENGES)[number]

/** What the directory said last, while a certificate is ordered: the library gives only its text. */
const said = new AsyncLocalStorage<{ problem: Problem | undefined }>()

acme.axios.defaults.timeout = ANSWER_LIMIT_MS
// The library would wait as long as a directory asks for, which may be hours.
Object.assign(acme.axios.defaults, { acmeSettings: { retryMaxAttempts: 0, retryDefaultDelay: 0 } })
acme.axios.interceptors.response.use((reply) => {
  const heard = said.getStore()
  const problem = heard && readProblem(reply.status, reply.data, reply.headers['retry-after'])
  if (heard && problem) heard.problem = problem
  return reply
})

export class OrderError extends Error {
  readonly problem: Problem | undefined
  /** Whether the directory tried to reach this server. */
  readonly isChallenge: boolean
  constructor(error: unknown, problem: Problem | undefined, isChallenge: boolean) {
    super(problem?.detail ?? (error instanceof Error ? error.message : String(error)), { cause: error })
    this.problem = problem
    this.isChallenge = isChallenge
  }
}

interface Order {
  name: string
  accountKey: string
  settings: Acme
  kind: ChallengeKind
  showAnswer: (token: string, answer: string) => Promise<void>
  /** The certificate that the new one is in place of. */
  replaced: string | null
}

/** Orders a certificate for a name. @throws OrderError */
export function orderCertificate(order: Order): Promise<{ chain: string; key: string }> {
  const heard: { problem: Problem | undefined } = { problem: undefined }
  let isChallenge = false
  return said.run(heard, async () => {
    try {
      const { name, accountKey, settings, kind, showAnswer, replaced } = order
      heard.problem = await reachDirectory(settings.directory)
      if (heard.problem) throw new Error(heard.problem.detail)
      const client = new acme.Client({
        directoryUrl: settings.directory,
        accountKey,
        ...POLLS,
        ...(settings.eab ? { externalAccountBinding: settings.eab } : {}),
      })
      const id = replaced === null ? undefined : certificateId(replaced)
      if (id !== undefined) nameReplaced(client, id, heard)
      const [key, csr] = await acme.crypto.createCsr({ altNames: [name] }, await acme.crypto.createPrivateEcdsaKey('P-256'))
      const chain = await client.auto({
        csr,
        email: settings.email,
        termsOfServiceAgreed: true,
        skipChallengeVerification: true,
        challengePriority: [kind],
        challengeCreateFn: async (_, { type, token }, answer) => {
          if (type !== kind) throw new Error(`The directory offers no challenge ${kind}.`)
          isChallenge = true
          await showAnswer(token, answer)
        },
        challengeRemoveFn: async () => {}, // the end of the try removes it
      })
      return { chain, key: key.toString() }
    } catch (error) {
      throw new OrderError(error, heard.problem, isChallenge)
    }
  })
}

/**
 * Names the certificate that the new one is in place of (RFC 9773, 5), which spares limits of the directory. One that does
 * not take it is asked without: it may be another directory's certificate, or replaced already.
 */
function nameReplaced(client: acme.Client, id: string, heard: { problem: Problem | undefined }): void {
  const createOrder = client.createOrder.bind(client)
  client.createOrder = async (order) => {
    try {
      return await createOrder({ ...order, replaces: id } as typeof order) // the library sends what it does not know
    } catch (error) {
      if (heard.problem?.type.endsWith(':rateLimited')) throw error
      heard.problem = undefined
      return createOrder(order)
    }
  }
}

/** The library hides why a directory does not answer. */
async function reachDirectory(url: string): Promise<Problem | undefined> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }).catch((error: unknown) => {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    throw new Error(`${url}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause: error })
  })
  await reply.body?.cancel()
  if (reply.ok) return undefined
  return readProblem(reply.status, {}, reply.headers.get('retry-after'))
}

/** Key of an account, and of the certificate that answers TLS-ALPN-01. */
export async function makeKey(): Promise<string> {
  return (await acme.crypto.createPrivateEcdsaKey('P-256')).toString()
}

/** The certificate that answers TLS-ALPN-01 (RFC 8737). */
export async function answeringCertificate(name: string, answer: string): Promise<{ key: string; cert: string }> {
  const identified = { identifier: { type: 'dns', value: name } }
  const [key, cert] = await acme.crypto.createAlpnCertificate(identified as never, answer) // reads the name only
  return { key: key.toString(), cert: cert.toString() }
}

const problemBody = z.object({ type: z.string().default(''), detail: z.string().optional() })
const answer = z.object({ error: problemBody.optional() }).and(problemBody).catch({ type: '' })

/** Errors come as an answer's body, or inside of the challenge that failed. */
function readProblem(status: number, body: unknown, retryAfter: unknown): Problem | undefined {
  const { error, ...outside } = answer.parse(body)
  if (status < BAD_REQUEST && error === undefined) return undefined
  const { type, detail = `status ${status}` } = error ?? outside
  if (type.endsWith(':badNonce')) return undefined // the library asks again
  const seconds = typeof retryAfter === 'string' && /^\d+$/.test(retryAfter) ? Number(retryAfter) : 0
  return { status, type, detail, retryAfterMs: seconds * SECOND_MS }
}
