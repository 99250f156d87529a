import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import * as api from '@causeway/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { killProcess, startJobProcess } from '../../../test/killed-process.ts'
import { startReceiver, type Receiver } from '../../../test/receiver.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser } from '../../../test/users.ts'

// Server processes that send notices die by kill -9 at random instants.

const CHANGES = Number(process.env['KILLED_CHANGES'] ?? 60)
const WAIT = { timeout: 180_000 + CHANGES * 40, interval: 200 }

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

async function startSending(): Promise<ChildProcess> {
  const child = await startJobProcess(server, { WEBHOOKS: '1', NOTICES: '1', OUTGOING_PRIVATE_HOSTS: '127.0.0.1' })
  alive.add(child)
  return child
}

test(
  'NOTE-005 servers killed at random instants lose no notice, and send none twice but what was not acknowledged',
  async () => {
    const way = await server.call(api.createNoticeWay, { webhook: { url: receiver.url } })
    await server.call(api.createNoticeRule, { condition: 'userEvents', ways: [way.uuid] })
    let isChanging = true
    const killing = (async () => {
      while (isChanging) {
        const [one, other] = await Promise.all([startSending(), startSending()])
        await sleep(Math.random() * 2000)
        await Promise.all([killProcess(one), killProcess(other)])
        // Claims of a killed server end after a while, which is over at once.
        await sql`update "noticeMessages" set "nextAttemptAt" = now() where "state" = 'waiting'`.execute(server.ctx.db)
      }
    })()
    const names: string[] = []
    for (let change = 0; change < CHANGES; change++) {
      const { username } = await makeUser(server, { username: `user_${change}_end` })
      names.push(username)
      await sleep(Math.random() * 100)
    }
    isChanging = false
    await killing
    await startSending()
    await startSending()
    const countKept = () =>
      server.ctx.db
        .selectFrom('notices')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirst()
    await vi.waitFor(async () => {
      // Nothing waits either while events are not yet notices.
      expect((await countKept())?.total).toBe(names.length)
      const { messages, held } = await server.call(api.listNoticeMessages, { state: 'waiting' })
      expect([messages.length, held]).toEqual([0, 0])
    }, WAIT)
    const sent = receiver.received.map(({ body, headers }) => ({
      id: headers['x-causeway-notice-id'],
      text: body.toString(),
    }))
    // A repetition has the id of the first, and the very same text.
    const byId = new Map(sent.map(({ id, text }) => [id, text]))
    expect(sent.every(({ id, text }) => byId.get(id) === text)).toBe(true)
    // A message names fifteen notices at most and counts the others.
    const told = [...byId.values()].map((text) => {
      const named = text.match(/User user_\d+_end was created/g) ?? []
      const more = /And (\d+) more/.exec(text)?.[1] ?? '0'
      return { named, more: Number(more) }
    })
    const named = told.flatMap((each) => each.named)
    expect(new Set(named).size).toBe(named.length)
    expect(named.length + told.reduce((sum, { more }) => sum + more, 0)).toBe(names.length)
    expect((await countKept())?.total).toBe(names.length)
  },
  WAIT.timeout * 2,
)
