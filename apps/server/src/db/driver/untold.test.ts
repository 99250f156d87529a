import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
const heard: string[] = []
beforeAll(async () => {
  server = await testServer()
  server.ctx.bus.hear('events', (word) => word !== undefined && heard.push(word))
  await vi.waitUntil(() => server.ctx.bus.isListening())
})
afterAll(() => server.close())

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
