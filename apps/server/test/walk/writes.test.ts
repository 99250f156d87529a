import { globSync } from 'node:fs'
import path from 'node:path'
import * as api from '@causeway/contract'
import type { Endpoint } from '@causeway/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startHeartbeat } from '../../src/features/system/processes.actions.ts'
import { startRunner } from '../../src/jobs/runner.ts'
import { registered } from '../../src/schedule.ts'
import { liveFleet, until } from '../live-fleet.ts'
import { JOBS_AT, jobRuns } from './jobs.ts'
import type { TestServer } from '../server.ts'
import { GUARDED_WRITES, UNDOING } from './declared.ts'
import type { Changes } from './rows.ts'
import { openWalk, type Walk } from './walked.ts'
import { reads } from './reads.ts'
import { writes } from './writes.ts'
import { askRarely, readElsewhere } from '../statements/others.ts'
import { functionsThatAsk, recordStatements, SRC } from '../statements/recorder.ts'
import { describeStatements } from '../statements/statement-text.ts'

// Every endpoint that writes is called once as it is meant, and every job runs once, in a world with bystanders of every kind.
// The whole database is compared before and after: nothing may have changed but what is declared.
// What the database is asked meanwhile stands in one file for each file of the product: a changed statement shows in the
// difference of a commit.
// The product itself makes them, driven through every endpoint and every job of the walk, and by a fleet at work.

const FOLDER = path.join(SRC, 'db/statements')
/** Functions that neither the walk nor a fleet at work calls, and what holds them. */
const UNSEEN = new Map([
  ['ground/user-keys.queries.ts findUuidsOfUsers', 'programs of 3.x alone name users by number (features/generations)'],
])

const { recorded, ...recorder } = recordStatements()
afterAll(() => recorder.stop())
const endpoints = Object.values<unknown>(api).filter(api.isEndpoint)
const endpointOf = (name: string) => endpoints.find((each) => each.name === name) as Endpoint // the walk names endpoints of the contract

describe('a fleet at work', () => {
  const live = liveFleet()
  test('starts cores, tells them of users and books what these move', async () => {
    const { agent, node } = await live.connectedNode()
    const user = await live.makeUser('moves')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('moves', 10, 20)
    await until(async () => (await live.usedBytes(user.uuid)) === 30)
    const plugin = await live.server.call(api.createNodePlugin, { name: 'wall' })
    await live.server.call(api.updateNodePlugin, {
      uuid: plugin.uuid,
      pluginConfig: { torrentBlocker: { enabled: true, blockDuration: 60 } },
    })
    await live.server.call(api.updateNode, { uuid: node.uuid, activePluginUuid: plugin.uuid })
    const filtered = async () => (await live.server.call(api.getNodePlugin, { uuid: plugin.uuid })).nodes?.[0]?.filtersAt
    await until(async () => typeof (await filtered()) === 'string')
    const heartbeat = startHeartbeat(live.server.ctx)
    const runner = await startRunner(live.server.ctx, registered)
    await runner.stop()
    await heartbeat.stop()
    expect(recorded.size).toBeGreaterThan(10)
  })
})

/** Tables that have one row at most, and what is empty when nothing is left to do. */
const SINGLE = [
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

describe('the walk', () => {
  let walk: Walk
  beforeAll(async () => {
    walk = await openWalk()
  })
  afterEach(() => walk.putBack())
  afterAll(() => walk.close())

  test('reads', async () => {
    const rows = (table: Parameters<Walk['untouched']['get']>[0]) => [...(walk.untouched.get(table)?.values() ?? [])]
    await walk.act({}, async (server) => {
      for (const [name, checksOf] of Object.entries(reads))
        for (const { input } of checksOf({ world: walk.world, rows })) await server.call(endpointOf(name), input as never)
    })
    expect(recorded.size).toBeGreaterThan(10)
  })
  test('reads what is judged elsewhere', async () => {
    await walk.act({}, (server) => readElsewhere(server, walk.world))
    expect(recorded.size).toBeGreaterThan(10)
  })
  test('asks what is rare', async () => {
    await walk.act({}, (server) => askRarely(server.ctx, walk.world))
    expect(recorded.size).toBeGreaterThan(10)
  })
  test.each(Object.keys(writes) as (keyof typeof writes)[])('%s changes what it is meant to, and nothing else', async (name) => {
    const { input, changes, ...doing } = writes[name](walk.world)
    const call = (server: TestServer) => server.call(endpointOf(name), input as never)
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
    const declared: { changes: Changes }[] = [
      ...Object.values(writes).map((write) => write(walk.world)),
      ...Object.values(jobRuns),
    ]
    const begun = declared.flatMap(({ changes }) => Object.keys(changes.jobs ?? {})).map((name) => name.replace(/ .*/, ''))
    expect([...new Set(begun)].toSorted()).toEqual(registered.kinds.map(({ name }) => name).toSorted())
    const recurring = registered.recurring.map(({ name }) => name)
    expect(recurring.filter((name) => !(name in jobRuns))).toEqual([])
  })

  test('every endpoint that may change something is declared', () => {
    const writing = endpoints.filter(
      ({ name, access, method }) =>
        UNDOING.includes(name) ||
        GUARDED_WRITES.includes(name) ||
        access.endsWith('.write') ||
        access === 'session.end' ||
        (access === 'public' && method !== 'GET'),
    )
    expect(writing.map(({ name }) => name).filter((name) => !(name in writes))).toEqual([])
  })

  test('beside every row stand two others that must not change', () => {
    const others = [...SINGLE, ...OF_READERS]
    const few = [...walk.untouched].filter(([table, rows]) => rows.size < 3 && !others.includes(table))
    expect(few.map(([table, rows]) => `${table}: ${rows.size}`)).toEqual([])
  })
})

test('every statement is the one that was reviewed', async () => {
  const written = describeStatements(recorded)
  // On a build machine a difference fails; elsewhere `npm run db:snapshots` writes the files, and the diff is part of the review.
  for (const [file, text] of written) await expect(text).toMatchFileSnapshot(path.join(FOLDER, file))
  const others = globSync('**/*.sql', { cwd: FOLDER }).filter((file) => !written.has(file))
  expect(others, 'The product makes none of these any more: npm run db:snapshots.').toEqual([])
})

test('every function that asks the database is seen asking', () => {
  const unseen = globSync('**/*.queries.ts', { cwd: SRC }).flatMap((file) => {
    const seen = new Set([...(recorded.get(file)?.values() ?? [])].flatMap((names) => [...names]))
    return functionsThatAsk(file)
      .filter((name) => !seen.has(name))
      .map((name) => `${file} ${name}`)
  })
  expect(unseen.filter((name) => !UNSEEN.has(name)).toSorted()).toEqual([])
  expect([...UNSEEN.keys()].filter((name) => !unseen.includes(name))).toEqual([])
})
