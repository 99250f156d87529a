import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
let cookie = ''
beforeAll(async () => {
  server = await testServer({ env: { METRICS_USER: 'boss', METRICS_PASS: 'secret' } })
  const reply = await server.send('POST', '/api/auth/login', { username: 'admin', password: 'Correct4horse' }, {})
  const cookies = [reply.headers['set-cookie']].flat().map(String)
  cookie = cookies.find((text) => text.includes('Path=/api/queues'))?.split(';')[0] ?? ''
  await server.ctx.boss.createQueue('visible-queue')
})
afterAll(() => server.close())

test('the board of queues is closed without a session: a token in a header does not open it', async () => {
  for (const url of ['/api/queues', '/api/queues/queues', '/api/queues/assets/x.js']) {
    expect((await server.send('GET', url, undefined, {})).status).toBe(401)
    expect((await server.send('GET', url)).status).toBe(401)
    expect((await server.send('POST', url, {}, {})).status).toBe(401)
  }
})

test('it opens in the browser of a signed-in administrator and shows the queues', async () => {
  const page = await server.send('GET', '/api/queues', undefined, { cookie, accept: 'text/html', host: 'panel.example' })
  expect(page).toMatchObject({ status: 200, headers: { 'content-type': expect.stringContaining('text/html') } })
  expect(page.headers['content-security-policy']).toContain("script-src 'self' 'unsafe-inline'")
  const queues = await server.send('GET', '/api/queues/queues', undefined, { cookie, accept: 'text/html', host: 'panel.example' })
  expect(String(queues.body)).toContain('visible-queue')
})

test('Basic credentials open it as well', async () => {
  const authorization = `Basic ${Buffer.from('boss:secret').toString('base64')}`
  expect((await server.send('GET', '/api/queues', undefined, { authorization, accept: 'text/html' })).status).toBe(200)
})

test('a form of another site does nothing', async () => {
  const headers = {
    cookie,
    origin: 'https://evil.example',
    host: 'panel.example',
    'content-type': 'application/x-www-form-urlencoded',
  }
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/queues/queues/visible-queue',
    headers,
    payload: 'intent=delete',
  })
  expect(reply.statusCode).toBeGreaterThanOrEqual(400)
})
