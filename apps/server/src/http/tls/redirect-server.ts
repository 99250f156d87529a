import http, { type Server } from 'node:http'

const CHALLENGE = /^\/\.well-known\/acme-challenge\/([\w-]{1,200})$/
const LIMIT_MS = 10_000

interface Redirect {
  /** Origin that the requests for a host name are led to. */
  originOf: (host: string) => string
  /** Answer to a challenge of an ACME directory by its token (RFC 8555, 8.3). */
  findAnswer: (token: string) => Promise<string | undefined>
}

/** The server of plain HTTP beside one of https: it leads there, and answers ACME directories. */
export function redirectServer({ originOf, findAnswer }: Redirect): Server {
  const limits = { requestTimeout: LIMIT_MS, headersTimeout: LIMIT_MS, keepAliveTimeout: LIMIT_MS }
  return http.createServer(limits, (request, response) => {
    const token = CHALLENGE.exec(request.url ?? '')?.[1]
    if (token === undefined) {
      const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      // An address that is more than a path would be read as one of another server.
      const place = request.url?.startsWith('/') ? request.url : '/'
      return void response.writeHead(isRead ? 301 : 308, { location: originOf(host) + place }).end()
    }
    const answer = (text: string | undefined) =>
      response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'application/octet-stream' }).end(text)
    findAnswer(token).then(answer, () => response.writeHead(503).end()) // the directory asks again, or says what it saw
  })
}
