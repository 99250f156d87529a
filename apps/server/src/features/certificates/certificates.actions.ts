import type { ServerCertificate } from '@causeway/contract'
import { X509Certificate } from 'node:crypto'
import type { Acme } from '../../config.ts'
import type { Ctx } from '../../ctx.ts'
import {
  claimDue,
  hastenFailed,
  insertNames,
  listServerCertificates,
  noteFailure,
  setChallenge,
  storeCertificate,
} from './certificates.queries.ts'
import { failureOf, pauseMs, renewalAt, sentenceOfFailure } from './certificates.rules.ts'
import type { ChallengeKind, OrderError } from './order.actions.ts'
import { openRenewalAdvice } from './renewal-info.actions.ts'

const LOOK_MS = 10_000
/** After a restart a failed try is made again no sooner than this, so that a server that restarts in circles asks little. */
const RESTART_PAUSE_MS = 60_000

/** What the wrapped keys are for. */
export const keyPurpose = (name: string) => `certificate of ${name}`

/** Gets and renews certificates from now on, until it is stopped. `isHttpOpen`: challenges can be answered on the port of HTTP. */
export function renewCertificates(ctx: Ctx, settings: Acme, isHttpOpen: boolean): () => Promise<void> {
  let isStopped = false
  let running = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const followAdvice = openRenewalAdvice(ctx, settings)
  const look = () => {
    running = followAdvice()
      .then(() => renewDue(ctx, settings, isHttpOpen))
      .catch((error: unknown) => ctx.log.error({ err: error }, 'certificates could not be looked at'))
      .then(() => {
        if (!isStopped) timer = setTimeout(look, LOOK_MS)
      })
  }
  running = prepare(ctx, settings)
    .catch((error: unknown) => ctx.log.error({ err: error }, 'certificates could not be looked at'))
    .then(() => {
      if (!isStopped) look()
    })
  return async () => {
    isStopped = true
    clearTimeout(timer)
    // An order at a directory takes a minute, which a stop does not wait for; the next server takes it up.
    await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 1000))])
  }
}

async function prepare({ db, now }: Ctx, { names }: Acme): Promise<void> {
  await insertNames(db, names, now())
  await hastenFailed(db, names, new Date(now().getTime() + RESTART_PAUSE_MS))
}

/** Tries for a certificate for each name that is due. */
export async function renewDue(ctx: Ctx, settings: Acme, isHttpOpen: boolean): Promise<void> {
  for (const { name, attempts, chain } of await claimDue(ctx.db, settings.names, settings.directory, ctx.now()))
    await renew(ctx, settings, { name, attempts, chain, kinds: isHttpOpen ? ['http-01', 'tls-alpn-01'] : ['tls-alpn-01'] })
}

interface Due {
  name: string
  attempts: number
  /** The certificate so far. */
  chain: string | null
  kinds: ChallengeKind[]
}

async function renew(ctx: Ctx, settings: Acme, due: Due): Promise<void> {
  const { db, log, now } = ctx
  const { name, attempts } = due
  try {
    const { chain, key } = await obtain(ctx, settings, due)
    const { validFromDate: startsAt, validToDate: endsAt } = new X509Certificate(chain)
    const dueAt = renewalAt(startsAt, endsAt)
    await storeCertificate(db, name, { chain, wrappedKey: ctx.secrets.wrap(keyPurpose(name), key), startsAt, endsAt, dueAt })
    log.info({ name, endsAt, renewsAt: dueAt }, 'certificate issued')
  } catch (error) {
    const { problem, isChallenge, message: detail } = asOrderError(error)
    const failure = failureOf(problem, isChallenge)
    const failedAt = now()
    const dueAt = new Date(failedAt.getTime() + pauseMs(attempts + 1, problem?.retryAfterMs ?? 0))
    await noteFailure(db, name, { attempts: attempts + 1, failure, detail, failedAt, dueAt })
    log.error({ name, failure, detail, nextTryAt: dueAt }, sentenceOfFailure(failure, name, portsOf(ctx.config)))
  }
}

/** By the first kind of challenge that succeeds. Where all fail, the first failure is told: it is about the usual port. */
async function obtain(ctx: Ctx, settings: Acme, { name, kinds, chain }: Due): Promise<{ chain: string; key: string }> {
  const { makeKey, orderCertificate, OrderError } = await import('./order.actions.ts')
  const accountKey = await ctx.secrets.get(`acmeAccount ${settings.directory}`, makeKey)
  let first: OrderError | undefined
  for (const kind of kinds) {
    try {
      const showAnswer = (token: string, answer: string) => setChallenge(ctx.db, name, token, answer)
      return await orderCertificate({ name, accountKey, settings, kind, showAnswer, replaced: chain })
    } catch (error) {
      if (!(error instanceof OrderError)) throw error
      ctx.log.warn({ name, challenge: kind, detail: error.message }, 'certificate not issued')
      first ??= error
      if (!error.isChallenge) break
    }
  }
  throw first ?? new Error('There is no challenge to answer.')
}

function asOrderError(error: unknown): Pick<OrderError, 'problem' | 'isChallenge' | 'message'> {
  if (error instanceof Error && 'isChallenge' in error) return error as OrderError // the only error with that member
  return { problem: undefined, isChallenge: false, message: error instanceof Error ? error.message : String(error) }
}

/** The ports that a directory asks at, in words. */
export function portsOf({ redirectPort }: { redirectPort: number }): string {
  return redirectPort === 0 ? 'port 443' : 'the ports 80 and 443'
}

/** For administrators; nothing where certificates are not got here. */
export async function findServerCertificates({ config, db }: Ctx): Promise<ServerCertificate[] | undefined> {
  if (config.acme === null) return undefined
  const held = await listServerCertificates(db, config.acme.names)
  return held.map(({ name, endsAt, failure, detail, attempts, dueAt }) => ({
    name,
    endsAt: endsAt?.toISOString() ?? null,
    failure,
    detail,
    attempts,
    nextTryAt: dueAt.toISOString(),
  }))
}
