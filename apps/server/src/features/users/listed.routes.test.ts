import { brotliDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { listUsers } from '@causeway/contract'
import { makeFleet, type Fleet } from '../../../test/fleet.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { UNKNOWN } from '../../../test/users.ts'
import { serializerCompiler } from '../../http/serializer.ts'
import { dayIn } from '../../lib/days.ts'
import { toUser } from './links.rules.ts'
import { trafficOf } from './traffic.rules.ts'
import { listUsersById } from './users.queries.ts'

// The list is written from the texts of its rows. What it writes is held against what the response schema writes of values.

let server: TestServer
let fleet: Fleet
beforeAll(async () => {
  server = await testServer()
  fleet = await makeFleet(server)
})
afterAll(() => server.close())

const text = fc.string({ unit: 'binary', maxLength: 12 }).map((any) => any.replaceAll('\0', ''))
const rare = fc.constantFrom('"', '\\', '\n', '\u007f', '\u2028', '', 'null', '2026-01-01 00:00:00+00')
const words = fc.oneof(text, rare)
const instant = fc.oneof(
  fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
  fc.date({ min: new Date('-000100-01-01'), max: new Date('+012000-01-01'), noInvalidDate: true }),
)
const bytes = fc.oneof(fc.maxSafeNat(), fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })).map(String)
const orNone = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

const randomUser = fc.record({
  user: fc.record({
    username: words,
    status: fc.constantFrom('ACTIVE', 'DISABLED', 'LIMITED', 'EXPIRED'),
    trafficLimitBytes: bytes,
    expireAt: instant,
    description: orNone(words),
    tag: orNone(words),
    email: orNone(words),
    telegramId: orNone(bytes),
    hwidDeviceLimit: orNone(fc.nat()),
    trojanPassword: words,
    ssPassword: words,
    subRevokedAt: orNone(instant),
    createdAt: instant,
    updatedAt: instant,
  }),
  shortUuid: words,
  usage: fc.record({
    usedTrafficBytes: bytes,
    lifetimeUsedTrafficBytes: bytes,
    onlineAt: orNone(instant),
    firstConnectedAt: orNone(instant),
    lastTrafficResetAt: orNone(instant),
    lastTriggeredThreshold: fc.nat(100),
    trafficDay: fc.constantFrom(null, dayIn('UTC', new Date()), '2020-01-01'),
    dayBytes: fc.maxSafeNat().map((value) => value % 2 ** 50),
    weekBytes: fc.maxSafeNat().map((value) => value % 2 ** 50),
    thirtyDaysBytes: fc.maxSafeNat().map((value) => value % 2 ** 50),
    monthBytes: fc.maxSafeNat().map((value) => value % 2 ** 50),
  }),
  node: orNone(fc.constantFrom(0, 1)),
  access: orNone(fc.record({ subLastOpenedAt: orNone(instant), subLastUserAgent: orNone(words) })),
  squads: fc.subarray([0, 1]),
})
type RandomUser = typeof randomUser extends fc.Arbitrary<infer U> ? U : never

const bySchema = serializerCompiler({ schema: z.object({ response: listUsers.response }), method: 'GET', url: '/' })

test('USER-075: a page is byte for byte what the response schema writes of the same users, also after some have changed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(randomUser, { minLength: 1, maxLength: 25 }),
      fc.constantFrom(25, 30),
      fc.array(randomUser, { minLength: 1, maxLength: 3 }),
      async (users, size, changes) => {
        await sql`delete from "users"`.execute(server.ctx.db)
        for (const [index, one] of users.entries()) await insert(one, index)
        const expected = await written('panel.example')
        // What was written of a row is kept once it has come again, and sent from then on.
        for (let time = 1; time <= 3; time++) expect(await sent('panel.example', size)).toBe(expected)
        for (const [index, one] of changes.slice(0, users.length).entries()) await change(one, index)
        expect(await sent('panel.example', size)).toBe(await written('panel.example'))
        expect(await sent('other.example', size)).toBe(await written('other.example'))
      },
    ),
    { numRuns: 30 },
  )
})

