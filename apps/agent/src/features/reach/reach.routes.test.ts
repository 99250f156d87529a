import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { agentApi } from '@causeway/contract/agent'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { reachRoutes } from './reach.routes.ts'

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

test('SHIP-012 ports are tried from the node, each with why it is closed', async () => {
  const [open, closed] = [createServer(), createServer()]
  const [port, gone] = await Promise.all([open, closed].map(listening))
  await new Promise((done) => closed.close(done))
  const app = Fastify()
  reachRoutes(app)
  const host = '127.0.0.1'
  const ask = (targets: object[]) => app.inject({ method: 'POST', url: agentApi.reachPorts.path, payload: { targets } })
  const reply = await ask([
    { host, port },
    { host, port: gone },
    { host: 'no-such-name.invalid', port },
  ])
  const { results } = agentApi.reachPorts.response.parse(reply.json<{ response: unknown }>().response)
  expect(results.map(({ error }) => error)).toEqual([
    null,
    expect.stringContaining('ECONNREFUSED'),
    expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
  ])
  expect((await ask([{ host, port: 0 }])).statusCode).toBe(400)
  expect((await ask(Array.from({ length: 17 }, () => ({ host, port })))).statusCode).toBe(400)
  open.close()
})
