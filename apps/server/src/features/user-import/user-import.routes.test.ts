import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runJobs } from '../../../test/jobs.ts'
import { testServer, type TestServer } from '../../../test/server.ts'

const UNTIL = '2090-01-01T00:00:00.000Z'
let server: TestServer
let gold = ''
beforeAll(async () => {
  server = await testServer()
  gold = (await server.call(api.createInternalSquad, { name: 'Gold', inbounds: [] })).uuid
})
afterAll(() => server.close())

const make = (username: string, more: object = {}) => server.call(api.createUser, { username, expireAt: UNTIL, ...more })
async function listAll() {
  const { users } = await server.call(api.listUsers, { size: 1000, sorting: [{ id: 'username', desc: false }] })
  return users.map(({ username, email, tag, trafficLimitBytes, activeInternalSquads }) => ({
    username,
    email,
    tag,
    trafficLimitBytes,
    squads: activeInternalSquads.map(({ name }) => name),
  }))
}
async function jobOf({ jobId = '' }: { jobId?: string | undefined }) {
  await runJobs(server.ctx)
  return server.call(api.getJob, { id: jobId })
}

test('each line creates, updates or is refused as the preview says, a bystander stays, and one undo takes all back', async () => {
  await make('anna', { email: 'anna@example.com', tag: 'OLD' })
  await make('bystander', { tag: 'KEPT' })
  const before = await listAll()
  const csv = [
    'username,expireAt,email,tag,trafficLimitGib,squads',
    'anna,,new@example.com,vip,2,Gold',
    'ben_new,2090-05-05,,NEW,,Gold',
    'cat_new,,,,,',
    'anna,,,,,',
  ].join('\r\n')
  const { counts, lines, ignored } = await server.call(api.planUserImport, { csv })
  expect({ counts, ignored }).toEqual({ counts: { create: 1, update: 1, same: 0, refuse: 2 }, ignored: [] })
  expect(lines.map(({ line, outcome, reasons }) => [line, outcome, ...reasons])).toEqual([
    [2, 'update'],
    [3, 'create'],
    [4, 'refuse', 'a new user needs expireAt'],
    [5, 'refuse', 'line 2 names this user already'],
  ])
  expect(await listAll()).toEqual(before)

  const started = await server.call(api.importUsers, { csv, expected: counts })
  expect(started).toMatchObject({ affectedRows: 2 })
  expect(await jobOf(started)).toMatchObject({ kind: 'importUsers', status: 'done', done: 2, total: 2, error: null })
  expect(await listAll()).toEqual([
    { username: 'anna', email: 'new@example.com', tag: 'VIP', trafficLimitBytes: 2 * 1024 ** 3, squads: ['Gold'] },
    { username: 'ben_new', email: null, tag: 'NEW', trafficLimitBytes: 0, squads: ['Gold'] },
    before.find(({ username }) => username === 'bystander'),
  ])

  const { entries } = await server.call(api.listHistory, { limit: 20 })
  const request = entries.find(({ action }) => action === 'importUsers')
  await server.call(api.undoEntry, { id: request?.id ?? 0 })
  await runJobs(server.ctx)
  expect(await listAll()).toEqual(before)
})

test('an export is imported again without a change', async () => {
  await make('formula', { description: '=1+1', email: 'f@example.com', activeInternalSquads: [gold] })
  const { body } = await server.send('GET', '/api/x/users/export')
  const { counts } = await server.call(api.planUserImport, { csv: String(body) })
  expect(counts).toEqual({ create: 0, update: 0, same: (await listAll()).length, refuse: 0 })
})

test('a file that does something else by now is refused, and so is one without names', async () => {
  const csv = 'username,expireAt\nlate_user,2090-01-01'
  const { counts } = await server.call(api.planUserImport, { csv })
  await make('late_user')
  expect(await server.send('POST', '/api/x/users/import', { csv, expected: counts })).toMatchObject({ status: 409 })
  const refused = await server.send('POST', '/api/x/users/import', { csv: 'email\na@example.com' })
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: ['csv'] }] } })
})

test('a line whose user or squad has gone meanwhile is named, and all others are done', async () => {
  const silver = await server.call(api.createInternalSquad, { name: 'Silver', inbounds: [] })
  const csv = 'username,expireAt,squads\nfirst_one,2090-01-01,Gold\nsecond_one,2090-01-01,Silver'
  const started = await server.call(api.importUsers, { csv })
  await server.call(api.deleteInternalSquad, { uuid: silver.uuid })
  const job = await jobOf(started)
  expect(job).toMatchObject({
    status: 'failed',
    done: 2,
    total: 2,
    error: expect.stringContaining('1 of 2 lines were not taken'),
  })
  const names = (await listAll()).map(({ username }) => username)
  expect(names).toContain('first_one')
  expect(names).not.toContain('second_one')
})

test('many lines are done in batches, none twice', async () => {
  const rows = Array.from({ length: 1200 }, (_, index) => `many_${index},2090-01-01`)
  const started = await server.call(api.importUsers, { csv: ['username,expireAt', ...rows].join('\n') })
  expect(await jobOf(started)).toMatchObject({ status: 'done', done: 1200 })
  const { total } = await server.call(api.listUsers, { filters: [{ id: 'search', value: 'many_' }] })
  expect(total).toBe(1200)
})
