import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { testServer, type TestServer } from '../../test/server.ts'
import { openBus } from '../db/driver/bus.ts'
import { openChanges } from './changes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

test('a value is cached until its topic is told, and a change is settled when every process has heard of it', async () => {
  const bus = openBus(server.ctx.pool.options.connectionString ?? '', () => {})
  const [one, other] = [openChanges(server.ctx.bus), openChanges(bus)]
  try {
    const heard = vi.fn<(word: string | undefined) => void>()
    other.hear(heard)
    await vi.waitFor(() => expect(heard).toHaveBeenCalledWith(undefined))
    let value = 1
    const read = vi.fn<() => Promise<number>>(async () => value)
    const remembered = other.remember('settings', read)
    expect([await remembered('zone'), await remembered('zone')]).toEqual([1, 1])
    expect(read).toHaveBeenCalledTimes(1)
    await server.ctx.pool.query(`select pg_notify('events', 'hosts')`)
    await one.settled()
    expect(await remembered('zone')).toBe(1)
    value = 2
    await server.ctx.pool.query(`select pg_notify('events', 'settings')`)
    await one.settled()
    expect(await remembered('zone')).toBe(2)
    expect(heard.mock.calls.map(([word]) => word)).toEqual([undefined, 'hosts', 'settings'])
  } finally {
    await bus.close()
  }
})

test('a failed read is not cached', async () => {
  const read = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('away')).mockResolvedValue('here')
  const remembered = openChanges(server.ctx.bus).remember('settings', read)
  await expect(remembered('zone')).rejects.toThrow('away')
  expect(await remembered('zone')).toBe('here')
})
