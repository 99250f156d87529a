import { once } from 'node:events'
import { connect } from 'node:net'
import * as api from '@causeway/contract'
import { liveEvent, type LiveEvent } from '@causeway/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser } from '../../../test/users.ts'

/** A topic that was told a moment ago waits its turn. */
const SOON = { timeout: 8000 }

let server: TestServer
let origin: string
beforeAll(async () => {
  server = await testServer()
  origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => server.close())

interface Tab {
  events: LiveEvent[]
  lastId: string
  isOpen: boolean
  /** Everything told so far. */
  topics: () => Set<string>
  close: () => void
}

async function openTab(headers: Record<string, string> = server.admin, base = origin): Promise<Tab> {
  const stop = new AbortController()
  const reply = await fetch(`${base}/api/x/events`, { headers, signal: stop.signal })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  const tab: Tab = {
    events: [],
    lastId: '',
    isOpen: true,
    topics: () => new Set(tab.events.flatMap(({ changed }) => (changed === 'all' ? ['all'] : changed))),
    close: () => stop.abort(),
  }
  void read(reply, tab).catch(() => {})
  await expect.poll(() => tab.lastId).not.toBe('')
  return tab
}

async function read(reply: Response, tab: Tab): Promise<void> {
  let rest = ''
  const text = reply.body?.pipeThrough(new TextDecoderStream())
  try {
    for await (const chunk of text ?? []) {
      const messages = (rest + chunk).split('\n\n')
      rest = messages.pop() ?? ''
      for (const message of messages) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(message)?.[1]
        tab.lastId = field('id') ?? tab.lastId
        const data = field('data')
        if (data !== undefined) tab.events.push(liveEvent.parse(JSON.parse(data)))
      }
    }
  } finally {
    tab.isOpen = false
  }
}

test('what anybody changes, by whatever path, is told to every open tab', async () => {
  const tabs = await Promise.all([openTab(), openTab()])
  await server.call(api.createInfraProvider, { name: 'Provider' })
  await server.ctx.pool.query(`update "infraProviders" set "name" = 'by hand'`)
  for (const tab of tabs) await expect.poll(tab.topics, SOON).toEqual(new Set(['billing']))
  await makeUser(server)
  for (const tab of tabs) await expect.poll(() => [...tab.topics()], SOON).toContain('users')
  for (const tab of tabs) tab.close()
})

test('a change that is undone, or that changes nothing, is not told', async () => {
  const tab = await openTab()
  const client = await server.ctx.pool.connect()
  await client.query('begin')
  await client.query(`insert into "infraProviders" ("name") values ('undone')`)
  await client.query('rollback')
  client.release()
  await server.ctx.pool.query(`update "hosts" set "remark" = 'nobody' where false`)
  await server.call(api.updateInstallation, { timeZone: 'UTC' })
  await expect.poll(tab.topics, SOON).toEqual(new Set(['settings']))
  tab.close()
})

test('a tab that comes back hears what it missed; with the id of another server, that everything may have changed', async () => {
  const before = await openTab()
  before.close()
  await server.call(api.createInfraProvider, { name: 'Missed' })
  const other = await openTab()
  await expect.poll(other.topics, SOON).toEqual(new Set(['billing']))
  other.close()
  const back = await openTab({ ...server.admin, 'last-event-id': before.lastId })
  await expect.poll(back.topics, SOON).toEqual(new Set(['billing']))
  back.close()
  const stranger = await openTab({ ...server.admin, 'last-event-id': 'deadbeef:1' })
  await expect.poll(stranger.topics).toEqual(new Set(['all']))
  stranger.close()
})

