import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../ctx.ts'
import { everyone } from '../lib/scope.ts'
import { pageCookie } from './cookies.ts'
import { GuardError, origin } from './guards.ts'
import { refuse } from './replies.ts'

export interface PageGuard {
  /** Basic credentials that open the pages too, for programs that scrape them. */
  basic: { user: string; password: string } | null
  realm: string
  /** Callers with the cookie set at sign-in. */
  authenticatePage: (token: string, request: FastifyRequest) => Promise<Caller>
  /** Asked before credentials are looked at; refuses an address that has been guessing. */
  beforeBasic: (caller: Caller) => Promise<void>
  /** Told of wrong credentials. */
  afterWrongBasic: (caller: Caller) => Promise<void>
}

/** Admits the browser of a signed-in administrator, or Basic credentials (docs/wire.md 12). */
export async function authorizePage(
  guard: PageGuard,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (await findPageCaller(guard, request, reply)) return undefined
  return refuse(reply, 401, 'Sign in to the dashboard in this browser first, then open this page again.')
}

/**
 * Returns the caller of a page, if it is permitted. A browser that is not is told that credentials would do, where
 * there are any.
 */
export async function findPageCaller(
  guard: PageGuard,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | undefined> {
  const given = basicCredentials(request)
  if (given && guard.basic) {
    const caller: Caller = { kind: 'anonymous', scope: everyone, uuid: null, name: given.user, ...origin(request) }
    await guard.beforeBasic(caller)
    const isRight = isSame(given.user, guard.basic.user) && isSame(given.password, guard.basic.password)
    if (isRight) return caller
    await guard.afterWrongBasic(caller)
  }
  const cookie = pageCookie(request)
  const signedIn = cookie === undefined ? undefined : await findSignedIn(guard, cookie, request)
  if (!signedIn && guard.basic) reply.header('www-authenticate', `Basic realm="${guard.realm}"`)
  return signedIn
}

async function findSignedIn(guard: PageGuard, cookie: string, request: FastifyRequest): Promise<Caller | undefined> {
  try {
    return await guard.authenticatePage(cookie, request)
  } catch (error) {
    if (error instanceof GuardError) return undefined
    throw error
  }
}

function basicCredentials(request: FastifyRequest): { user: string; password: string } | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!encoded) return undefined
  const [user = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  return { user, password: rest.join(':') }
}

/** Compares digests, whose length and time tell nothing. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
