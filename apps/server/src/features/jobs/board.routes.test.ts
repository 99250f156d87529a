import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { runBatch } from '../../../test/jobs.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { insertUsers } from '../../../test/many-users.ts'

const BOARD_PAGE = '/dashboard/queues'
const html = { accept: 'text/html', host: 'panel.example' }
const basic = (password: string) => `Basic ${Buffer.from(`boss:${password}`).toString('base64')}`

let server: TestServer
let cookie = ''
beforeAll(async () => {
  server = await testServer({ env: { METRICS_USER: 'boss', METRICS_PASS: 'secret' } })
  const reply = await server.send('POST', '/api/auth/login', { username: 'admin', password: 'Correct4horse' }, {})
  const cookies = [reply.headers['set-cookie']].flat().map(String)
  cookie = cookies.find((text) => text.includes('Path=/api/queues'))?.split(';')[0] ?? ''
})
beforeEach(async () => {
  await server.ctx.db.deleteFrom('jobs').execute()
  await server.ctx.db.deleteFrom('users').execute()
})
afterAll(() => server.close())

function open(headers: Record<string, string>) {
  return server.send('GET', '/api/queues', undefined, headers)
}

async function resetOfMany() {
  await insertUsers(server.ctx.db, 1500)
  const { jobId = '' } = await server.call(api.bulkResetAllUsersTraffic, {})
  return jobId
}

test('the browser of a signed-in administrator is sent to the page of the dashboard', async () => {
  expect(await open({ ...html, cookie })).toMatchObject({ status: 303, headers: { location: BOARD_PAGE } })
})

test('without a session the list is closed; a browser is told that credentials would do, where there are any', async () => {
  expect((await open({})).status).toBe(401)
  expect((await server.send('GET', '/api/queues')).status).toBe(401) // a token in a header does not open it
  expect(await open(html)).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Basic realm="Causeway"' } })
  expect((await open({ authorization: basic('wrong') })).status).toBe(401)
})

test('without credentials of metrics a browser is sent to the dashboard, which asks to sign in', async () => {
  const plain = await testServer()
  expect(await plain.send('GET', '/api/queues', undefined, html)).toMatchObject({
    status: 303,
    headers: { location: BOARD_PAGE },
  })
  expect((await plain.send('GET', '/api/queues', undefined, {})).status).toBe(401)
  await plain.close()
})

test('the credentials of metrics read the jobs as text, one line each, and errors cannot break a line', async () => {
  const id = await resetOfMany()
  await runBatch(server.ctx)
  await server.ctx.db.updateTable('jobs').set({ error: 'no\troute\nto host' }).where('id', '=', id).execute()
  const reply = await open({ ...html, authorization: basic('secret') })
  expect(reply).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })
  const [head, line, ...others] = String(reply.body).trimEnd().split('\n')
  expect(head?.split('\t')).toEqual(['kind', 'status', 'done', 'total', 'createdAt', 'dueAt', 'finishedAt', 'error'])
  const [kind, status, done, total, createdAt, , finishedAt, error] = line?.split('\t') ?? []
  expect([kind, status, done, total, finishedAt, error]).toEqual([
    'resetAllUsers',
    'running',
    '1000',
    '1500',
    '',
    'no route to host',
  ])
  expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT/)
  expect(others).toEqual([])
})
