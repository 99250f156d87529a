import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { importSPKI, jwtVerify } from 'jose'
import type { Logger } from 'pino'
import type { Server } from 'node:https'
import { handleCompression } from './compression.ts'
import { certificateRoutes } from './features/certificate/certificate.routes.ts'
import { connectionsRoutes } from './features/connections/connections.routes.ts'
import { coreRoutes } from './features/core/core.routes.ts'
import type { Filters } from './features/filters/filters.ts'
import { filtersRoutes } from './features/filters/filters.routes.ts'
import type { LogMemory } from './features/log/log-memory.ts'
import { logRoutes } from './features/log/log.routes.ts'
import { reachRoutes } from './features/reach/reach.routes.ts'
import type { PartsOptions } from './features/parts/parts.actions.ts'
import { partsRoutes } from './features/parts/parts.routes.ts'
import { statsRoutes } from './features/stats/stats.routes.ts'
import { usersRoutes } from './features/users/users.routes.ts'
import { visionRoutes } from './features/vision/vision.routes.ts'
import type { Identity } from './identity.ts'
import { answerError } from './serve.ts'
import type { CoreFiles } from './xray/core-files.ts'
import type { Core } from './xray/core.ts'

/** A config with all users of a large node comes in one body, and the hashes of its inbounds in one header. A text of Node's ends at 512 MB. */
const MAX_BODY_BYTES = 500_000_000
const MAX_HEADER_BYTES = 65_536
/** Connections from strangers must not use up the agent's file descriptors. */
const HANDSHAKE_MS = 10_000

export interface AppParts {
  core: Core
  filters: Filters
  identity: Identity
  /** Where the end of either log is read from. */
  logs: { files: CoreFiles; memory: LogMemory }
  isHashCheckDisabled: boolean
  /** Undefined where the program is not one that can be updated. */
  updates?: Omit<PartsOptions, 'core'> | undefined
  /** The server has reached this agent, and got an answer. */
  onReached?: (() => void) | undefined
  log: Logger
}

/**
 * The HTTPS server of the agent. A peer without a certificate of our server's authority fails in the handshake.
 * Requests without a valid token, or for unknown paths, lose the connection without an answer, so that a scanner
 * learns nothing.
 */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { identity, log } = parts
  const key = await importSPKI(identity.payload.jwtPublicKey, 'RS256')
  // The cast names the plain instance: the type of one with its own logger and TLS fits none of the plugins.
  const app = Fastify({
    loggerInstance: log,
    logController: quiet(log),
    bodyLimit: MAX_BODY_BYTES,
    https: {
      ...keysOf(identity),
      requestCert: true,
      rejectUnauthorized: true,
      maxHeaderSize: MAX_HEADER_BYTES,
      handshakeTimeout: HANDSHAKE_MS,
    },
  }) as unknown as FastifyInstance

  app.addHook('onRequest', async (request, reply) => {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    const isKnown = token !== undefined && (await isSigned(token, key))
    if (isKnown) return
    request.log.warn({ from: request.ip, path: request.url }, 'call without a valid token')
    reply.hijack()
    request.raw.socket.destroy()
  })
  app.setNotFoundHandler((request, reply) => {
    reply.hijack()
    request.raw.socket.destroy()
  })
  app.setErrorHandler(answerError)
  app.addHook('onResponse', async (_, reply) => {
    if (reply.statusCode < 400) parts.onReached?.()
  })
  handleCompression(app)
  coreRoutes(app, parts)
  usersRoutes(app, parts)
  statsRoutes(app, parts)
  connectionsRoutes(app, parts)
  filtersRoutes(app, parts)
  reachRoutes(app)
  logRoutes(app, parts.logs)
  if (parts.updates) partsRoutes(app, { ...parts.updates, core: parts.core })
  // Connections that are open go on with what they were begun with.
  const server = app.server as unknown as Server // of one with TLS
  certificateRoutes(app, { identity, show: () => server.setSecureContext(keysOf(identity)) })
  return app
}

function keysOf({ payload }: Identity) {
  return { cert: payload.nodeCertPem, key: payload.nodeKeyPem, ca: payload.caCertPem }
}

/** Plain HTTP on the loopback address, for programs on the node itself. */
export function buildLoopbackApp({ core, log }: Pick<AppParts, 'core' | 'log'>): FastifyInstance {
  const app = Fastify({ loggerInstance: log, logController: quiet(log) }) as unknown as FastifyInstance // as above
  app.setErrorHandler(answerError)
  visionRoutes(app, { core })
  return app
}

function quiet(log: Logger): LogController {
  return new LogController({ disableRequestLogging: log.level !== 'debug' && log.level !== 'trace' })
}

async function isSigned(token: string, key: Awaited<ReturnType<typeof importSPKI>>): Promise<boolean> {
  try {
    await jwtVerify(token, key, { algorithms: ['RS256'] })
    return true
  } catch {
    return false
  }
}
