import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { permissions, listUsers } from '@causeway/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { everyone } from '../lib/scope.ts'
import { differences } from '../features/generations/generations.actions.ts'
import { mount, onWritten, Written } from './mount.ts'
import { serializerCompiler } from './serializer.ts'

/** More than a connection takes in while its reader waits. */
const WAITING = Buffer.alloc(60 * 1024 * 1024, 'x')

let app: FastifyInstance
let url: string
const release = vi.fn<() => void>()
beforeEach(async () => {
  release.mockClear()
  app = Fastify()
  app.setSerializerCompiler(serializerCompiler as never) // as in app.ts
  const caller = {
    kind: 'apiToken',
    scope: everyone,
    uuid: null,
    name: null,
    address: null,
    userAgent: null,
    origin: null,
  } as const
  mount(app, [onWritten(listUsers, async () => new Written(WAITING, release))], {
    authenticate: async () => ({ ...caller, permissions: new Set(permissions), endsAt: null }),
    submissions: { find: async () => undefined, keep: async () => {}, isSubmittedBefore: () => false },
    differences,
    findUuids: async () => new Map(),
    findNames: async () => new Set(),
    refusalOf: () => undefined,
  })
  url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/users`
})
afterEach(() => app.close())

async function begun(): Promise<IncomingMessage> {
  const asked = request(url, { headers: { authorization: 'Bearer any' }, agent: false }).end()
  const [reply] = (await once(asked, 'response')) as [IncomingMessage] // by the event
  return reply
}

test('memory of an answer is released once a slow reader has it all, and not before', async () => {
  const reply = await begun()
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(release).not.toHaveBeenCalled()
  let length = 0
  for await (const chunk of reply) length += (chunk as Buffer).length // no encoding is set
  expect(length).toBe(WAITING.length)
  await vi.waitFor(() => expect(release).toHaveBeenCalledOnce())
})

test('memory of an answer is released when its reader goes away', async () => {
  const reply = await begun()
  expect(release).not.toHaveBeenCalled()
  reply.destroy()
  await vi.waitFor(() => expect(release).toHaveBeenCalledOnce())
})
