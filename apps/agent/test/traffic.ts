import { createHash } from 'node:crypto'
import net from 'node:net'
import type { NodePorts } from './node.ts'

const PAYLOAD = Buffer.alloc(100_000, 'x')

/** Sends bytes as alice through the Trojan inbound to a server that sends them back, and waits for the last of them. */
export async function sendBytes(ports: NodePorts): Promise<void> {
  const echo = net.createServer((socket) => socket.pipe(socket))
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
  const address = echo.address()
  if (address === null || typeof address === 'string') throw new Error('a listening socket has a port')
  const socket = connectThrough(ports, [1, 127, 0, 0, 1], address.port, PAYLOAD)
  try {
    await new Promise<void>((resolve, reject) => {
      let received = 0
      socket.on('data', (part) => {
        received += part.length
        if (received >= PAYLOAD.length) resolve()
      })
      socket.on('error', reject)
      socket.on('close', () => reject(new Error(`the connection ended after ${received} bytes`)))
    })
  } finally {
    socket.destroy()
    echo.close()
  }
}

/** What first comes back when alice sends this to a port of the node itself; nothing where she is not let through. */
export async function firstAnswer(
  ports: NodePorts,
  host: '127.0.0.1' | 'localhost',
  port: number,
  sent: string,
): Promise<string> {
  const target = host === 'localhost' ? [3, host.length, ...Buffer.from(host)] : [1, 127, 0, 0, 1]
  const socket = connectThrough(ports, target, port, Buffer.from(sent))
  try {
    return await new Promise<string>((resolve, reject) => {
      socket.on('data', (part) => resolve(part.toString('latin1')))
      socket.on('error', reject)
      socket.on('close', () => resolve(''))
    })
  } finally {
    socket.destroy()
  }
}

/**
 * A connection of a user through the Trojan inbound that stays open, from this address of the machine, to a server that sends back
 * what it gets. Gives it once the first byte has come back.
 */
export async function stayConnected(
  { trojan }: NodePorts,
  username: string,
  localAddress: string,
  echoPort: number,
): Promise<net.Socket> {
  const socket = net.connect({ port: trojan, host: '127.0.0.1', localAddress })
  socket.write(trojanRequest(username, [1, 127, 0, 0, 1], echoPort, Buffer.from('x')))
  await new Promise<void>((resolve, reject) => {
    socket.once('data', () => resolve())
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection ended before its first byte')))
  })
  return socket
}

function connectThrough({ trojan }: NodePorts, target: readonly number[], port: number, bytes: Buffer): net.Socket {
  const socket = net.connect(trojan, '127.0.0.1')
  socket.write(trojanRequest('alice', target, port, bytes))
  return socket
}

/** Trojan over plain TCP is a line with the hashed password, the target, and then the bytes themselves. */
function trojanRequest(username: string, target: readonly number[], port: number, bytes: Buffer): Buffer {
  const password = createHash('sha224').update(`trojan-${username}`).digest('hex')
  const address = Buffer.from([1, ...target, port >> 8, port & 0xff])
  return Buffer.concat([Buffer.from(`${password}\r\n`), address, Buffer.from('\r\n'), bytes])
}
