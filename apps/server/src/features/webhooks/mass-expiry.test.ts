import { setTimeout as sleep } from 'node:timers/promises'
import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertUsers } from '../../../test/many-users.ts'
import { startReceiver, type Receiver } from '../../../test/receiver.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser } from '../../../test/users.ts'
import { expireUsers } from '../users/users.jobs.ts'
import { startWebhooks } from './worker.actions.ts'

// Many users whose time ends at the same moment. docs/figures.md has what EXPIRING_USERS=100000 printed, with EXPIRING_SECONDS=120
// of looking at it.

const named = process.env['EXPIRING_USERS']
const USERS = Number(named ?? 300)
/** What one webhook gets at most, and what is under way at the ends of a second. */
const MOST_PER_SECOND = 100 + 16
/** The bound of what waits, and what one more reading may add. */
const MOST_WAITING = 500 + 200
const TIMEOUT_MS = 60_000 + USERS * 30
/** For so long the deliveries of a named number are looked at; their end comes later. */
const LOOKED_MS = Number(process.env['EXPIRING_SECONDS'] ?? TIMEOUT_MS / 1000) * 1000

let server: TestServer
let receiver: Receiver
let worker: { stop(): Promise<void> }
beforeAll(async () => {
  server = await testServer({ env: { OUTGOING_PRIVATE_HOSTS: '127.0.0.1' } })
  receiver = await startReceiver()
})
afterAll(async () => {
  await worker.stop()
  await receiver.close()
  await server.close()
})

/** Times of a call that administrators wait for, in milliseconds, until it is asked to end. */
function askAllTheTime(uuid: string) {
  const times: number[] = []
  let isAsking = true
  const asking = (async () => {
    while (isAsking) {
      const start = performance.now()
      await server.call(api.getUser, { uuid })
      times.push(performance.now() - start)
      await sleep(20)
    }
  })()
  return async () => {
    isAsking = false
    await asking
    return times.toSorted((one, other) => one - other)
  }
}

const share = (times: number[], part: number) => times[Math.floor(times.length * part)] ?? 0

test(
  'HOOK-007 many users expiring at once become one delivery each, at a bounded rate, and the product stays as quick',
  async () => {
    const { db } = server.ctx
    for (let left = USERS, part = 0; left > 0; left -= 5000, part++) await insertUsers(db, Math.min(left, 5000), `many${part}`)
    const bystander = await makeUser(server, { username: 'bystander' })
    const arrivals: number[] = []
    const told = new Set<string>()
    receiver.answer = (reply, { body }) => {
      arrivals.push(performance.now())
      told.add((JSON.parse(body.toString()) as { data: { username: string } }).data.username) // bodies of this file
      receiver.received.length = 0 // or it would be this that grows
      reply.end()
    }
    await server.call(api.createWebhook, { name: 'bot', url: receiver.url, events: ['user.expired'] })
    const quietTimes = askAllTheTime(bystander.uuid)
    await sleep(1000)
    const quiet = await quietTimes()
    await db
      .updateTable('users')
      .set({ expireAt: new Date(Date.now() - 1000) })
      .where('username', '<>', 'bystander')
      .execute()
    const before = process.memoryUsage().rss

    worker = await startWebhooks(server.ctx)
    const busyTimes = askAllTheTime(bystander.uuid)
    const start = performance.now()
    await expireUsers(server.ctx)
    const expiredMs = performance.now() - start
    let mostWaiting = 0
    let mostMemory = 0
    while (told.size < USERS && performance.now() - start < expiredMs + LOOKED_MS) {
      const waiting = await db.selectFrom('webhookDeliveries').select('id').where('state', '=', 'waiting').execute()
      mostWaiting = Math.max(mostWaiting, waiting.length)
      mostMemory = Math.max(mostMemory, process.memoryUsage().rss)
      await sleep(100)
    }
    const busy = await busyTimes()

    const perSecond = arrivals.map((from, at) => arrivals.slice(at, at + 500).filter((other) => other < from + 1000).length)
    if (named !== undefined)
      console.log({
        expiredMs,
        delivered: arrivals.length,
        deliveredMs: performance.now() - start,
        mostPerSecond: Math.max(...perSecond.slice(0, 10_000)),
        mostWaiting,
        grownMegabytes: (mostMemory - before) / 2 ** 20,
        quietMs: [share(quiet, 0.5), share(quiet, 0.99)],
        busyMs: [share(busy, 0.5), share(busy, 0.99)],
      })
    expect(Math.max(...perSecond.slice(0, 10_000))).toBeLessThanOrEqual(MOST_PER_SECOND)
    expect(arrivals).toHaveLength(told.size)
    expect(told.size).toBe(process.env['EXPIRING_SECONDS'] === undefined ? USERS : told.size)
    expect(told).not.toContain('bystander')
    expect(mostWaiting).toBeLessThanOrEqual(MOST_WAITING)
    // Whatever else the machine does meanwhile: a call that waited for the rest would take seconds.
    expect(share(busy, 0.5)).toBeLessThan(10 * share(quiet, 0.5) + 50)
  },
  TIMEOUT_MS * 2,
)
