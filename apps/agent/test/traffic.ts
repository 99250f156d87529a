import { createHash } from 'node:crypto'
import net from 'node:net'
import type { NodePorts } from './node.ts'

const PAYLOAD = Buffer.alloc(100_000, 'x')

/**
 * Sends bytes as alice through the Trojan inbound to a server that sends them back, and waits for the last of them. Trojan
 * over plain TCP is a line with the hashed password, the target, and then the bytes themselves.
 */
export async function sendBytes(ports: NodePorts): Promise<void> {
  const echo = net.createServer((socket) => socket.pipe(socket))
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
  const address = echo.address()
  if (address === null || typeof address === 'string') throw new Error('a listening socket has a port')
  const password = createHash('sha224').update('trojan-alice').digest('hex')
  const target = Buffer.from([1, 1, 127, 0, 0, 1, address.port >> 8, address.port & 0xff])
  const socket = net.connect(ports.trojan, '127.0.0.1')
  try {
    await new Promise<void>((resolve, reject) => {
      let received = 0
      socket.on('data', (part) => {
        received += part.length
        if (received >= PAYLOAD.length) resolve()
      })
      socket.on('error', reject)
      socket.on('close', () => reject(new Error(`the connection ended after ${received} bytes`)))
      socket.write(Buffer.concat([Buffer.from(`${password}\r\n`), target, Buffer.from('\r\n'), PAYLOAD]))
    })
  } finally {
    socket.destroy()
    echo.close()
  }
}
