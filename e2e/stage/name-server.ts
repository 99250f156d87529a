import { createSocket } from 'node:dgram'
import { createServer, type AddressInfo } from 'node:net'

/** A DNS server of this machine to which every name is at 127.0.0.1, so that apps need no network to go past their proxy. */
export interface NameServer {
  port: number
  close(): void
}

const QUERY_OF_A = 1

export async function startNameServer(): Promise<NameServer> {
  const overTcp = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (part: Buffer) => {
      const answer = answerTo(part.subarray(2)) // a length stands before
      socket.write(Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 255]), answer]))
    })
  })
  await new Promise<void>((resolve) => overTcp.listen(0, '127.0.0.1', resolve))
  const { port } = overTcp.address() as AddressInfo // as: listens on TCP
  const overUdp = createSocket('udp4', (query, from) => overUdp.send(answerTo(query), from.port, from.address))
  await new Promise<void>((resolve) => overUdp.bind(port, '127.0.0.1', resolve))
  return {
    port,
    close: () => {
      overTcp.close()
      overUdp.close()
    },
  }
}

/** The question with one address behind it; with none when it is not IPv4 that is asked for. */
function answerTo(query: Buffer): Buffer {
  const end = query.indexOf(0, 12) + 5 // names end with an empty label; type and class follow
  const isOfA = query.readUInt16BE(end - 4) === QUERY_OF_A
  const head = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, isOfA ? 1 : 0, 0, 0, 0, 0])
  const address = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1])
  return Buffer.concat([head, query.subarray(12, end), ...(isOfA ? [address] : [])])
}
