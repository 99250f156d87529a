import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'

const LATER = '2090-01-01T00:00:00.000Z'
let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const makeUser = (username: string) => server.call(api.createUser, { username, expireAt: LATER })

test('UNDO-001 an entry says when, who, from where, what and how many; its rows are told field by field without secrets', async () => {
  server.clock.now = new Date('2026-03-01T10:00:00Z')
  const { uuid } = await makeUser('ann')
  await server.call(api.updateUser, { uuid, description: 'new' })
  server.clock.now = undefined
  const { entries } = await server.call(api.listHistory, { target: uuid })
  expect(entries.map(({ action, name, count, at }) => ({ action, name, count, at }))).toEqual([
    { action: 'updateUser', name: 'ann', count: 1, at: '2026-03-01T10:00:00.000Z' },
    { action: 'createUser', name: 'ann', count: 1, at: '2026-03-01T10:00:00.000Z' },
  ])
  expect(entries[0]).toMatchObject({ actor: { kind: 'admin', name: 'admin' }, from: '127.0.0.1', kind: 'user', obstacle: null })
  const { changes } = await server.call(api.getHistoryEntry, { id: entries[0]?.id ?? 0 })
  expect(changes).toEqual([
    {
      table: 'users',
      name: 'ann',
      change: 'changed',
      fields: [{ name: 'description', isSecret: false, isText: false, before: null, after: 'new' }],
    },
  ])
  const made = await server.call(api.getHistoryEntry, { id: entries[1]?.id ?? 0 })
  const secrets = made.changes.flatMap(({ fields }) => fields).filter(({ isSecret }) => isSecret)
  expect(secrets.map(({ name }) => name).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    'shortUuid',
    'ssPassword',
    'trojanPassword',
    'vlessUuid',
  ])
  expect(secrets.every(({ before, after }) => before === null && after === null)).toBe(true)
})

test('UNDO-002 pages follow each other by their cursor without a gap, also for entries of one instant, within filters', async () => {
  server.clock.now = new Date('2026-04-01T10:00:00Z')
  for (let number = 0; number < 7; number++) await makeUser(`paged_${number}`)
  server.clock.now = undefined
  const asked = { action: 'createUser', from: '2026-04-01T00:00:00Z', to: '2026-04-02T00:00:00Z' }
  const whole = await server.call(api.listHistory, asked)
  expect(whole.entries.map(({ name }) => name)).toEqual([6, 5, 4, 3, 2, 1, 0].map((number) => `paged_${number}`))
  const names: (string | null)[] = []
  let cursor: string | undefined
  do {
    const page = await server.call(api.listHistory, { ...asked, limit: 3, cursor })
    names.push(...page.entries.map(({ name }) => name))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  expect(names).toEqual(whole.entries.map(({ name }) => name))
  expect((await server.send('GET', '/api/x/history?cursor=nonsense')).status).toBe(400)
  expect((await server.send('GET', '/api/x/history?actor=nonsense')).status).toBe(400)
})

test('UNDO-004 a thing has its history after it was deleted, also where it was one of many', async () => {
  const [one, other] = [await makeUser('one'), await makeUser('other')]
  await server.call(api.bulkDeleteUsers, { uuids: [one.uuid, other.uuid] })
  for (const { uuid } of [one, other]) {
    const { entries } = await server.call(api.listHistory, { target: uuid })
    expect(entries.map(({ action }) => action)).toEqual(['bulkDeleteUsers', 'createUser'])
  }
})

test('UNDO-016 the export holds what the list holds, as CSV and JSON, and no formula', async () => {
  await server.call(api.createInfraProvider, { name: '=cmd|x' })
  const { entries } = await server.call(api.listHistory, { kind: 'billing' })
  const json = await server.send('GET', '/api/x/history/export?format=json&kind=billing')
  expect(json.body).toEqual(entries)
  const csv = await server.send('GET', '/api/x/history/export?format=csv&kind=billing')
  expect(csv.headers).toMatchObject({ 'content-disposition': 'attachment; filename="history.csv"' })
  const lines = String(csv.body).trim().split('\r\n')
  expect(lines).toHaveLength(entries.length + 1)
  expect(lines[1]).toContain(`createInfraProvider,billing,${entries[0]?.target},'=cmd|x,1`)
})

test('UNDO-015 Deleted lists what was deleted and is not restored yet', async () => {
  const { uuid } = await makeUser('gone')
  await server.call(api.deleteUser, { uuid })
  const listed = async () => (await server.call(api.listDeleted, { kind: 'user' })).entries.map(({ name }) => name)
  expect(await listed()).toContain('gone')
  const { entries } = await server.call(api.listDeleted, { kind: 'user', limit: 1 })
  await server.call(api.undoEntry, { id: entries[0]?.id ?? 0 })
  expect(await listed()).not.toContain('gone')
})

test('UNDO-013 a save of what was there already changed nothing, and says so', async () => {
  const template = { templateType: 'XRAY_JSON' as const, templateJson: { log: { loglevel: 'none' } } }
  await server.call(api.updateSubscriptionTemplate, template)
  await server.call(api.updateSubscriptionTemplate, template)
  const { entries } = await server.call(api.listHistory, { action: 'updateSubscriptionTemplate' })
  const [again, first] = await Promise.all(entries.map(({ id }) => server.call(api.getHistoryEntry, { id })))
  expect(again).toMatchObject({ changes: [], obstacle: 'nothingChanged' })
  expect(first).toMatchObject({ total: 1, obstacle: null })
})
