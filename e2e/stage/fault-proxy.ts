import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Fault {
  /** Which requests; all of them when absent. */
  path?: string | RegExp
  method?: string
  /** How often it strikes; for ever when absent. */
  times?: number
  /** `drop` breaks the connection; `malform` sends half of the real answer's JSON; `answer` replaces the answer. */
  effect:
    | { kind: 'drop' }
    | { kind: 'delay'; ms: number }
    | { kind: 'malform' }
    | { kind: 'answer'; status: number; body: unknown }
}

export interface FaultProxy {
  origin: string
  port: number
  /** Strikes from now on; gives what takes it back. */
  inject(fault: Fault): () => void
  close(): Promise<void>
}

/** Stands before a real server and only breaks things: what is not hit by a fault passes unchanged. */
export async function startFaultProxy(targetOrigin: string): Promise<FaultProxy> {
  const faults: Fault[] = []
  const strike = (incoming: IncomingMessage): Fault['effect'] | undefined => {
    const fault = faults.find((candidate) => matches(candidate, incoming))
    if (fault?.times !== undefined && --fault.times <= 0) faults.splice(faults.indexOf(fault), 1)
    return fault?.effect
  }
  const server = createServer((incoming, outgoing) => {
    void serve(targetOrigin, strike(incoming), incoming, outgoing)
  })
  const port = await listen(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    inject: (fault) => {
      const own = { ...fault }
      faults.push(own)
      return () => void (faults.includes(own) && faults.splice(faults.indexOf(own), 1))
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function matches(fault: Fault, incoming: IncomingMessage): boolean {
  const path = incoming.url ?? ''
  if (fault.method !== undefined && fault.method !== incoming.method) return false
  if (fault.path === undefined) return true
  return typeof fault.path === 'string' ? path.startsWith(fault.path) : fault.path.test(path)
}

async function serve(
  targetOrigin: string,
  effect: Fault['effect'] | undefined,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (effect?.kind === 'drop') return void incoming.destroy()
  if (effect?.kind === 'delay') await sleep(effect.ms)
  if (effect?.kind === 'answer') {
    outgoing.writeHead(effect.status, { 'content-type': 'application/json' }).end(JSON.stringify(effect.body))
    return
  }
  const forwarded = request(new URL(incoming.url ?? '/', targetOrigin), { method: incoming.method, headers: incoming.headers })
  forwarded.on('error', () => outgoing.destroy())
  forwarded.on('response', (reply) => {
    if (effect?.kind === 'malform') void sendHalf(reply, outgoing)
    else reply.pipe(outgoing.writeHead(reply.statusCode ?? 502, reply.headers))
  })
  incoming.pipe(forwarded)
}

async function sendHalf(reply: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of reply) chunks.push(chunk as Buffer) // a response without an encoding yields buffers
  const body = Buffer.concat(chunks)
  outgoing.writeHead(reply.statusCode ?? 502, { 'content-type': 'application/json' }).end(body.subarray(0, body.length / 2))
}

export interface LossyProxy {
  port: number
  /** From now on the connection of every other request breaks: in turn before the request arrives, and before its answer does. */
  loseEveryOther(isLosing: boolean): void
  /** How many requests it has broken. */
  lost(): number
  close(): Promise<void>
}

/** What begins each run of bytes that is neither a handshake nor an alarm. */
const APPLICATION_DATA = 0x17

/** The same for encrypted connections, where requests cannot be read: each run of bytes towards the target is one request. */
export async function startLossyProxy(targetPort: number): Promise<LossyProxy> {
  let isLosing = false
  let asked = 0
  let lost = 0
  const sockets = new Set<Socket>()
  const server = createTcpServer((near) => {
    const far = connect(targetPort, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.on('error', () => {})
    }
    let isAnswerLost = false
    near.on('data', (chunk) => {
      // Chance would take minutes to break a few, and might never lose an answer.
      if (isLosing && chunk[0] === APPLICATION_DATA && ++asked % 2 === 0) {
        lost += 1
        if (lost % 2 === 1) return void near.destroy()
        isAnswerLost = true
      }
      far.write(chunk)
    })
    far.on('data', (chunk) => {
      if (isAnswerLost) near.destroy()
      else near.write(chunk)
    })
  })
  const port = await listen(server)
  return {
    port,
    loseEveryOther: (value) => {
      isLosing = value
    },
    lost: () => lost,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

async function listen(server: {
  listen(port: number, host: string, done: () => void): unknown
  address(): unknown
}): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null || !('port' in address)) throw new Error('the proxy has no port')
  return Number(address.port)
}
