import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startReceiver, type Receiver } from '../../../test/receiver.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser } from '../../../test/users.ts'
import { migrate } from '../../db/migrate.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../postgres/embedded-postgres.ts'
import { startWebhooks } from './worker.actions.ts'

// A database of this test's own dies by kill -9, with all its processes, while users are changed and events are delivered. More
// changes by KILLED_CHANGES=10000.

const CHANGES = Number(process.env['KILLED_CHANGES'] ?? 120)
const KILLS = Math.max(2, Math.round(CHANGES / 500))
const USERS = 6
const WAIT = { timeout: 60_000 + CHANGES * 40, interval: 200 }

/** What the history keeps of a changed user. */
interface Changed {
  users: { tag: string }[]
}

let folder: string
let postgres: EmbeddedPostgres
let server: TestServer
let receiver: Receiver
let worker: { stop(): Promise<void> }
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'causeway-killed-database-'))
  await chmod(folder, 0o755) // the database's own account has to pass through
  postgres = await startEmbeddedPostgres({ dataDir: folder, settings: { shared_buffers: '32MB' } })
  await migrate(postgres.url)
  const database = { url: postgres.url, drop: async () => {} }
  server = await testServer({ env: { OUTGOING_PRIVATE_HOSTS: '127.0.0.1' }, database })
  receiver = await startReceiver()
  worker = await startWebhooks(server.ctx)
})
afterAll(async () => {
  await worker.stop()
  await receiver.close()
  await server.close()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Postmaster and backends, so that none of them can write anything more. */
async function killDatabase(): Promise<void> {
  const file = await readFile(path.join(folder, 'postgres/pg18/postmaster.pid'), 'utf8')
  const postmaster = Number(file.split('\n')[0])
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
  for (const pid of [postmaster, ...children.trim().split(' ').map(Number)]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended with its postmaster.
    }
  }
}

test(
  'HOOK-002 HOOK-003 a database killed at random instants loses no event, makes none up, and keeps the order of each thing',
  async () => {
    await server.call(api.createWebhook, { name: 'bot', url: receiver.url, events: ['user.modified'] })
    const users: api.User[] = []
    for (let number = 0; number < USERS; number++) users.push(await makeUser(server))
    const killAt = new Set(Array.from({ length: KILLS }, (_, kill) => Math.floor(((kill + Math.random()) * CHANGES) / KILLS)))
    let acknowledged = 0
    for (let change = 0; change < CHANGES; change++) {
      if (killAt.has(change)) void sleep(Math.random() * 20).then(killDatabase)
      const body = { uuid: users[change % USERS]?.uuid, tag: `T${change}` }
      const { status } = await server.send('PATCH', api.updateUser.path, body)
      if (status === 200) acknowledged++
      else await sleep(100)
    }
    // What is in the history was committed, whether it could be acknowledged or not.
    const entries = await vi.waitFor(
      () =>
        server.ctx.db
          .selectFrom('auditLog')
          .select(['target', 'after'])
          .where('action', '=', 'updateUser')
          .orderBy('id')
          .execute(),
      WAIT,
    )
    const committed = entries.map(({ target, after }) => `${target} ${(after as Changed).users[0]?.tag}`) // changes of this test
    expect(acknowledged).toBeGreaterThan(0)
    expect(committed.length).toBeGreaterThanOrEqual(acknowledged)
    const ids = () => new Set(receiver.received.map(({ headers }) => headers['x-causeway-event-id']))
    await vi.waitFor(() => expect(ids().size).toBeGreaterThanOrEqual(committed.length), WAIT)
    await vi.waitFor(async () => expect((await server.call(api.listWebhooks, {})).webhooks[0]?.waiting).toBe(0), WAIT)

    // Repeats carry the id of the first.
    const seen = new Set<unknown>()
    const received = receiver.received.flatMap(({ headers, body }) => {
      const id = headers['x-causeway-event-id']
      if (seen.has(id)) return []
      seen.add(id)
      const { data } = JSON.parse(body.toString()) as { data: { uuid: string; tag: string } } // bodies of this file
      return [`${data.uuid} ${data.tag}`]
    })
    for (const { uuid } of users) {
      const ofUser = (lines: string[]) => lines.filter((line) => line.startsWith(uuid))
      expect(ofUser(received)).toEqual(ofUser(committed))
    }
    expect(received).toHaveLength(committed.length)
  },
  WAIT.timeout * 2,
)
