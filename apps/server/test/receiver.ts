import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  /** The very bytes. */
  body: Buffer
}

export interface Receiver {
  url: string
  received: Received[]
  /** What it does with each request from now on; by default it answers 200. */
  answer: (reply: ServerResponse, request: Received) => void
  close(): Promise<void>
}

/** A receiver of webhooks: a real HTTP server that keeps what it is sent. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const got = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) }
      receiver.received.push(got)
      receiver.answer(reply, got)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received: [],
    answer: (reply) => reply.end('thanks'),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return receiver
}