describe('who may listen', () => {
  test('nobody without a token, and none shown in the address', async () => {
    expect((await fetch(`${origin}/api/x/events`)).status).toBe(401)
    const token = server.admin['authorization']?.slice('Bearer '.length)
    const browser = { 'x-remnawave-client-type': 'browser' }
    expect((await fetch(`${origin}/api/x/events?token=${token}`, { headers: browser })).status).toBe(401)
  })

  test('an API token hears nothing of tokens, and its stream ends when it is deleted', async () => {
    const { uuid, token } = await server.call(api.createApiToken, { tokenName: 'bot' })
    const own = await openTab()
    const tab = await openTab({ authorization: `Bearer ${token}` })
    await server.call(api.createApiToken, { tokenName: 'another' })
    await server.call(api.createInfraProvider, { name: 'For all' })
    await expect.poll(own.topics, SOON).toEqual(new Set(['tokens', 'billing']))
    await expect.poll(tab.topics, SOON).toEqual(new Set(['billing']))
    await server.call(api.deleteApiToken, { uuid })
    await expect.poll(() => tab.isOpen).toBe(false)
    expect(own.isOpen).toBe(true)
    own.close()
  })

  test('a stream ends with the permission to follow events, and hears no more of what its token lost', async () => {
    const permissions: api.Permission[] = ['system.read', 'billing.read', 'settings.read']
    const { uuid, token } = await server.call(api.createLimitedApiToken, { tokenName: 'shop', permissions })
    const bystander = await server.call(api.createLimitedApiToken, { tokenName: 'other shop', permissions })
    const tab = await openTab({ authorization: `Bearer ${token}` })
    const other = await openTab({ authorization: `Bearer ${bystander.token}` })
    await server.call(api.updateApiToken, { uuid, permissions: ['system.read', 'settings.read'] })
    await server.call(api.createInfraProvider, { name: 'Kept secret' })
    await server.call(api.updateInstallation, { timeZone: 'UTC' })
    await expect.poll(tab.topics, SOON).toEqual(new Set(['settings']))
    await expect.poll(other.topics, SOON).toEqual(new Set(['settings', 'billing']))
    await server.call(api.updateApiToken, { uuid, permissions: ['settings.read'] })
    await expect.poll(() => tab.isOpen).toBe(false)
    expect(other.isOpen).toBe(true)
    other.close()
  })

  test('a stream ends at the instant at which its token expires, also one that was set later', async () => {
    const make = (tokenName: string, endsInMs: number) =>
      server.call(api.createLimitedApiToken, { tokenName, expiresAt: new Date(Date.now() + endsInMs).toISOString() })
    const short = await make('short', 2000)
    const shortened = await make('shortened', 3_600_000)
    const longer = await make('longer', 2000)
    const [first, second, third] = await Promise.all(
      [short, shortened, longer].map(({ token }) => openTab({ authorization: `Bearer ${token}` })),
    )
    await server.call(api.updateApiToken, { uuid: shortened.uuid, expiresAt: new Date(Date.now() + 2000).toISOString() })
    await server.call(api.updateApiToken, { uuid: longer.uuid, expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
    const started = performance.now()
    await expect.poll(() => [first?.isOpen, second?.isOpen], { timeout: 10_000 }).toEqual([false, false])
    expect(performance.now() - started).toBeLessThan(5000)
    expect(third?.isOpen).toBe(true)
    third?.close()
  })

  test('whoever signs out hears nothing more', async () => {
    const signed = await server.call(api.login, { username: 'admin', password: 'Correct4horse' })
    const headers = { ...server.admin, authorization: `Bearer ${signed.accessToken}` }
    const tab = await openTab(headers)
    await fetch(`${origin}/api/x/auth/logout`, { method: 'POST', headers })
    await expect.poll(() => tab.isOpen).toBe(false)
  })
})

test('a server that stops ends its streams at once', async () => {
  const other = await testServer()
  const base = await other.app.listen({ port: 0, host: '127.0.0.1' })
  const tab = await openTab(other.admin, base)
  const started = performance.now()
  await other.close()
  expect(performance.now() - started).toBeLessThan(5000)
  await expect.poll(() => tab.isOpen).toBe(false)
})

describe('places', () => {
  /** Requests that reach the server and are torn down before anything answers them. */
  async function abandon(port: number, count: number): Promise<void> {
    const { authorization = '' } = server.admin
    const head = `GET /api/x/events HTTP/1.1\r\nhost: a\r\nauthorization: ${authorization}\r\nx-remnawave-client-type: browser\r\n\r\n`
    const sockets = await Promise.all(
      Array.from({ length: count }, async () => {
        const socket = connect(port, '127.0.0.1')
        socket.on('error', () => {})
        await once(socket, 'connect')
        await new Promise((resolve) => socket.write(head, resolve))
        return socket
      }),
    )
    // The last of them has been read when the server answers a later request.
    await fetch(`http://127.0.0.1:${port}/api/nothing`)
    for (const socket of sockets) socket.resetAndDestroy()
  }

  test(
    'clients that leave while a frozen database looks their session up keep none, however many',
    { timeout: 120_000 },
    async () => {
      const port = Number(new URL(origin).port)
      const blocker = await server.ctx.pool.connect()
      await blocker.query('begin')
      await blocker.query('lock table "sessions" in access exclusive mode')
      for (let batch = 0; batch < 20; batch++) await abandon(port, 500)
      await blocker.query('rollback')
      blocker.release()
      // Looked up behind all of them. Streams that were kept would have filled the thousand places of this administrator.
      await server.send('GET', '/api/hosts')
      const tab = await openTab()
      expect(tab.isOpen).toBe(true)
      tab.close()
    },
  )

  test('of one token are a hundred, and its copies take none from sessions', async () => {
    const { token } = await server.call(api.createLimitedApiToken, { tokenName: 'greedy', permissions: ['system.read'] })
    const headers = { authorization: `Bearer ${token}` }
    const tabs = await Promise.all(Array.from({ length: 100 }, () => openTab(headers)))
    const refused = await fetch(`${origin}/api/x/events`, { headers })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    const own = await openTab()
    tabs[0]?.close()
    const openAgain = () => openTab(headers).then((tab) => tabs.push(tab))
    await expect
      .poll(
        () =>
          openAgain().then(
            () => true,
            () => false,
          ),
        SOON,
      )
      .toBe(true)
    for (const tab of [...tabs, own]) tab.close()
  })
})
