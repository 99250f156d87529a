import path from 'node:path'
import { existsSync } from 'node:fs'
import fastifyStatic from '@fastify/static'
import helmet from '@fastify/helmet'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import * as contract from '@causeway/contract'
import type { Endpoint } from '@causeway/contract'
import type { Ctx } from './ctx.ts'
import { authenticate, signingKey } from './features/auth/auth.actions.ts'
import { authRoutes } from './features/auth/auth.routes.ts'
import { configProfilesRoutes } from './features/config-profiles/config-profiles.routes.ts'
import { hostsRoutes } from './features/hosts/hosts.routes.ts'
import { internalSquadsRoutes } from './features/internal-squads/internal-squads.routes.ts'
import { usersRoutes } from './features/users/users.routes.ts'
import { ApiError, ValidationError } from './http/errors.ts'
import { GuardError } from './http/guards.ts'
import { mount, type Route } from './http/mount.ts'
import { serializerCompiler } from './http/serializer.ts'
import { unserved } from './unserved.ts'

const DASHBOARD = path.resolve(import.meta.dirname, '../../dashboard/dist')

/** Builds the HTTP app from given parts. */
export async function buildApp(ctx: Ctx): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = ctx.log
  const app = Fastify({
    loggerInstance,
    disableRequestLogging: !ctx.config.IS_HTTP_LOGGING_ENABLED,
    trustProxy: ctx.config.TRUSTED_PROXIES.length > 0 ? ctx.config.TRUSTED_PROXIES : false,
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, caseSensitive: false },
  })
  // Input is parsed by mount() with the endpoint's own schemas; the schemas given to fastify serve the documents.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(serializerCompiler as never) // fastify's type wants the compiler of its own JSON schemas
  app.setErrorHandler(answerError)
  acceptEmptyJson(app)
  await app.register(helmet, { global: true, contentSecurityPolicy: false, hsts: false })

  const routes = [
    ...authRoutes(ctx),
    ...configProfilesRoutes(ctx),
    ...hostsRoutes(ctx),
    ...internalSquadsRoutes(ctx),
    ...usersRoutes(ctx),
  ]
  assertEveryEndpointServed(routes)
  const key = await signingKey(ctx)
  mount(app, routes, (token, request) => authenticate(ctx, key, token, request))
  await serveDashboard(app)
  return app
}

/** Every endpoint of the contract has exactly one handler, or stands in the list of those not built yet. */
function assertEveryEndpointServed(routes: Route[]): void {
  const declared: unknown[] = Object.values(contract)
  const names = declared.filter(isEndpoint).map((endpoint) => endpoint.name)
  const served = routes.map((route) => route.endpoint.name)
  const twice = served.filter((name, index) => served.indexOf(name) !== index)
  const missing = names.filter((name) => !served.includes(name) && !unserved.includes(name))
  const stale = unserved.filter((name) => served.includes(name) || !names.includes(name))
  const problems = [
    ...twice.map((name) => `${name} has two handlers`),
    ...missing.map((name) => `${name} has no handler`),
    ...stale.map((name) => `${name} must leave the unserved list`),
  ]
  if (problems.length > 0) throw new Error(`The routes do not match the contract:\n  ${problems.join('\n  ')}`)
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'access' in value && 'path' in value
}

function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, {})
    else void parse(request, body.toString(), done)
  })
}

function answerError(error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ApiError) {
    const isForbidden = error.status === 403
    return reply.code(error.status).send({
      timestamp: new Date().toISOString(),
      path: request.url,
      message: isForbidden ? 'Forbidden' : error.message,
      errorCode: isForbidden ? 'E000' : error.code,
    })
  }
  if (error instanceof ValidationError) {
    return reply.code(400).send({ statusCode: 400, message: error.message, errors: error.issues })
  }
  if (error instanceof GuardError) return answerGuard(error, request, reply)
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return reply.code(error.statusCode).send({ statusCode: error.statusCode, message: error.message, error: 'Bad Request' })
  }
  request.log.error({ err: error }, 'request failed')
  return reply.code(500).send({ statusCode: 500, message: 'Internal server error' })
}

function answerGuard(error: GuardError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  switch (error.kind) {
    case 'unauthorized':
      return reply.code(401).send({ message: 'Unauthorized', statusCode: 401 })
    case 'forbiddenResource':
      return reply.code(403).send({ message: 'Forbidden resource', error: 'Forbidden', statusCode: 403 })
    case 'browserHeaderMissing':
      return reply.code(403).send({
        message: 'Sessions are for the dashboard only. Create an API token for other programs.',
        error: 'Forbidden',
        statusCode: 403,
      })
    case 'forbiddenRole':
      return reply
        .code(403)
        .send({ timestamp: new Date().toISOString(), path: request.url, message: 'Forbidden', errorCode: 'E000' })
  }
}

async function serveDashboard(app: FastifyInstance): Promise<void> {
  const isBuilt = existsSync(path.join(DASHBOARD, 'index.html'))
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: DASHBOARD,
      preCompressed: true,
      wildcard: false,
      index: false,
      cacheControl: false,
      setHeaders: (reply, file) => {
        reply.header('cache-control', file.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    const isPage =
      request.method === 'GET' && !/^\/+api(\/|$)/i.test(request.url) && (request.headers.accept ?? '').includes('text/html')
    if (isPage && isBuilt) return reply.sendFile('index.html')
    return reply.code(404).send({ message: `Cannot ${request.method} ${request.url}`, error: 'Not Found', statusCode: 404 })
  })
}
