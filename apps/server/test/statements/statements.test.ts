import { globSync } from 'node:fs'
import path from 'node:path'
import * as api from '@causeway/contract'
import type { Endpoint } from '@causeway/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startHeartbeat } from '../../src/features/system/processes.actions.ts'
import { startRunner } from '../../src/jobs/runner.ts'
import { registered } from '../../src/schedule.ts'
import { liveFleet, until } from '../live-fleet.ts'
import { JOBS_AT, jobRuns } from '../walk/jobs.ts'
import type { TestServer } from '../server.ts'
import { openWalk, type Doing, type Walk } from '../walk/walked.ts'
import { reads } from '../walk/reads.ts'
import { writes } from '../walk/writes.ts'
import { askRarely, readElsewhere } from './others.ts'
import { functionsThatAsk, recordStatements, SRC } from './recorder.ts'
import { describeStatements } from './statement-text.ts'

// What the database is asked, one file for each file of the product: a changed statement shows in the difference of a commit.
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
    const { agent } = await live.connectedNode()
    const user = await live.makeUser('moves')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('moves', 10, 20)
    await until(async () => (await live.usedBytes(user.uuid)) === 30)
    const heartbeat = startHeartbeat(live.server.ctx)
    const runner = await startRunner(live.server.ctx, registered)
    await runner.stop()
    await heartbeat.stop()
    expect(recorded.size).toBeGreaterThan(10)
  })
})

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
  test.each(Object.entries(writes))('writes by %s', async (name, write) => {
    const doing: Doing & { input: object } = write(walk.world)
    const call = (server: TestServer) => server.call(endpointOf(name), doing.input as never)
    await walk.act(doing, call)
    expect(recorded.size).toBeGreaterThan(10)
  })
  test.each(Object.entries(jobRuns))('works on the job %s', async (name, doing) => {
    const { start, at = JOBS_AT } = doing
    await walk.act(doing, async (server) => {
      server.clock.now = new Date(at)
      await (start ? start(server) : registered.recurring.find((each) => each.name === name)?.run(server.ctx))
    })
    expect(recorded.size).toBeGreaterThan(10)
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
