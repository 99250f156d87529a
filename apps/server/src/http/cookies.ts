import { randomBytes } from 'node:crypto'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const PAGE_COOKIE = 'causeway_page'
const BROWSER_COOKIE = 'causeway_browser'
/** Pages outside the dashboard that a signed-in administrator may open: the browser sends the cookie to these only. */
const PAGE_PATHS = ['/api/queues', '/metrics']
const BROWSER_PATH = '/api/auth/oauth2'
const BROWSER_LIFETIME_SECONDS = 10 * 60
const SIGNED_IN_COOKIE = 'causeway_signed_in'
const SIGN_IN_PATH = '/api/auth'

/** Cookies are read where they are asked for: by the few pages outside the dashboard. */
export async function readCookies(app: FastifyInstance): Promise<void> {
  await app.register(cookie, { hook: false })
}

function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const { cookie: header } = request.headers
  return header === undefined ? undefined : request.server.parseCookie(header)[name]
}

/** Lets the signed-in administrator open the pages outside the dashboard, which cannot send a bearer token. */
function setPageCookie(request: FastifyRequest, reply: FastifyReply, token: string, expires: Date): void {
  for (const path of PAGE_PATHS) {
    reply.setCookie(PAGE_COOKIE, token, {
      path,
      expires,
      httpOnly: true,
      sameSite: 'strict',
      secure: isOverTls(request),
    })
  }
}

/**
 * Also behind a proxy that is not trusted with addresses: a client that forges the header only restricts its own
 * cookie to TLS.
 */
function isOverTls({ protocol, headers }: FastifyRequest): boolean {
  return protocol === 'https' || headers['x-forwarded-proto'] === 'https'
}

interface StartedSession {
  accessToken: string
  pageToken: string
  expiresAt: Date
  browserToken: string
  browserExpiresAt: Date
}

/** Sets the cookies of a session that has just begun. Returns what the wire answers. */
export function startSessionCookies(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { accessToken, pageToken, expiresAt, browserToken, browserExpiresAt }: StartedSession,
): { accessToken: string } {
  setPageCookie(request, reply, pageToken, expiresAt)
  setSignedInCookie(request, reply, browserToken, browserExpiresAt)
  return { accessToken }
}

export function clearPageCookie(reply: FastifyReply): void {
  for (const path of PAGE_PATHS) reply.clearCookie(PAGE_COOKIE, { path })
}

export function pageCookie(request: FastifyRequest): string | undefined {
  return cookieOf(request, PAGE_COOKIE)
}

/** Shows at the next sign-in that this browser has signed in before. It opens nothing, so signing out leaves it. */
function setSignedInCookie(request: FastifyRequest, reply: FastifyReply, token: string, expires: Date): void {
  reply.setCookie(SIGNED_IN_COOKIE, token, {
    path: SIGN_IN_PATH,
    expires,
    httpOnly: true,
    sameSite: 'strict',
    secure: isOverTls(request),
  })
}

export function signedInCookie(request: FastifyRequest): string | undefined {
  return cookieOf(request, SIGNED_IN_COOKIE)
}

/** Knows a browser again while it is away at a sign-in provider. Several attempts at once share it. */
export function browserId(request: FastifyRequest, reply: FastifyReply): string {
  const id = cookieOf(request, BROWSER_COOKIE) ?? randomBytes(24).toString('base64url')
  reply.setCookie(BROWSER_COOKIE, id, {
    path: BROWSER_PATH,
    maxAge: BROWSER_LIFETIME_SECONDS,
    httpOnly: true,
    sameSite: 'lax',
    secure: isOverTls(request),
  })
  return id
}

export function knownBrowserId(request: FastifyRequest): string | undefined {
  return cookieOf(request, BROWSER_COOKIE)
}
