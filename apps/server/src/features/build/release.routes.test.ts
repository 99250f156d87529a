import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as api from '@causeway/contract'
import { afterEach, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'

let server: TestServer | undefined
let service: Server | undefined
afterEach(async () => {
  await server?.close()
  service?.close()
  service = undefined
})

async function startService(answers: Record<string, string>): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  service = createServer((request, response) => {
    asked.push(request.url ?? '')
    const answer = answers[request.url ?? '']
    response.writeHead(answer === undefined ? 500 : 200).end(answer)
  })
  await new Promise<void>((resolve) => service?.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(service.address() as AddressInfo).port}`, asked } // listens on a port
}

const REPOSITORY_URL = 'https://code.example/team/panel'
const start = (url: string) => testServer({ env: { REPOSITORY_URL, RELEASE_SERVICE_URL: url } })

test('CALL-020 the latest tag and the star count come through the service, asked once an hour', async () => {
  const { url, asked } = await startService({
    '/repos/team/panel/releases/latest': '{"release":{"tag":"v9.9.9"}}',
    '/stars/team/*': '{"totalStars":1234}',
  })
  server = await start(url)
  expect(await server.call(api.getRelease, {})).toEqual({ isConfigured: true, latestTag: 'v9.9.9', stars: 1234 })
  await server.call(api.getRelease, {})
  expect(asked.toSorted()).toEqual(['/repos/team/panel/releases/latest', '/stars/team/*'])
})

test('a service that fails or answers nonsense leaves them unknown', async () => {
  const { url } = await startService({ '/stars/team/*': '<html>' })
  server = await start(url)
  expect(await server.call(api.getRelease, {})).toEqual({ isConfigured: true, latestTag: null, stars: null })
})

test('nobody is asked unless a service is configured', async () => {
  server = await testServer({ env: { REPOSITORY_URL } })
  expect(await server.call(api.getRelease, {})).toEqual({ isConfigured: false, latestTag: null, stars: null })
})
