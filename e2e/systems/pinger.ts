import { createSocket } from 'node:dgram'
import { connect } from 'node:net'

// A client's application (datagrams-node.ts): sends a byte by each way twenty times a second, and prints the number of the way for
// each that comes back. A way that has ended is not opened again, as this would hide its end.

const EVERY_MS = 50
const RETRY_MS = 500

interface Flow {
  way: number
  sends: 'tcp' | 'udp'
  port: number
}

for (const flow of JSON.parse(process.argv[2] ?? '[]') as Flow[])
  if (flow.sends === 'udp') byDatagrams(flow)
  else byConnection(flow)

function byDatagrams({ way, port }: Flow): void {
  const socket = createSocket('udp4')
  socket.on('message', () => console.log(way)).on('error', () => {})
  setInterval(() => socket.send('.', port, '127.0.0.1'), EVERY_MS)
}

/** Opened again only until the first byte has come back: nodes take a moment to know a user. */
function byConnection({ way, port }: Flow): void {
  let hasAnswered = false
  const socket = connect({ port, host: '127.0.0.1' })
  const sending = setInterval(() => socket.write('.'), EVERY_MS)
  socket
    .on('data', () => {
      hasAnswered = true
      console.log(way)
    })
    .on('error', () => {})
    .on('close', () => {
      clearInterval(sending)
      if (!hasAnswered) setTimeout(() => byConnection({ way, port, sends: 'tcp' }), RETRY_MS)
    })
}
