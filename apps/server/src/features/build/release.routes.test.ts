import * as api from '@causeway/contract'
import { afterEach, expect, test } from 'vitest'
import { startOutside, type Outside } from '../../../test/outside.ts'
import { testServer, type TestServer } from '../../../test/server.ts'

let server: TestServer | undefined
let outside: Outside | undefined
afterEach(async () => {
  await server?.close()
  outside?.close()
  outside = undefined
})

async function startService(answers: Record<string, string>): Promise<Outside> {
  return (outside = await startOutside(answers, 500))
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
