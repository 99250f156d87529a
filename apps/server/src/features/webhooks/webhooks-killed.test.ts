import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { killProcess, startJobProcess } from '../../../test/killed-process.ts'
import { startReceiver, type Receiver } from '../../../test/receiver.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser } from '../../../test/users.ts'

// Server processes that publish and deliver die by kill -9 at random instants while others change users. More changes by
// KILLED_CHANGES=10000.

const CHANGES = Number(process.env['KILLED_CHANGES'] ?? 300)
const USERS = 6
const WAIT = { timeout: 60_000 + CHANGES * 40, interval: 200 }

let server: TestServer
let receiver: Receiver
const alive = new Set<ChildProcess>()
beforeAll(async () => {
  server = await testServer({ env: { OUTGOING_PRIVATE_HOSTS: '127.0.0.1' } })
  receiver = await startReceiver()
})
afterAll(async () => {
  for (const child of alive) child.kill('SIGKILL')
  await receiver.close()
  await server.close()
})

async function startDelivering(): Promise<ChildProcess> {
  const child = await startJobProcess(server, { WEBHOOKS: '1', OUTGOING_PRIVATE_HOSTS: '127.0.0.1' })
  alive.add(child)
  return child
}

test(
  'HOOK-002 HOOK-003 servers killed at random instants lose no event, make none up, and keep the order of each thing',
  async () => {
    await server.call(api.createWebhook, { name: 'bot', url: receiver.url, events: ['user.modified'] })
    const users = []
    for (let number = 0; number < USERS; number++) users.push(await makeUser(server))
    let isChanging = true
    const killing = (async () => {
      while (isChanging) {
        const [one, other] = await Promise.all([startDelivering(), startDelivering()])
        await sleep(Math.random() * 1500)
        await Promise.all([killProcess(one), killProcess(other)])
      }
    })()
    const committed = new Map<string, string[]>()
    for (let change = 0; change < CHANGES; change++) {
      const user = users[change % USERS]
      const tag = `T${change}`
      await server.call(api.updateUser, { uuid: user?.uuid ?? '', tag })
      committed.set(user?.username ?? '', [...(committed.get(user?.username ?? '') ?? []), tag])
      await sleep(Math.random() * 10)
    }
    isChanging = false
    await killing
    await startDelivering()
    const ids = () => new Set(receiver.received.map(({ headers }) => headers['x-causeway-event-id']))
    await vi.waitFor(() => expect(ids().size).toBeGreaterThanOrEqual(CHANGES), WAIT)
    await vi.waitFor(async () => expect((await server.call(api.listWebhooks, {})).webhooks[0]?.waiting).toBe(0), WAIT)

    // Repeats carry the id of the first.
    const seen = new Set<unknown>()
    const received = new Map<string, string[]>()
    for (const { headers, body } of receiver.received) {
      if (seen.has(headers['x-causeway-event-id'])) continue
      seen.add(headers['x-causeway-event-id'])
      const { data } = JSON.parse(body.toString()) as { data: { username: string; tag: string } } // bodies of this file
      received.set(data.username, [...(received.get(data.username) ?? []), data.tag])
    }
    expect(Object.fromEntries(received)).toEqual(Object.fromEntries(committed))
  },
  WAIT.timeout * 2,
)
