import { createServer, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** A web server of the loopback that sends as many bytes as its path says: /bytes/50000000?rate=1000000 (per second). */
export interface ByteServer {
  port: number
  /** Of all downloads so far. */
  sentBytes(): number
  close(): Promise<void>
}

const CHUNK = Buffer.alloc(64 * 1024, 'causeway')

export async function startByteServer(): Promise<ByteServer> {
  let sentBytes = 0
  const onSent = (bytes: number) => (sentBytes += bytes)
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const rate = Number(url.searchParams.get('rate') ?? Number.POSITIVE_INFINITY)
    void send(response, Number(url.pathname.split('/').at(-1)), rate, onSent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a listening TCP server has no port')
  return {
    port: address.port,
    sentBytes: () => sentBytes,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function send(
  response: ServerResponse,
  total: number,
  bytesPerSecond: number,
  onSent: (bytes: number) => void,
): Promise<void> {
  response.writeHead(200, { 'content-length': total, 'content-type': 'application/octet-stream' })
  // A client that goes away ends its download, and nothing else.
  await pipeline(Readable.from(chunks(total, bytesPerSecond, onSent)), response).catch(() => {})
}

async function* chunks(total: number, bytesPerSecond: number, onSent: (bytes: number) => void): AsyncGenerator<Buffer> {
  const begun = Date.now()
  for (let sent = 0; sent < total;) {
    const chunk = CHUNK.subarray(0, Math.min(CHUNK.length, total - sent))
    sent += chunk.length
    yield chunk
    onSent(chunk.length)
    const earlyMs = (sent / bytesPerSecond) * 1000 - (Date.now() - begun)
    if (earlyMs > 5) await sleep(earlyMs)
  }
}

export interface DownloadOptions {
  socksPort: number
  server: ByteServer
  bytes: number
  bytesPerSecond?: number
  /** Nothing comes for so long: it is given up. */
  patienceMs?: number
}

const PATIENCE_MS = 15_000

/** A download that did not come to its end, and how far it came. */
export class CutDownload extends Error {
  readonly received: number

  constructor(received: number, bytes: number) {
    super(`The download ended after ${received} of ${bytes} bytes.`)
    this.received = received
  }
}

/** Downloads through a SOCKS5 proxy, as an application behind a client would; gives the bytes that arrived. */
export async function download(options: DownloadOptions): Promise<number> {
  const { socksPort, server, bytes, bytesPerSecond, patienceMs = PATIENCE_MS } = options
  const socket = await socksConnect(socksPort, server.port, patienceMs)
  const rate = bytesPerSecond === undefined ? '' : `?rate=${bytesPerSecond}`
  socket.write(`GET /bytes/${bytes}${rate} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  let received = 0
  let head = Buffer.alloc(0)
  let isBody = false
  try {
    for await (const part of socket) {
      const chunk = part as Buffer // a socket without an encoding yields buffers
      if (isBody) {
        received += chunk.length
      } else {
        head = Buffer.concat([head, chunk])
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) continue
        isBody = true
        received = head.length - end - 4
      }
    }
  } catch {
    // A broken connection is a cut download like one that was closed.
  }
  if (received !== bytes) throw new CutDownload(received, bytes)
  return received
}

async function socksConnect(proxyPort: number, targetPort: number, patienceMs: number): Promise<Socket> {
  const socket = connect(proxyPort, '127.0.0.1')
  const seconds = patienceMs / 1000
  socket.setTimeout(patienceMs, () => socket.destroy(new Error(`Nothing came through the proxy for ${seconds} s.`)))
  socket.write(Buffer.from([5, 1, 0])) // version 5, one method: none
  await read(socket, 2)
  socket.write(Buffer.from([5, 1, 0, 1, 127, 0, 0, 1, targetPort >> 8, targetPort & 255])) // connect to an IPv4 address
  const reply = await read(socket, 10)
  if (reply[1] !== 0) throw new Error(`The proxy refused with SOCKS code ${reply[1]}.`)
  return socket
}

function read(socket: Socket, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const finish = (error?: Error): void => {
      for (const [event, listener] of listeners) socket.off(event, listener)
      if (error) reject(error)
    }
    const onReadable = (): void => {
      const data: unknown = socket.read(length)
      if (!Buffer.isBuffer(data)) return
      finish()
      resolve(data)
    }
    const onClose = (): void => finish(new Error('The proxy closed the connection.'))
    const listeners = [
      ['readable', onReadable],
      ['error', finish],
      ['close', onClose],
    ] as const
    for (const [event, listener] of listeners) socket.on(event, listener)
    onReadable()
  })
}
