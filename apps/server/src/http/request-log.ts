import type { FastifyRequest } from 'fastify'
import { stdSerializers } from 'pino'
import { plainAddress } from '../lib/addresses.ts'

/** Fields of a request in the access log. Subscription links open without a password, so their secret part is left out. */
export function describeRequest(request: FastifyRequest): object {
  return { method: request.method, url: maskSecrets(request.url), host: request.host, remoteAddress: plainAddress(request.ip) }
}

/**
 * Fields of an error in the log. Errors of the database hold stored values in these members: keys, rows, statements,
 * and the broken connection with all its queries.
 */
export function describeError(error: Error): object {
  const { detail: _row, where: _statement, internalQuery: _query, client: _connection, ...told } = stdSerializers.err(error)
  return told
}

/** Removes the short uuid and the code of a joining node from an address, and search terms, which may be a whole link. */
export function maskSecrets(url: string): string {
  return url
    .replace(/(\/(?:sub|by-short-uuid)\/+(?:outline\/+)?)[^/?]+/i, '$1***')
    .replace(/^(\/+join\/+)[^/?]+/i, '$1***')
    .replaceAll(/([?&](?:text|filters|search)=)[^&]+/gi, '$1***')
}
