import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../../test/postgres.ts'
import { connect, type Database } from './connect.ts'
import { isOutage } from './failures.ts'

const QUICK = { lookMs: 20, answerMs: 300 }

/** A database behind something that can hold back whatever is sent, in both directions, and tells nobody. */
async function behindIce(): Promise<Database & { freeze: (isFrozen: boolean) => void; notices: string[] }> {
  const database = await testDatabase()
  const { url } = database
  const file = `${new URL(url).searchParams.get('host')}/.s.PGSQL.5432`
  const sockets = new Set<net.Socket>()
  let isFrozen = false
  const flow = (socket: net.Socket) => (isFrozen ? socket.pause() : socket.resume())
  const ice = net.createServer((near) => {
    const far = net.connect(file)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('data', (bytes) => other.write(bytes))
      socket.on('end', () => other.end())
      flow(socket)
    }
  })
  await new Promise<void>((resolve) => ice.listen(0, '127.0.0.1', resolve))
  const { port } = ice.address() as net.AddressInfo // a TCP server
  const { pathname, username } = new URL(url)
  const notices: string[] = []
  const onNotice = (sentence: string) => void notices.push(sentence)
  const connected = connect(`postgres://${username}@127.0.0.1:${port}${pathname}`, {
    max: 3,
    patienceMs: 1500,
    silence: QUICK,
    onNotice,
  })
  onTestFinished(async () => {
    await connected.close()
    for (const socket of sockets) socket.destroy()
    ice.close()
    await database.drop()
  })
  const freeze = (is: boolean) => {
    isFrozen = is
    for (const socket of sockets) flow(socket)
  }
  return { ...connected, freeze, notices }
}

const failure = (asked: Promise<unknown>) => asked.then(() => undefined).catch((error: unknown) => error)

test('what waits for a frozen database fails, nobody begins to wait, and it goes on once that answers', async () => {
  const { db, freeze, notices } = await behindIce()
  await sql`create table "kept" ("what" text primary key)`.execute(db)
  const keep = (what: string) => sql`insert into "kept" values (${what})`.execute(db)
  await keep('before')
  freeze(true)
  const waiting = [
    keep('statement'),
    db.transaction().execute(async (tx) => {
      await sql`insert into "kept" values ('transaction')`.execute(tx)
    }),
    // Those for whom there is no connection yet.
    ...Array.from({ length: 6 }, () => sql`select 1`.execute(db)),
  ].map(failure)
  for (const error of await Promise.all(waiting)) expect(isOutage(error)).toBe(true)
  expect(notices).toContain('The database does not answer.')
  const askedAt = performance.now()
  expect(isOutage(await failure(sql`select 1`.execute(db)))).toBe(true)
  expect(performance.now() - askedAt).toBeLessThan(100)

  await sleep(1500) // until the pool itself has given up those who waited
  freeze(false)
  await expect.poll(() => failure(sql`select 1`.execute(db)), { timeout: 5000 }).toBeUndefined()
  expect(notices).toContain('The database answers again.')
  await keep('after')
  // What was sent into the ice may have been done; a transaction whose end was not sent has not.
  const { rows } = await sql<{ what: string }>`select "what" from "kept" where "what" <> 'statement' order by 1`.execute(db)
  expect(rows.map(({ what }) => what)).toEqual(['after', 'before'])
})

test('what takes long on a database that answers is waited for', async () => {
  const { db, notices } = await behindIce()
  const [slow] = await Promise.all([sql<{ is: number }>`select 1 as "is", pg_sleep(1)`.execute(db), sleep(0)])
  expect(slow.rows[0]?.is).toBe(1)
  expect(notices).toEqual([])
})
