import * as api from '@causeway/contract'
import type { Endpoint } from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../server.ts'
import type { Check } from './read.ts'
import { elsewhere, reads } from './reads.ts'
import { GUARDED_WRITES, UNDOING, type EndpointName } from './declared.ts'
import { openWalk, type Walk } from './walked.ts'

// Every endpoint that reads gives what a plain computation over the rows gives: filters, orders, pages, sums and members.

const endpoints = Object.values<unknown>(api).filter(api.isEndpoint)
let walk: Walk
let server: TestServer
beforeAll(async () => {
  walk = await openWalk()
  server = await testServer({ register: false, database: { url: walk.world.url, drop: async () => {} } })
  Object.assign(server.admin, walk.world.admin)
  server.clock.now = new Date('2026-03-03T12:00:00.000Z')
})
afterAll(async () => {
  await server?.close()
  await walk?.close()
})

test.each(Object.keys(reads) as (keyof typeof reads)[])('%s gives what the rows give', async (name) => {
  const endpoint = endpoints.find((each) => each.name === name) as Endpoint
  const rows = (table: Parameters<Walk['untouched']['get']>[0]) => [...(walk.untouched.get(table)?.values() ?? [])]
  const checks = reads[name]?.({ world: walk.world, rows }) as Check<EndpointName>[] // each is typed where it is declared
  expect(checks.length).toBeGreaterThan(0)
  for (const { input, sees, is } of checks) {
    const reply = await server.call(endpoint, input as never)
    expect({ input, sees: sees(reply as never) }).toEqual({ input, sees: is })
  }
})

/** When a session was last seen, and when an order of users was last wanted. */
const OF_ASKING = ['sessions', 'trafficOrder']

test('reading changes nothing', async () => {
  const since = new Date()
  for (const name of Object.keys(reads) as (keyof typeof reads)[]) {
    const endpoint = endpoints.find((each) => each.name === name) as Endpoint
    const rows = (table: Parameters<Walk['untouched']['get']>[0]) => [...(walk.untouched.get(table)?.values() ?? [])]
    const checks = reads[name]?.({ world: walk.world, rows }) as Check<EndpointName>[] // each is typed where it is declared
    await server.call(endpoint, checks[0]?.input as never)
  }
  const changed = await walk.changesSince(since)
  expect(Object.keys(changed).filter((table) => !OF_ASKING.includes(table))).toEqual([])
})

test('every endpoint that reads is computed once more, or held against something better that is named', () => {
  const isWrite = ({ name, access, method }: Endpoint) =>
    UNDOING.includes(name) ||
    GUARDED_WRITES.includes(name) ||
    access.endsWith('.write') ||
    access === 'session.end' ||
    (access === 'public' && method !== 'GET')
  const reading = endpoints.filter((endpoint) => !isWrite(endpoint)).map(({ name }) => name)
  expect(reading.filter((name) => !(name in reads) && !(name in elsewhere))).toEqual([])
  expect(Object.keys(elsewhere).filter((name) => !reading.includes(name) || name in reads)).toEqual([])
})
