import type { FastifyRequest } from 'fastify'
import { stdSerializers } from 'pino'

/** What the access log says of a request. Subscription links open without a password, so their secret part is left out. */
export function describeRequest(request: FastifyRequest): object {
  return { method: request.method, url: maskSecrets(request.url), host: request.host, remoteAddress: request.ip }
}

/**
 * What the log says of an error. The database's own have what people stored in these parts: keys, rows, statements, and the
 * connection that broke with all that was asked through it.
 */
export function describeError(error: Error): object {
  const { detail: _row, where: _statement, internalQuery: _query, client: _connection, ...told } = stdSerializers.err(error)
  return told
}

/** Takes the short uuid out of an address, and what somebody looked for, which may be a whole link. */
export function maskSecrets(url: string): string {
  return url
    .replace(/(\/(?:sub|by-short-uuid)\/+(?:outline\/+)?)[^/?]+/i, '$1***')
    .replaceAll(/([?&](?:text|filters|search)=)[^&]+/gi, '$1***')
}
