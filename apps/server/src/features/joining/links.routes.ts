import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { LINK_PATH, LINK_PROTOCOL, LINK_RUN_HEADER } from '@causeway/contract'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { registerPublic } from '../../http/guarded-routes.ts'
import { answerNotFound, refuse } from '../../http/replies.ts'
import { admitLink, mayHold } from './links.actions.ts'

const WITHOUT_UPGRADE =
  'The call of the agent arrived without its Upgrade header. A proxy before the panel has to pass Upgrade and Connection on.'
const STATUSES: Record<number, string> = {
  404: 'Not Found',
  409: 'Conflict',
  412: 'Precondition Failed',
  503: 'Service Unavailable',
}

/** Takes the connections of agents that the server cannot call. What does not prove to be one gets the 404 of unknown paths. */
export async function serveLinks(app: FastifyInstance, ctx: Ctx): Promise<void> {
  const server: Server = app.server
  // Other upgrades are answered as if they had not been asked for, as before. (The types of Node.js do not know it yet.)
  const shouldUpgradeCallback = ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === LINK_PROTOCOL
  Object.assign(server, { shouldUpgradeCallback })
  server.on('upgrade', (request, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    take(request, socket, head).catch((error: unknown) => {
      ctx.log.error({ err: error }, 'failed to take a connection of an agent')
      socket.destroy()
    })
  })
  app.addHook('preClose', async () => ctx.agents.links.close())

  async function take(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const uuid = uuidOf(request.url)
    const run = request.headers[LINK_RUN_HEADER]
    const isWhole = uuid !== undefined && typeof run === 'string' && head.length === 0
    const admitted = isWhole
      ? await admitLink(ctx, { uuid, run, proof: request.headers.authorization })
      : { status: 404, why: '' }
    if (admitted !== undefined) return answer(socket, admitted)
    socket.setTimeout(0)
    socket.setKeepAlive(true, 30_000)
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${LINK_PROTOCOL}\r\n\r\n`)
    // Isolated by its caller: `uuid` and `run` are texts by now.
    if (isWhole) ctx.agents.links.add(uuid, run, socket)
  }

  await registerPublic(app, async (scope) => {
    scope.get<{ Params: { uuid: string } }>(`${LINK_PATH}/:uuid`, async (request, reply) => {
      const { authorization } = request.headers
      if (!(await mayHold(ctx, request.params.uuid, authorization))) return answerNotFound(request, reply)
      return refuse(reply, 426, WITHOUT_UPGRADE)
    })
  })
}

function uuidOf(url = ''): string | undefined {
  const path = url.split('?')[0] ?? ''
  const at = path.lastIndexOf(`${LINK_PATH}/`)
  return at < 0 ? undefined : /^[0-9a-f-]{36}$/.exec(path.slice(at + LINK_PATH.length + 1))?.[0]
}

function answer(socket: Socket, { status, why }: { status: number; why: string }): void {
  const head = `HTTP/1.1 ${status} ${STATUSES[status] ?? ''}\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8`
  socket.end(`${head}\r\ndate: ${new Date().toUTCString()}\r\ncontent-length: ${Buffer.byteLength(why)}\r\n\r\n${why}`)
}
