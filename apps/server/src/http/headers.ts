import compress from '@fastify/compress'
import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import { constants } from 'node:zlib'
import type { Config } from '../config.ts'
import { plainAddress } from '../lib/addresses.ts'
import { refuse } from './replies.ts'

const HIDE_FROM_SEARCH = 'noindex, nofollow, noarchive, nosnippet, noimageindex'
const COMPRESS_FROM_BYTES = 1024
const COMPRESS_AT_ONCE_BYTES = 128 * 1024
const YEAR_SECONDS = 31_536_000

/**
 * Headers of every answer. The policy lets nothing run but our own files. Styles may be inline because the component
 * library and the editor write them; WebAssembly may be compiled because of the validator.
 */
export async function addHeaders(app: FastifyInstance, config: Config): Promise<void> {
  addSecurityHeaders(app, config)
  if (config.REQUIRE_HTTPS_PROXY) requireHttpsProxy(app)
  if (config.TRUSTED_PROXIES.length === 0) warnOfUntrustedProxy(app)
  if (config.TELEGRAM_OAUTH_ENABLED) allowTelegramWidget(app)
  if (config.FRONT_END_DOMAIN) {
    // The plugin's own answer to preflights; they carry no token.
    app.addHook('onRoute', (route) => {
      if (route.method === 'OPTIONS') route.config = { ...route.config, access: 'public' }
    })
    await app.register(cors, {
      origin: corsOrigin(config.FRONT_END_DOMAIN),
      methods: ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'],
      credentials: false,
    })
  }
  await app.register(compress, {
    global: true,
    // Requests are never unpacked: a small body could become a huge one.
    globalDecompression: false,
    threshold: COMPRESS_FROM_BYTES,
    // Compressing through a thread costs ten times as much as compressing a subscription, which blocks the loop no
    // longer than writing it does.
    syncThreshold: COMPRESS_AT_ONCE_BYTES,
    encodings: ['br', 'gzip'],
    // As apps take it. At six, the usual one, a subscription takes a sixth to a third more of the server's time.
    zlibOptions: { level: 3 },
    // Lists repeat themselves within a window of 64 kB. A window of 4 MB made nothing smaller, and fifty long replies
    // at once left 175 MB behind instead of 76.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 16 } },
  })
}

/** For the port of the API and for the one of the metrics. */
export function addSecurityHeaders(app: FastifyInstance, config: Config): void {
  const everywhere = securityHeaders(config)
  app.addHook('onRequest', (_, reply, done) => {
    reply.headers(everywhere)
    done()
  })
}

/** Headers of every answer, also to a request that could not be parsed. */
export function securityHeaders({
  REQUIRE_HTTPS_PROXY,
  isTls,
  MUSIC_PLAYLIST_URL,
}: Pick<Config, 'REQUIRE_HTTPS_PROXY' | 'isTls' | 'MUSIC_PLAYLIST_URL'>): Record<string, string> {
  const music = MUSIC_PLAYLIST_URL === null ? [] : [new URL(MUSIC_PLAYLIST_URL).origin]
  return {
    'x-robots-tag': HIDE_FROM_SEARCH,
    'content-security-policy': policyText(policy({ music })),
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-site',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
    // Only where TLS is certain; a browser that once saw it on http://localhost would refuse that for a year.
    ...(REQUIRE_HTTPS_PROXY || isTls ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}; includeSubDomains` } : {}),
  }
}

function policyText(directives: Record<string, string[]>): string {
  return Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(' '))
    .join(';')
}

/** `music`: the one host that the hidden game's player may ask, where one is configured. */
function policy(extra: { scripts?: string[]; frames?: string[]; music?: string[] } = {}): Record<string, string[]> {
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'", "'wasm-unsafe-eval'", ...(extra.scripts ?? [])],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'", 'data:'],
    'connect-src': ["'self'", ...(extra.music ?? [])],
    // blob: is music that the browser has made itself.
    'media-src': ["'self'", 'blob:', ...(extra.music ?? [])],
    'worker-src': ["'self'", 'blob:'],
    'manifest-src': ["'self'"],
    ...(extra.frames ? { 'frame-src': extra.frames } : {}),
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  }
}

/** The login page alone may load the widget of Telegram, and only while that login is on (docs/wire.md 11). */
function allowTelegramWidget(app: FastifyInstance): void {
  const directives = policy({ scripts: ['https://telegram.org'], frames: ['https://oauth.telegram.org'] })
  const text = policyText(directives)
  app.addHook('onRequest', (request, reply, done) => {
    if (/^\/auth\/login\/?(\?|$)/i.test(request.url)) reply.header('content-security-policy', text)
    done()
  })
}

/** In place of a TLS check: the proxy in front says how the request came in (docs/wire.md 2). */
function requireHttpsProxy(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { 'x-forwarded-for': from, 'x-forwarded-proto': scheme } = request.headers
    if ((from && scheme === 'https') || isProbe(request.url)) return done()
    // Headers that promise TLS would be false in this answer.
    refuse(
      reply.removeHeader('strict-transport-security'),
      400,
      'This server answers only behind an HTTPS proxy that sends X-Forwarded-For and X-Forwarded-Proto: https. Open it through the proxy.',
    )
  })
}

/** Behind a proxy that is not configured all callers share one address, so that a password guesser locks out all. */
function warnOfUntrustedProxy(app: FastifyInstance): void {
  let isTold = false
  app.addHook('onRequest', (request, _, done) => {
    done()
    if (isTold || request.headers['x-forwarded-for'] === undefined) return
    isTold = true
    app.log.warn(
      { proxy: plainAddress(request.ip) },
      'Requests come through a proxy that TRUSTED_PROXIES does not name, so all its callers count as one address. Name it there.',
    )
  })
}

/** Monitoring asks directly, without a proxy. */
function isProbe(url: string): boolean {
  return /^\/(health(\/ready)?|metrics)\/?(\?|$)/i.test(url)
}

/** Administrators write a domain, an origin or `*`; browsers send an origin. */
function corsOrigin(domain: string): string | string[] {
  if (domain === '*' || domain.includes('://')) return domain
  return [`https://${domain}`, `http://${domain}`]
}
