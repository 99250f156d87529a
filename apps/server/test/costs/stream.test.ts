import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyone } from '../../src/lib/scope.ts'
import { listIdsAfter } from '../../src/features/users/lookup.queries.ts'
import { streamUsers } from '../../src/features/users/lookup.actions.ts'
import { testServer, type TestServer } from '../server.ts'
import { watchStatements } from '../statements/recorder.ts'

// The stream of all users at the size that an installation may have.

/** STREAM_USERS=1000000 is the size of WIRE-009, which takes minutes to fill; its figures stand in docs/figures.md. */
const USERS = Number(process.env['STREAM_USERS'] ?? 100_000)
const PAGE = 1000
/** Another program makes and deletes users after so many pages each. */
const CHANGES_EVERY = 10

/** Which no statement of the stream reads: filling them would take minutes. */
const WITHOUT_OTHER_INDEXES = `
  do $$ declare other record; begin
    for other in select indexrelid::regclass as name from pg_index
      where indrelid = 'users'::regclass and not indisunique and indexrelid::regclass::text <> '"usersTelegram"'
    loop execute 'drop index ' || other.name; end loop;
  end $$`

/** Users by the numbers that `numbers` gives. */
const insertUsers = (numbers: string) => `
  insert into "users" ("id", "username", "shortUuid", "expireAt", "trojanPassword", "ssPassword", "vlessUuid", "telegramId")
    overriding system value
    select n, 'user_' || n, 'short-' || n, '2099-01-01', 'x', 'x', gen_random_uuid(), n from (${numbers}) as numbers(n)`

let server: TestServer
let client: pg.Client
beforeAll(async () => {
  server = await testServer()
  client = new pg.Client({ connectionString: server.ctx.pool.options.connectionString })
  await client.connect()
  await client.query('set session_replication_role = replica') // only their number matters
  await client.query(WITHOUT_OTHER_INDEXES)
  await client.query(`
    ${insertUsers(`select n from generate_series(1, ${USERS}) n`)};
    insert into "userUsage" ("userId") select n from generate_series(1, ${USERS}) n;
    select setval(pg_get_serial_sequence('users', 'id'), ${USERS});
    analyze`)
}, 600_000)
afterAll(async () => {
  await client?.end()
  await server?.close()
})

test('WIRE-009 pages of 1,000 give every user once, while users come and go', { timeout: 300_000 }, async () => {
  const seen = new Uint8Array(2 * USERS)
  const gone = new Set<number>()
  let [after, pages, twice] = [0, 0, 0]
  for (;;) {
    // What the route reads, with one more that tells whether there are more.
    const found = await listIdsAfter(server.ctx.db, everyone, after, PAGE + 1, {})
    const ids = found.slice(0, PAGE)
    for (const id of ids) {
      if (seen[id] === 1) twice++
      seen[id] = 1
    }
    pages++
    if (found.length <= PAGE) break
    after = ids.at(-1) ?? 0
    if (pages % CHANGES_EVERY === 0) await comeAndGo(after, gone)
  }
  const missing: number[] = []
  for (let id = 1; id <= USERS; id++) if (seen[id] !== 1 && !gone.has(id)) missing.push(id)
  expect({ twice, missing }).toEqual({ twice: 0, missing: [] })
  expect(pages).toBe(USERS / PAGE + 1) // those that came are on the last
})

/** A user on an earlier page goes, one on a later page goes, and three come. */
async function comeAndGo(through: number, gone: Set<number>): Promise<void> {
  for (const id of [through - 10, through + 500]) {
    gone.add(id)
    await client.query('delete from "users" where "id" = $1', [id])
  }
  await client.query(insertUsers(`select nextval(pg_get_serial_sequence('users', 'id')) from generate_series(1, 3)`))
}

test('WIRE-009 a page reads as much of the database at the end as at the beginning, and one that is filtered little', async () => {
  const cost = (query: object) => pagesRead({ size: PAGE, ...query })
  const [first, middle, last] = [
    await cost({}),
    await cost({ cursor: String(USERS / 2) }),
    await cost({ cursor: String(USERS - 10 * PAGE) }),
  ]
  expect(middle).toBeLessThan(1.5 * first)
  expect(last).toBeLessThan(1.5 * first)
  // Programs look up by it.
  expect(await cost({ telegramId: String(USERS - 777) })).toBeLessThan(50)
})

/** Pages of the database that the statements of one page of the stream read. */
async function pagesRead(query: Parameters<typeof streamUsers>[2]): Promise<number> {
  const statements: { sql: string; parameters: readonly unknown[] }[] = []
  const stop = watchStatements((statement) => statements.push(statement))
  await streamUsers(server.ctx.db, everyone, query).finally(stop)
  expect(statements.length).toBeGreaterThan(0)
  let pages = 0
  for (const { sql, parameters } of statements) {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${sql}`,
      [...parameters],
    )
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {}
    pages += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
  }
  return pages
}
