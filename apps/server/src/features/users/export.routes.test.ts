import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser } from '../../../test/users.ts'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
})
beforeEach(() => server.ctx.db.deleteFrom('users').execute())
afterAll(() => server.close())

interface Asked {
  format?: string
  columns?: string
  filters?: object[]
  sorting?: object[]
}

async function exported({ filters, sorting, ...plain }: Asked, headers: Record<string, string> = server.admin) {
  const query = new URLSearchParams(Object.entries(plain))
  if (filters) query.set('filters', JSON.stringify(filters))
  if (sorting) query.set('sorting', JSON.stringify(sorting))
  return server.app.inject({ url: `/api/x/users/export?${query.toString()}`, headers })
}

test('the list is exported as filtered and sorted, with the columns asked for in their order', async () => {
  const { internalSquads } = await server.call(api.listInternalSquads, {})
  const squad = internalSquads[0] ?? (await server.call(api.createInternalSquad, { name: 'First', inbounds: [] }))
  await makeUser(server, { username: 'ann', tag: 'PAID', activeInternalSquads: [squad.uuid] })
  await makeUser(server, { username: 'ben', tag: 'PAID', description: 'said "so", and\nleft' })
  await makeUser(server, { username: 'cat', tag: 'FREE' })
  const asked = {
    columns: 'username,activeInternalSquads,description',
    filters: [{ id: 'tag', value: 'PAID' }],
    sorting: [{ id: 'username', desc: true }],
  }
  const csv = await exported(asked)
  expect(csv.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment; filename="users-\d{4}-\d{2}-\d{2}\.csv"$/),
  })
  expect(csv.body).toBe(
    `\u{FEFF}username,activeInternalSquads,description\r\nben,,"said ""so"", and\nleft"\r\nann,${squad.name},\r\n`,
  )
  const json = await exported({ ...asked, format: 'json' })
  expect(json.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(json.json()).toEqual([
    { username: 'ben', activeInternalSquads: [], description: 'said "so", and\nleft' },
    { username: 'ann', activeInternalSquads: [squad.name], description: null },
  ])
})

test('no cell of a spreadsheet is a formula', async () => {
  for (const description of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1']) await makeUser(server, { description })
  const { body } = await exported({ columns: 'description' })
  const cells = body.split('\r\n').slice(1, -1)
  expect(cells).toHaveLength(5)
  for (const cell of cells) expect(cell).toMatch(/^"?'/)
})

test('without columns every one is exported, and an empty list is a list', async () => {
  const empty = await exported({ format: 'json' })
  expect(empty.json()).toEqual([])
  const user = await makeUser(server, { trafficLimitBytes: 5 })
  const [row] = (await exported({ format: 'json' })).json<Record<string, unknown>[]>()
  expect(Object.keys(row ?? {})).toEqual(api.userExportColumn.options)
  expect(row).toMatchObject({
    uuid: user.uuid,
    trafficLimitBytes: 5,
    expireAt: user.expireAt,
    subscriptionUrl: user.subscriptionUrl,
    trafficToday: 0,
    nodeName: null,
  })
})

test('unknown columns and filters are refused by name', async () => {
  for (const asked of [{ columns: 'username,vlessUuid' }, { filters: [{ id: 'createdAt', value: 'x' }] }, { format: 'xlsx' }])
    expect((await exported(asked)).statusCode).toBe(400)
})

test('a token that may not read squads gets no names of squads', async () => {
  const squad = await server.call(api.createInternalSquad, { name: 'Hidden-one', inbounds: [] })
  await makeUser(server, { activeInternalSquads: [squad.uuid] })
  const { token } = await server.call(api.createLimitedApiToken, { tokenName: 'reader', permissions: ['users.read'] })
  const { body, statusCode } = await exported({ format: 'json' }, { ...server.admin, authorization: `Bearer ${token}` })
  expect(statusCode).toBe(200)
  expect(body).not.toContain('Hidden-one')
})

test('more users than a batch holds are exported whole, each once, by an order with equal and missing values', async () => {
  await sql`insert into "users" ("username", "shortUuid", "trojanPassword", "vlessUuid", "ssPassword", "expireAt", "tag")
    select 'many_' || n, 'many_' || n, 'x', gen_random_uuid(), 'x', '2099-01-01', case when n % 3 > 0 then 'T' || n % 2 end
    from generate_series(1, 2500) as n`.execute(server.ctx.db)
  await sql`insert into "userUsage" ("userId") select "id" from "users" on conflict do nothing`.execute(server.ctx.db)
  const { body } = await exported({ columns: 'username,tag', sorting: [{ id: 'tag', desc: false }] })
  const rows = body
    .slice(1)
    .split('\r\n')
    .slice(1, -1)
    .map((row) => row.split(','))
  expect(rows).toHaveLength(2500)
  expect(new Set(rows.map(([name]) => name)).size).toBe(2500)
  const tags = rows.map(([, tag]) => tag)
  expect(tags).toEqual([...tags].toSorted((a = '', b = '') => (a === '' ? 1 : 0) - (b === '' ? 1 : 0) || a.localeCompare(b)))
})
