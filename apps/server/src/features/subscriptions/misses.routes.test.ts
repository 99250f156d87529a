import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { idOf, makeUser } from '../../../test/users.ts'
import { buildApp } from '../../app.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

test('after a restart, links that apps had opened before are served at once from an address that is held back', async () => {
  const [good, fresh] = [await makeUser(server), await makeUser(server)]
  const userId = await idOf(server, good.uuid)
  await server.ctx.db.insertInto('userAccesses').values({ userId, subLastOpenedAt: new Date() }).execute()
  const restarted = await buildApp(server.ctx)
  const from = (url: string) => restarted.inject({ url, remoteAddress: '198.51.100.8' })
  for (let index = 0; index < 60; index++) await from(`/api/sub/guess-${index}`)
  expect((await from(`/api/sub/${good.shortUuid}`)).statusCode).toBe(200)
  expect((await from(`/api/sub/${fresh.shortUuid}`)).statusCode).toBe(429)
  await restarted.close()
})
