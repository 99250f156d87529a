import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { runBatch } from '../../../test/jobs.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { insertUsers } from '../../../test/many-users.ts'
import { registered } from '../../schedule.ts'
import { kindNames, LANGUAGES } from './board-words.rules.ts'
import { UNKNOWN } from '../../../test/users.ts'

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

const HOST = 'panel.example'
const html = { accept: 'text/html', host: HOST }

function open(headers: Record<string, string> = {}, url = '/api/queues') {
  return server.send('GET', url, undefined, { ...html, cookie, ...headers })
}

async function cancel(id: string, headers: Record<string, string>) {
  return server.app.inject({
    method: 'POST',
    url: `/api/queues/${id}/cancel`,
    headers: { ...html, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: '',
  })
}

async function resetOfMany() {
  await insertUsers(server.ctx.db, 1500)
  const { jobId = '' } = await server.call(api.bulkResetAllUsersTraffic, {})
  return jobId
}

test('without a session the board is closed: programs hear why, browsers get a page that says to sign in', async () => {
  expect((await server.send('GET', '/api/queues', undefined, {})).status).toBe(401)
  expect((await server.send('GET', '/api/queues')).status).toBe(401) // a token in a header does not open it
  expect((await server.send('POST', `/api/queues/${UNKNOWN}/cancel`, {}, {})).status).toBe(401)
  const page = await open({ cookie: '' })
  expect(page).toMatchObject({ status: 401, headers: { 'content-type': expect.stringContaining('text/html') } })
  expect(page.body).toContain('Sign in to see the queues')
  expect(page.body).toContain('<a href="/">')
})

test('a signed-in administrator sees the real jobs and how far they have come', async () => {
  await resetOfMany()
  await runBatch(server.ctx)
  const page = await open()
  expect(page.status).toBe(200)
  expect(page.body).toContain('Reset traffic of all users')
  expect(page.body).toContain('1,000 / 1,500')
  expect(page.body).toContain('<progress max="1500" value="1000"')
})

test('the page speaks the language of the browser, mirrored where that is written from the right', async () => {
  await resetOfMany()
  expect((await open({ 'accept-language': 'ru-RU,ru;q=0.9,en;q=0.5' })).body).toContain('Сброс трафика всех пользователей')
  expect((await open({ 'accept-language': 'fa' })).body).toContain('<html lang="fa" dir="rtl">')
  expect((await open({ 'accept-language': 'de, zh-CN;q=0.4' })).body).toContain('重置所有用户的流量')
})

test('the language and the theme chosen in the dashboard come before those of the browser, and stay when the page is asked again', async () => {
  const id = await resetOfMany()
  const browser = { 'accept-language': 'en' }
  const board = await open(browser, '/api/queues?lang=fa')
  expect(board.body).toContain('<html lang="fa" dir="rtl">')
  expect(board.body).toContain('href="/api/queues?live=1&amp;lang=fa"')
  expect(board.body).toContain(`action="/api/queues/${id}/cancel?lang=fa"`)
  const reply = await server.app.inject({
    method: 'POST',
    url: `/api/queues/${id}/cancel?lang=fa`,
    headers: { ...html, cookie, origin: `https://${HOST}` },
  })
  expect(reply).toMatchObject({ statusCode: 303, headers: { location: '/api/queues?lang=fa' } })
  expect((await open({ ...browser, cookie: '' }, '/api/queues?lang=ru')).body).toContain('<html lang="ru" dir="ltr">')
  const light = await open(browser, '/api/queues?lang=fa&theme=light')
  expect(light.body).toContain('<html lang="fa" dir="rtl" data-theme="light">')
  expect(light.body).toContain('href="/api/queues?live=1&amp;lang=fa&amp;theme=light"')
  // Whatever else stands in the address is text, and no language.
  const odd = await open(browser, `/api/queues?lang=${encodeURIComponent('"><b>')}&theme=${encodeURIComponent('"><b>')}`)
  expect(odd.body).toContain('<html lang="en" dir="ltr">')
  expect(odd.body).not.toContain('<b>')
})

test('everything that is registered has a name in every language', () => {
  const all = [...registered.kinds, ...registered.recurring].map(({ name }) => name).toSorted()
  for (const language of LANGUAGES) expect([...kindNames(language).keys()].toSorted()).toEqual(all)
})

test('it reloads itself only when it is asked to, and no policy has to be opened for it', async () => {
  expect((await open()).headers['refresh']).toBeUndefined()
  const followed = await open({}, '/api/queues?live=1')
  expect(followed.headers['refresh']).toBe('3')
  expect(followed.headers['content-security-policy']).toMatch(/^default-src 'none';style-src 'sha256-[^']+';form-action 'self'/)
})

test('a job is cancelled from the page: what is done stays, nothing more is done, and it is audited', async () => {
  const id = await resetOfMany()
  await runBatch(server.ctx)
  const reply = await cancel(id, { cookie, origin: `https://${HOST}` })
  expect(reply).toMatchObject({ statusCode: 303, headers: { location: '/api/queues' } })
  expect(await runBatch(server.ctx)).toBe(false)
  expect(await server.call(api.getJob, { id })).toMatchObject({ status: 'cancelled', done: 1000 })
  const entry = await server.ctx.db.selectFrom('auditLog').selectAll().where('target', '=', id).executeTakeFirst()
  expect(entry).toMatchObject({ actorName: 'admin', action: 'cancelJob' })
  expect((await cancel(id, { cookie })).statusCode).toBe(409)
})

test('the credentials of metrics may look and change nothing', async () => {
  const id = await resetOfMany()
  const authorization = `Basic ${Buffer.from('boss:secret').toString('base64')}`
  expect((await open({ authorization, cookie: '' })).status).toBe(200)
  expect((await cancel(id, { authorization })).statusCode).toBe(403)
  expect(await server.call(api.getJob, { id })).toMatchObject({ status: 'queued' })
})

test('a form of another site cancels nothing', async () => {
  const id = await resetOfMany()
  expect((await cancel(id, { cookie, origin: 'https://evil.example' })).statusCode).toBe(403)
  expect((await cancel(id, { cookie, origin: 'null' })).statusCode).toBe(403)
  expect(await server.call(api.getJob, { id })).toMatchObject({ status: 'queued' })
})

test('what a job says of itself is text on the page, never markup', async () => {
  const id = await resetOfMany()
  await server.ctx.db.updateTable('jobs').set({ error: '<b onload="x">' }).where('id', '=', id).execute()
  expect((await open()).body).toContain('&lt;b onload=&quot;x&quot;&gt;')
})

test('Basic credentials open it as well', async () => {
  const authorization = `Basic ${Buffer.from('boss:secret').toString('base64')}`
  expect((await open({ cookie: '', authorization })).status).toBe(200)
})
