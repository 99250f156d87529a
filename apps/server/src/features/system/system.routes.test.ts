import os from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { makeFleet } from '../../../test/fleet.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser, spend } from '../../../test/users.ts'
import { startHeartbeat } from './processes.actions.ts'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const HOUR_MS = 3_600_000

test('HOME-012 HOME-014: statistics tell of the machine, the users, who was online when, and the nodes', async () => {
  const { nodes } = await makeFleet(server)
  const ages = [10_000, HOUR_MS, 48 * HOUR_MS, 24 * 30 * HOUR_MS]
  for (const age of ages) {
    const { uuid } = await makeUser(server)
    await spend(server, uuid, 1000, { onlineAt: new Date(Date.now() - age) })
  }
  await makeUser(server, { status: 'EXPIRED' })
  for (const [index, node] of nodes.entries()) {
    const state = { isConnected: index === 0 }
    await server.ctx.db.updateTable('nodeStates').set(state).where('nodeId', '=', node.id).execute()
  }
  const stats = await server.call(api.getSystemStats, { tz: 'Europe/Berlin' })
  expect(stats).toMatchObject({
    users: { totalUsers: 5, totalTrafficBytes: '4000', statusCounts: { ACTIVE: 4, EXPIRED: 1, LIMITED: 0, DISABLED: 0 } },
    onlineStats: { onlineNow: 1, lastDay: 2, lastWeek: 3, neverOnline: 1 },
    nodes: { totalOnline: 1 },
  })
  const { memory, cpu } = stats
  expect(memory.total).toBe(os.totalmem())
  for (const bytes of [memory.free, memory.used, memory.active, memory.available]) expect(bytes).toBeLessThanOrEqual(memory.total)
  expect(cpu.cores).toBeGreaterThanOrEqual(cpu.physicalCores)
  expect(Math.abs(stats.timestamp - Date.now())).toBeLessThan(60_000)
})

test('users online are counted once for all tabs that poll and all programs that scrape within some seconds', async () => {
  const env = { METRICS_USER: 'scraper', METRICS_PASS: 'password' }
  const own = await testServer({ env })
  const { uuid } = await makeUser(own)
  await makeUser(own)
  await spend(own, uuid, 1000, { onlineAt: new Date() })
  const polls = () => Promise.all(Array.from({ length: 20 }, () => own.call(api.getSystemStats, { tz: 'UTC' })))
  const onlineOf = (all: Awaited<ReturnType<typeof polls>>) => new Set(all.map(({ onlineStats }) => onlineStats.onlineNow))
  expect(onlineOf(await polls())).toEqual(new Set([1]))
  // A count made after this would find both.
  await own.ctx.pool.query('update "userUsage" set "onlineAt" = now()')
  for (let round = 0; round < 3; round++) expect(onlineOf(await polls())).toEqual(new Set([1]))
  const authorization = `Basic ${Buffer.from('scraper:password').toString('base64')}`
  const { body } = await own.send('GET', '/metrics', undefined, { authorization })
  expect(body).toContain('causeway_users_online_stats{metricType="onlineNow",app="causeway"} 1')
  await own.close()
})

test('HOME-013: health tells of every process that lives: its share of a processor and its memory', async () => {
  expect((await server.call(api.getHealth, {})).pm2Stats).toEqual([])
  const { ctx } = server
  const processes = (['all', 'api', 'api', 'jobs'] as const).map((ROLE) =>
    startHeartbeat({ ...ctx, config: { ...ctx.config, ROLE } }),
  )
  for (const one of processes) await one.beat()
  const { pm2Stats } = await server.call(api.getHealth, {})
  expect(pm2Stats.map((one) => one.name)).toEqual(['Server-0', 'API-0', 'API-1', 'Jobs-0'])
  for (const { memory, cpu } of pm2Stats) {
    expect(memory).toMatch(/^[1-9]\d*\.\d\d MiB$/)
    expect(cpu).toMatch(/^\d+\.\d$/)
  }
  await processes[0]?.stop()
  expect((await server.call(api.getHealth, {})).pm2Stats).toHaveLength(3)
  server.clock.now = new Date(Date.now() + 60_000)
  expect((await server.call(api.getHealth, {})).pm2Stats).toEqual([])
  server.clock.now = undefined
  for (const one of processes.slice(1)) await one.stop()
})

test.each(['/api/system/stats', '/api/system/health'])('%s asks for a token', async (url) => {
  expect((await server.send('GET', url, undefined, {})).status).toBe(401)
})
