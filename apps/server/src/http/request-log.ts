import type { FastifyRequest } from 'fastify'

/** What the access log says of a request. Subscription links open without a password, so their secret part is left out. */
export function describeRequest(request: FastifyRequest): object {
  return { method: request.method, url: maskSecrets(request.url), host: request.host, remoteAddress: request.ip }
}

/** Takes the short uuid out of an address. */
export function maskSecrets(url: string): string {
  return url.replace(/(\/(?:sub|by-short-uuid)\/+(?:outline\/+)?)[^/?]+/i, '$1***')
}
