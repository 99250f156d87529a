import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { DISK_FULL } from '../../db/driver/failures.ts'
import { SilentError } from '../../db/driver/silence.ts'
import { pingDatabase } from './metrics.queries.ts'

const PING_LIMIT_MS = 3000

/** For load balancers and container platforms. */
export function serveHealth(app: FastifyInstance, ctx: Ctx): void {
  // Whether the database answers. One that only reads is up: it serves.
  app.get('/health', { config: { access: 'public' } }, async (_, reply) => {
    const state = await databaseState(ctx)
    const replicas = replicasPart(ctx)
    if (state) {
      const up = { database: { status: 'up', ...(state.isReadOnly ? { message: DISK_FULL } : {}) } }
      return reply.send({ status: 'ok', version: ctx.config.version, info: up, error: {}, details: { ...up, ...replicas } })
    }
    const down = { database: { status: 'down', message: 'database does not answer' } }
    return reply.code(503).send({ status: 'error', info: {}, error: down, details: { ...down, ...replicas } })
  })
  // Whether requests are to be sent here: not while this server ends, and not while nothing can be answered.
  app.get('/health/ready', { config: { access: 'public' } }, async (_, reply) => {
    const { isDraining, isPaused } = ctx.server
    if (isDraining || isPaused) return reply.code(503).send({ status: isDraining ? 'ending' : 'paused' })
    const isUp = (await databaseState(ctx)) !== undefined
    // Subscriptions are answered from replicas while the leader is away.
    const isAnswered = isUp || ctx.reads.replicas().some(({ state }) => state !== 'away')
    const database = isUp ? 'up' : 'down'
    return reply.code(isAnswered ? 200 : 503).send({ status: isAnswered ? 'ready' : 'unready', database, ...replicasPart(ctx) })
  })
}

/** Nothing is said of replicas where there are none. */
function replicasPart(ctx: Ctx) {
  const replicas = ctx.reads.replicas()
  if (replicas.length === 0) return {}
  return {
    replicas: replicas.map(({ host, state, lagMs }) => ({ host, state, lagSeconds: lagMs === null ? null : lagMs / 1000 })),
  }
}

async function databaseState(ctx: Ctx): Promise<{ isReadOnly: boolean } | undefined> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SilentError()), PING_LIMIT_MS)
  })
  try {
    return await Promise.race([pingDatabase(ctx.db), limit])
  } catch (error) {
    ctx.log.error({ err: error }, 'database does not answer')
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
