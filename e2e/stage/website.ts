import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site of the loopback that says one thing. */
export interface Website {
  port: number
  text: string
  close(): Promise<void>
}

export async function startWebsite(text = 'the open internet'): Promise<Website> {
  const server = createServer((_, reply) => void reply.setHeader('content-length', text.length).end(text))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port, // as: listens on TCP
    text,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
