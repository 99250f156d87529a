import * as api from '@causeway/contract'
import { afterEach, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
afterEach(() => server?.close())

const policyOf = async () => String((await server.send('GET', '/health')).headers['content-security-policy'])

test('MUSIC-007 the playlist is what the configuration names, and its host alone may be asked beside our own', async () => {
  const playlistUrl = 'https://music.example/lists/night.json'
  server = await testServer({ env: { MUSIC_PLAYLIST_URL: playlistUrl, MUSIC_SERVICE_URL: 'https://stream.example/us' } })
  expect(await server.call(api.getMusic, {})).toEqual({ playlistUrl, serviceUrl: 'https://stream.example/us' })
  expect(await policyOf()).toContain("connect-src 'self' https://music.example;")
  expect(await policyOf()).toContain("media-src 'self' blob: https://music.example;")
})

test('without one nobody outside may be asked, and the link leads to a well-known service', async () => {
  server = await testServer()
  const { playlistUrl, serviceUrl } = await server.call(api.getMusic, {})
  expect(playlistUrl).toBeNull()
  expect(new URL(serviceUrl).protocol).toBe('https:')
  expect(await policyOf()).toContain("connect-src 'self';")
  expect(await policyOf()).toContain("media-src 'self' blob:;")
})

test('a stranger is told nothing', async () => {
  server = await testServer()
  expect((await server.send('GET', '/api/x/music', undefined, {})).status).toBe(401)
})
