import { Buffer } from 'node:buffer'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DashboardHandler } from '@pg-boss/dashboard/handler'
import type { Ctx } from '../../ctx.ts'
import { authorizePage, type PageGuard } from '../../http/page-guard.ts'

const PATH = '/api/queues'
const BODY_LIMIT = 64 * 1024
/** The board brings inline scripts of its own; nothing else on this server may. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join(';')

/** The board of queued work, for a signed-in administrator's browser (decision 29). It is loaded when it is first asked for. */
export async function serveQueues(app: FastifyInstance, ctx: Ctx, guard: PageGuard): Promise<void> {
  let loading: Promise<DashboardHandler> | undefined
  const board = () => {
    loading ??= openBoard(ctx).catch((error: unknown) => {
      loading = undefined // the next who asks tries again
      throw error
    })
    return loading
  }
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    scope.addHook('onClose', async () => (await loading?.catch(() => undefined))?.close())
    for (const url of [PATH, `${PATH}/*`]) {
      scope.route({
        method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        url,
        bodyLimit: BODY_LIMIT,
        config: { access: 'page' },
        onRequest: (request, reply) => authorizePage(guard, request, reply),
        handler: async (request, reply) => relay(await (await board())(toWebRequest(request)), reply),
      })
    }
  })
}

async function openBoard(ctx: Ctx): Promise<DashboardHandler> {
  const { createDashboardHandler } = await import('@pg-boss/dashboard/handler')
  const { PUBLIC_URL } = ctx.config
  return createDashboardHandler({
    databases: [{ url: ctx.pool.options.connectionString ?? '', name: 'Causeway', schema: 'boss' }],
    basePath: PATH,
    ...(PUBLIC_URL ? { allowedActionOrigins: [new URL(PUBLIC_URL).host] } : {}),
  })
}

function toWebRequest(request: FastifyRequest): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value)
  const body = Buffer.isBuffer(request.body) && request.body.length > 0 ? new Uint8Array(request.body) : null
  const url = `${request.protocol}://${request.host}${request.url}`
  return new Request(url, { method: request.method, headers, ...(body ? { body } : {}) })
}

async function relay(answer: Response, reply: FastifyReply): Promise<FastifyReply> {
  reply.code(answer.status)
  answer.headers.forEach((value, name) => {
    if (name !== 'set-cookie') reply.header(name, value)
  })
  for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie)
  reply.header('content-security-policy', POLICY)
  return reply.send(Buffer.from(await answer.arrayBuffer()))
}
