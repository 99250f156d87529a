import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { keepParts } from './subscription-parts.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ register: false })
})
afterAll(() => server.close())

test('parts are loaded once however many ask, and again after a change', async () => {
  const cache = keepParts(server.ctx.db, () => true)
  const [first, second] = await Promise.all([cache.current(), cache.current()])
  expect(second).toBe(first)
  cache.drop()
  expect(await cache.current()).not.toBe(first)
})

test('while changes would not be heard, parts are kept for a moment only', async () => {
  let isWatched = true
  const cache = keepParts(server.ctx.db, () => isWatched)
  const clock = vi.spyOn(performance, 'now')
  const at = performance.now()
  clock.mockReturnValue(at)
  const first = await cache.current()
  clock.mockReturnValue(at + 60_000)
  expect(await cache.current()).toBe(first)
  isWatched = false
  expect(await cache.current()).not.toBe(first)
  const second = await cache.current()
  clock.mockReturnValue(at + 60_999)
  expect(await cache.current()).toBe(second)
  clock.mockRestore()
})

test('what no notice tells of is seen after some minutes', async () => {
  const cache = keepParts(server.ctx.db, () => true)
  const clock = vi.spyOn(performance, 'now')
  const at = performance.now()
  clock.mockReturnValue(at)
  const first = await cache.current()
  clock.mockReturnValue(at + 299_000)
  expect(await cache.current()).toBe(first)
  clock.mockReturnValue(at + 301_000)
  expect(await cache.current()).not.toBe(first)
  clock.mockRestore()
})

test('a failed load is not kept', async () => {
  const cache = keepParts(server.ctx.db.withSchema('missing'), () => true)
  await expect(cache.current()).rejects.toThrow('does not exist')
  await expect(cache.current()).rejects.toThrow('does not exist')
})
