import * as api from '@causeway/contract'
import type { Endpoint } from '@causeway/contract'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { registered } from '../../src/schedule.ts'
import type { TestServer } from '../server.ts'
import { UNDOING } from './declared.ts'
import { JOBS_AT, jobRuns } from './jobs.ts'
import type { Changes } from './rows.ts'
import { openWalk, type Walk } from './walked.ts'
import { writes } from './writes.ts'

// Every endpoint that writes is called once as it is meant, and every job runs once, in a world with bystanders of every kind.
// The whole database is compared before and after: nothing may have changed but what is declared.

const endpoints = Object.values<unknown>(api).filter(api.isEndpoint)
let walk: Walk
beforeAll(async () => {
  walk = await openWalk()
})
afterEach(() => walk.putBack())
afterAll(() => walk.close())

test.each(Object.keys(writes) as (keyof typeof writes)[])('%s changes what it is meant to, and nothing else', async (name) => {
  const { input, changes, ...doing } = writes[name](walk.world)
  const endpoint = endpoints.find((each) => each.name === name)
  const call = (server: TestServer) => server.call(endpoint as Endpoint, input) // the types hold them together where they are declared
  expect(await walk.changesBy(doing, call)).toEqual(changes)
})

test.each(Object.entries(jobRuns))('the job %s changes what it is meant to, and nothing else', async (name, run) => {
  const { start, changes, at = JOBS_AT, ...doing } = run
  const work = async (server: TestServer) => {
    server.clock.now = new Date(at)
    const job = registered.recurring.find((each) => each.name === name)
    await (start ? start(server) : job?.run(server.ctx))
  }
  expect(await walk.changesBy(doing, work)).toEqual(changes)
})

test('every kind of job, and everything that recurs, is seen at work', () => {
  const declared: { changes: Changes }[] = [...Object.values(writes).map((write) => write(walk.world)), ...Object.values(jobRuns)]
  const begun = declared.flatMap(({ changes }) => Object.keys(changes.jobs ?? {})).map((name) => name.replace(/ .*/, ''))
  expect([...new Set(begun)].toSorted()).toEqual(registered.kinds.map(({ name }) => name).toSorted())
  const recurring = registered.recurring.map(({ name }) => name)
  expect(recurring.filter((name) => !(name in jobRuns))).toEqual([])
})

test('every endpoint that may change something is declared', () => {
  const writing = endpoints.filter(
    ({ name, access, method }) =>
      UNDOING.includes(name) ||
      access.endsWith('.write') ||
      access === 'session.end' ||
      (access === 'public' && method !== 'GET'),
  )
  expect(writing.map(({ name }) => name).filter((name) => !(name in writes))).toEqual([])
})

/** Tables that have one row at most, and what is empty when nothing is left to do. */
const SINGLE = [
  'admins',
  'clock',
  'installation',
  'subscriptionPages',
  'subscriptionSettings',
  'trafficOrder',
  'trafficTurns',
  'noticeReader',
  'moveIn',
  'changedUsers',
  'untold',
]

/** Made anew for each write of webhooks and notices (writes/webhooks.ts): with a reader in the world, every other write would emit events. */
const OF_READERS = [
  'webhooks',
  'webhookStates',
  'webhookDeliveries',
  'webhookAttempts',
  'domainEvents',
  'outbox',
  'eventLooks',
  'noticeWays',
  'noticeWayStates',
  'noticeRules',
  'noticeTroubles',
  'noticeMessages',
  'notices',
]

test('beside every row stand two others that must not change', () => {
  const others = [...SINGLE, ...OF_READERS]
  const few = [...walk.untouched].filter(([table, rows]) => rows.size < 3 && !others.includes(table))
  expect(few.map(([table, rows]) => `${table}: ${rows.size}`)).toEqual([])
})
