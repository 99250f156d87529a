import * as api from '@causeway/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { refused, UNKNOWN } from '../../../test/users.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
beforeEach(() => server.ctx.db.deleteFrom('savedViews').execute())
afterAll(() => server.close())

const search = { status: 'ACTIVE', sort: '-expireAt', size: '50' }
const save = (name: string) => server.call(api.createView, { page: 'users', name, search })
const list = async () => (await server.call(api.listViews, { page: 'users' })).views

test('a view is saved under a name, renamed, given another list and deleted, each of them audited', async () => {
  const saved = await save('  Paid  ')
  expect(saved).toMatchObject({ page: 'users', name: 'Paid', search })
  expect(await list()).toEqual([saved])
  const renamed = await server.call(api.updateView, { uuid: saved.uuid, name: 'paid' })
  expect(renamed).toMatchObject({ name: 'paid', search })
  const other = { among: 'nearLimit' }
  expect(await server.call(api.updateView, { uuid: saved.uuid, search: other })).toMatchObject({ name: 'paid', search: other })
  expect(await server.call(api.updateView, { uuid: saved.uuid })).toMatchObject({ name: 'paid', search: other })
  await server.call(api.deleteView, { uuid: saved.uuid })
  expect(await list()).toEqual([])
  const entries = await server.ctx.db
    .selectFrom('auditLog')
    .select(['action', 'actorName'])
    .where('target', '=', saved.uuid)
    .orderBy('id')
    .execute()
  expect(entries.map(({ action, actorName }) => `${actorName} ${action}`)).toEqual([
    'admin createView',
    'admin updateView',
    'admin updateView',
    'admin updateView',
    'admin deleteView',
  ])
})

test('views come by name, whatever their letters', async () => {
  for (const name of ['beta', 'Alpha', 'Émile', '۱ هفته']) await save(name)
  expect((await list()).slice(0, 2).map(({ name }) => name)).toEqual(['Alpha', 'beta'])
})

test('a name is taken once, whatever its letters', async () => {
  await save('Paid')
  const other = await save('Other')
  const taken = [409, api.errors.viewNameTaken.code]
  expect(await refused(server, 'POST', '/api/x/views', { page: 'users', name: 'PAID', search })).toEqual(taken)
  expect(await refused(server, 'PATCH', '/api/x/views', { uuid: other.uuid, name: 'paid' })).toEqual(taken)
})

test('what is gone is not found', async () => {
  const gone = [404, api.errors.viewNotFound.code]
  expect(await refused(server, 'PATCH', '/api/x/views', { uuid: UNKNOWN, name: 'x' })).toEqual(gone)
  expect(await refused(server, 'DELETE', `/api/x/views/${UNKNOWN}`)).toEqual(gone)
})

test('a page has no more views than one can look through', async () => {
  const rows = Array.from({ length: api.MOST_VIEWS - 1 }, (_, i) => ({ page: 'users' as const, name: `View ${i}`, search: '{}' }))
  await server.ctx.db.insertInto('savedViews').values(rows).execute()
  await save('the last one')
  const full = await refused(server, 'POST', '/api/x/views', { page: 'users', name: 'one more', search })
  expect(full).toEqual([409, api.errors.tooManyViews.code])
})

test.each<[string, object]>([
  ['page', { page: 'moon' }],
  ['name', { name: '   ' }],
  ['name', { name: 'a'.repeat(61) }],
  ['search.status', { search: { status: 'a'.repeat(501) } }],
  ['search.status', { search: { status: '' } }],
  ['search.size', { search: { size: 25 } }],
  ['search', { search: [] }],
  [
    'search',
    {
      search: Object.fromEntries(
        Array.from({ length: 41 }, (_, i) => ['abcdefg'.slice(0, 1 + (i % 7)) + 'x'.repeat(Math.floor(i / 7)), 'v']),
      ),
    },
  ],
])('%s is bounded: %j', async (path, field) => {
  const reply = await refused(server, 'POST', '/api/x/views', { page: 'users', name: 'x', search, ...field })
  expect(reply[0]).toBe(400)
  expect(reply[1]).toContain(path)
})
