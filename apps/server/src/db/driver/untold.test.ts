import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { listenForNotices, type DatabaseNotices } from './database-notices.ts'

let server: TestServer
let notices: DatabaseNotices
const heard: string[] = []
beforeAll(async () => {
  server = await testServer()
  notices = listenForNotices({
    connectionString: server.ctx.pool.options.connectionString ?? '',
    channel: 'events',
    onNotice: (word) => word !== undefined && heard.push(word),
    onError: () => {},
  })
  while (!notices.isListening()) await setTimeout(10)
})
afterAll(async () => {
  await notices.close()
  await server.close()
})

it('what a commit leaves to be told is told after it, once, and nothing of what is undone', async () => {
  const { db, pool } = server.ctx
  const leave = (word: string) => db.insertInto('untold').values([word, word].map((payload) => ({ channel: 'events', payload })))
  const undone = db.transaction().execute(async (tx) => {
    await tx.insertInto('untold').values({ channel: 'events', payload: 'undone' }).execute()
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await db.transaction().execute(async (tx) => void (await tx.executeQuery(leave('committed'))))
  await expect.poll(() => heard).toEqual(['committed'])
  // As after a process that was killed between its commit and its telling, or by hand.
  await pool.query(`insert into "untold" values ('events', 'elsewhere')`)
  await expect.poll(() => heard, { timeout: 5000 }).toEqual(['committed', 'elsewhere'])
  expect(await db.selectFrom('untold').selectAll().execute()).toEqual([])
})
