import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

/** The web server that has the certificate, in front of inbounds which are reached by their paths. */
export interface WebServer {
  port: number
  close(): void
}

interface Behind {
  path: string
  port: number
}

/** Of one connection only, and not to be passed on. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'http2-settings'])

export async function startWebServer(own: { certificate: string; key: string }, inbounds: Behind[]): Promise<WebServer> {
  const portOf = (url = ''): number | undefined => inbounds.find(({ path }) => url.startsWith(path))?.port
  const server = createSecureServer({ cert: own.certificate, key: own.key, allowHTTP1: true }, (asked, reply) => {
    const port = portOf(asked.url)
    if (port === undefined) return void reply.writeHead(404).end()
    passOn(asked, reply, port)
  })
  server.on('upgrade', (asked: IncomingMessage, socket: Socket, head: Buffer) => {
    const port = portOf(asked.url)
    if (port === undefined) return void socket.destroy()
    const behind = connect(port, '127.0.0.1', () => {
      const lines = asked.rawHeaders.flatMap((name, index) =>
        index % 2 === 0 ? [`${name}: ${asked.rawHeaders[index + 1]}`] : [],
      )
      behind.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      behind.write(head)
      behind.pipe(socket).pipe(behind)
    })
    const end = (): void => {
      behind.destroy()
      socket.destroy()
    }
    for (const each of [behind, socket]) each.once('error', end).once('close', end)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // as: listens on TCP
  return { port, close: () => void server.close() }
}

function passOn(asked: Http2ServerRequest, reply: Http2ServerResponse, port: number): void {
  const headers = { ...shared(asked.headers), host: asked.headers[':authority'] ?? asked.headers.host ?? '' }
  const behind = request({ host: '127.0.0.1', port, method: asked.method, path: asked.url, headers, agent: false })
  behind.once('response', (answer) => {
    reply.writeHead(answer.statusCode ?? 502, shared(answer.headers))
    // The core tells by the head that it is there; what is received comes later.
    reply.stream?.on('close', () => answer.destroy())
    answer.pipe(reply)
  })
  behind.once('error', () => reply.destroy())
  asked.once('error', () => behind.destroy())
  behind.flushHeaders()
  asked.pipe(behind)
}

function shared(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':') && !OWN_HEADERS.has(name)))
}