async function sent(host: string, size: number): Promise<string> {
  const reply = await server.app.inject({ url: `/api/users?size=${size}`, headers: { ...server.admin, host } })
  return `${reply.headers['content-type']} ${reply.body}`
}

/** What the schema writes of everyone. */
async function written(host: string): Promise<string> {
  const { db, config } = server.ctx
  const stored = await sql<{ id: number }>`select "id" from "users" order by "createdAt" desc, "id" desc`.execute(db)
  const rows = await listUsersById(
    db,
    stored.rows.map(({ id }) => id),
  )
  const today = dayIn('UTC', new Date())
  const values = rows.map((row) => ({ ...toUser(config, `http://${host}`, row), traffic: trafficOf(row, today) }))
  return `application/json; charset=utf-8 ${bySchema({ response: { users: values, total: stored.rows.length } })}`
}

/** Makes the user of this place like another one, in one of the tables that a row is made of. */
async function change({ user, usage, squads }: RandomUser, index: number): Promise<void> {
  const { db } = server.ctx
  const all = await db.selectFrom('users').select('id').orderBy('id').execute()
  const { id } = all[index] ?? { id: 0 }
  if (index === 0) {
    await db
      .updateTable('users')
      .set({ description: user.description, tag: user.tag, status: user.status })
      .where('id', '=', id)
      .execute()
    await db.deleteFrom('userAccesses').where('userId', '=', id).execute()
  }
  if (index === 1) {
    const { onlineAt, dayBytes, trafficDay } = usage
    await db.updateTable('userUsage').set({ onlineAt, dayBytes, trafficDay }).where('userId', '=', id).execute()
  }
  if (index === 2) {
    await db.deleteFrom('internalSquadMembers').where('userId', '=', id).execute()
    const [squad] = squads
    await db
      .updateTable('internalSquads')
      .set({ name: `renamed ${squad} ${user.username}` })
      .where('id', '=', fleet.squads[0]?.id ?? 0)
      .execute()
  }
}

test('a page written so is compressed as every reply is', async () => {
  const ask = (headers: Record<string, string>) =>
    server.app.inject({ url: '/api/users?size=30', headers: { ...server.admin, host: 'panel.example', ...headers } })
  await sql`delete from "users"`.execute(server.ctx.db)
  for (const [index, one] of fc.sample(randomUser, 5).entries()) await insert(one, index)
  const compressed = await ask({ 'accept-encoding': 'br' })
  expect(compressed.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe((await ask({})).body)
})

async function insert({ user, shortUuid, usage, node, access, squads }: RandomUser, index: number): Promise<void> {
  const { db } = server.ctx
  const inserted = await db
    .insertInto('users')
    .values({
      ...user,
      trafficLimitBytes: sql<number>`${user.trafficLimitBytes}::bigint`,
      telegramId: sql<number>`${user.telegramId}::bigint`,
      username: `${user.username}${index}`,
      shortUuid: `${shortUuid}${index}`,
      vlessUuid: UNKNOWN,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('userUsage')
    .values({
      ...usage,
      usedTrafficBytes: sql<number>`${usage.usedTrafficBytes}::bigint`,
      lifetimeUsedTrafficBytes: sql<number>`${usage.lifetimeUsedTrafficBytes}::bigint`,
      lastConnectedNodeId: node === null ? null : (fleet.nodes[node]?.id ?? null),
      userId: inserted.id,
    })
    .execute()
  if (access)
    await db
      .insertInto('userAccesses')
      .values({ ...access, userId: inserted.id })
      .execute()
  for (const squad of squads)
    await db
      .insertInto('internalSquadMembers')
      .values({ userId: inserted.id, squadId: fleet.squads[squad]?.id ?? 0 })
      .execute()
}
