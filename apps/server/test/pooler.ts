import { once } from 'node:events'
import net from 'node:net'

// A connection pooler in transaction mode, small: all its clients share one backend, and one of them has it until the backend
// says that no transaction is open. It takes simple queries only, as the check at the start sends.

const READY = 0x5a // Z
const TERMINATE = 0x58 // X
const AUTHENTICATION_OK = Buffer.from('520000000800000000', 'hex')
const READY_FOR_QUERY = Buffer.from('5a0000000549', 'hex')

interface Pooler {
  url: string
  close(): void
}

/** `refusesOptions`: as a PgBouncer that knows nothing of the parameter `options`. */
export async function startPooler(databaseUrl: string, { refusesOptions = false } = {}): Promise<Pooler> {
  const { pathname, searchParams, username } = new URL(databaseUrl)
  const backend = net.connect(`${searchParams.get('host')}/.s.PGSQL.5432`)
  await once(backend, 'connect')
  const answers = messagesOf(backend)
  backend.write(startup({ user: username, database: pathname.slice(1) }))
  await answerOf(answers)
  let turn: Promise<unknown> = Promise.resolve()
  const server = net.createServer((client) => {
    client.on('error', () => {})
    void serve(client)
  })
  const serve = async (client: net.Socket): Promise<void> => {
    const asked = messagesOf(client, true)
    const first = await asked.next()
    if (refusesOptions && first.value?.includes('options\0')) return void client.end(refusal())
    client.write(Buffer.concat([AUTHENTICATION_OK, READY_FOR_QUERY]))
    for await (const message of asked) {
      if (message[0] === TERMINATE) return void client.end()
      turn = turn.then(async () => {
        backend.write(message)
        client.write(await answerOf(answers))
      })
      await turn
    }
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    close: () => {
      backend.destroy()
      server.close()
    },
  }
}

/** Messages of PostgreSQL's protocol: a letter, the length, the content. The first of a client has no letter. */
async function* messagesOf(socket: net.Socket, hasStartup = false): AsyncGenerator<Buffer, void> {
  let rest = Buffer.alloc(0)
  let letters = hasStartup ? 0 : 1
  for await (const chunk of socket) {
    rest = Buffer.concat([rest, Buffer.from(chunk)])
    while (rest.length >= letters + 4 && rest.length >= letters + rest.readInt32BE(letters)) {
      const end = letters + rest.readInt32BE(letters)
      yield rest.subarray(0, end)
      rest = rest.subarray(end)
      letters = 1
    }
  }
}

/** All messages up to the one that says that the backend waits for the next query. */
async function answerOf(messages: AsyncGenerator<Buffer, void>): Promise<Buffer> {
  const all: Buffer[] = []
  for (;;) {
    const { value, done } = await messages.next()
    if (done || !value) return Buffer.concat(all)
    all.push(value)
    if (value[0] === READY) return Buffer.concat(all)
  }
}

function startup(parameters: Record<string, string>): Buffer {
  const text = Object.entries(parameters).map(([name, value]) => `${name}\0${value}\0`)
  const content = Buffer.from(`${text.join('')}\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(content.length + 8, 0)
  head.writeInt32BE(196_608, 4) // version 3.0
  return Buffer.concat([head, content])
}

function refusal(): Buffer {
  const content = Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: options\0\0')
  const head = Buffer.from([0x45, 0, 0, 0, 0])
  head.writeInt32BE(content.length + 4, 1)
  return Buffer.concat([head, content])
}
