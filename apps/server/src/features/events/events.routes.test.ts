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
