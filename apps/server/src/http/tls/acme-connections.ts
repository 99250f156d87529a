import type { Socket } from 'node:net'
import tls, { type SecureContext, type Server, type TlsOptions } from 'node:tls'

/** The protocol that a directory names to see the answer to its challenge TLS-ALPN-01 (RFC 8737). */
const PROTOCOL = 'acme-tls/1'
/** As it stands in the first message of a client, with its length before it. */
const NAMED = Buffer.concat([Buffer.from([PROTOCOL.length]), Buffer.from(PROTOCOL)])
const FIRST_MESSAGE_LIMIT_MS = 30_000
const HANDSHAKE = 22
const HEAD_BYTES = 5
/** Longer than a record of TLS is. */
const MOST_BYTES = 17_000

/**
 * Sends connections of ACME directories to a server of their own: a certificate can be chosen by name, not by protocol, and
 * everybody else must get the real one at the same time.
 * @param find the certificate that answers the challenge of a name
 */
export function divertChallenges(server: Server, find: (name: string) => Promise<SecureContext | undefined>): void {
  const challenged = challengeServer(find)
  const [accept] = server.listeners('connection')
  if (!accept) throw new Error('The server accepts no connections.')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    readFirstMessage(socket, (message) => {
      if (message.includes(NAMED)) challenged.emit('connection', socket)
      else accept.call(server, socket)
    })
  })
  server.once('close', () => challenged.close())
}

/** Reads the first message of a client, and puts it back for the server that gets the connection. */
function readFirstMessage(socket: Socket, pass: (message: Buffer) => void): void {
  let message: Buffer = Buffer.alloc(0)
  const leave = () => void socket.destroy()
  const read = () => {
    const chunk: unknown = socket.read()
    if (!Buffer.isBuffer(chunk)) return
    message = Buffer.concat([message, chunk])
    if (!isWhole(message)) return
    socket.removeListener('readable', read).removeListener('end', leave).removeListener('error', leave)
    socket.removeListener('timeout', leave).setTimeout(0)
    socket.unshift(message)
    pass(message)
  }
  socket.setTimeout(FIRST_MESSAGE_LIMIT_MS).on('timeout', leave).on('error', leave).on('end', leave).on('readable', read)
}

/** The server refuses a message that is not of TLS. */
function isWhole(message: Buffer): boolean {
  if (message.length < HEAD_BYTES) return false
  return message[0] !== HANDSHAKE || message.length >= Math.min(MOST_BYTES, HEAD_BYTES + message.readUInt16BE(3))
}

function challengeServer(find: (name: string) => Promise<SecureContext | undefined>): Server {
  const options: TlsOptions = {
    ALPNProtocols: [PROTOCOL],
    SNICallback: (name, answer) => {
      const show = async () => answer(null, await find(name))
      show().catch((error: unknown) => answer(error instanceof Error ? error : new Error(String(error))))
    },
  }
  const server = tls.createServer(options, (socket) => socket.end())
  server.on('tlsClientError', (_, socket) => socket.destroy())
  return server
}
