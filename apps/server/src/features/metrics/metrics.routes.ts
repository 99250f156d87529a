import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { followEvents } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { answerBrokenRequest } from '../../http/broken-requests.ts'
import { readCookies } from '../../http/cookies.ts'
import { refuseUnguardedRoutes } from '../../http/guarded-routes.ts'
import { addSecurityHeaders, securityHeaders } from '../../http/headers.ts'
import { authorizePage, type PageGuard } from '../../http/page-guard.ts'
import { answerError, answerNotFound } from '../../http/replies.ts'
import { trustedProxies } from '../../lib/addresses.ts'
import { serveHealth } from './health.actions.ts'
import type { Metrics } from './metrics.actions.ts'

const MS_PER_SECOND = 1000

export function serveMetrics(app: FastifyInstance, metrics: Metrics, guard: PageGuard): void {
  app.route({
    method: 'GET',
    url: '/metrics',
    config: { access: 'page' },
    onRequest: (request, reply) => authorizePage(guard, request, reply),
    handler: async (_, reply) =>
      reply
        .header('cache-control', 'no-store')
        .type(metrics.contentType)
        .send(await metrics.text()),
  })
}

/** Times every answer of the API. */
export function timeRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    // A stream takes as long as its tab is open.
    if (request.routeOptions.url !== followEvents.path)
      metrics.noteRequest(request.method, reply.statusCode, reply.elapsedTime / MS_PER_SECOND)
    done()
  })
}

/** Metrics and health on a port of their own (METRICS_PORT), away from what the world can reach. */
export async function buildMetricsApp(ctx: Ctx, metrics: Metrics, guard: PageGuard): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = ctx.log
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies(ctx.config.TRUSTED_PROXIES),
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply.headers(securityHeaders(ctx.config))),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, securityHeaders(ctx.config)),
  })
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(answerNotFound)
  refuseUnguardedRoutes(app)
  addSecurityHeaders(app, ctx.config)
  await readCookies(app)
  serveHealth(app, ctx)
  serveMetrics(app, metrics, guard)
  return app
}
