import * as api from '@causeway/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runJobs } from '../../../test/jobs.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { FORGET_AFTER_MS } from '../nodes/nodes.jobs.ts'

// That things come back whole or not at all: with what hangs on them, one alone of many, under names that could be given.

const LATER = '2090-01-01T00:00:00.000Z'
let server: TestServer
let squad: string
let profile: string
let inbound: string
beforeAll(async () => {
  server = await testServer()
  const made = await server.call(api.createConfigProfile, {
    name: 'Main',
    config: {
      inbounds: [{ tag: 'ONE', port: 4400, protocol: 'vless', settings: { clients: [], decryption: 'none' } }],
      outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }],
    },
  })
  profile = made.uuid
  inbound = made.inbounds[0]?.uuid ?? ''
  squad = (await server.call(api.createInternalSquad, { name: 'Friends', inbounds: [inbound] })).uuid
})
beforeEach(async () => {
  await server.ctx.db.deleteFrom('users').execute()
  await server.ctx.db.deleteFrom('nodes').execute()
  await makeUser('bystander')
})
afterAll(() => server.close())

const makeUser = (username: string, more: object = {}) =>
  server.call(api.createUser, { username, expireAt: LATER, activeInternalSquads: [squad], ...more })
const makeNode = (name: string) =>
  server.call(api.createNode, {
    name,
    address: `${name}.example`,
    configProfile: { activeConfigProfileUuid: profile, activeInbounds: [inbound] },
  })
const newest = async () => (await server.call(api.listHistory, { limit: 1 })).entries[0]?.id ?? 0
const undo = (id: number, more: object = {}) => server.send('POST', `/api/x/history/${id}/undo`, more)
const userOf = (uuid: string) => server.call(api.getUser, { uuid })
const one = async (query: ReturnType<typeof sql>) => (await query.execute(server.ctx.db)).rows[0]

describe('one thing of many', () => {
  test('UNDO-010 one user of a deletion of many comes back alone, found by name, and the others after it', async () => {
    const made = [await makeUser('anna'), await makeUser('Annabel'), await makeUser('carl')]
    const uuids = made.map(({ uuid }) => uuid)
    const [anna = '', annabel = '', carl = ''] = uuids
    await server.call(api.bulkDeleteUsers, { uuids })
    await makeUser('annalena')
    const search = async (text: string) => (await server.call(api.listDeleted, { search: text })).entries
    expect(await search('ANNA')).toMatchObject([
      { action: 'bulkDeleteUsers', count: 3, things: [{ name: 'Annabel' }, { name: 'anna' }] },
    ])
    expect(await search('%')).toEqual([])
    const [found] = await search('anna')
    const id = found?.id ?? 0
    const plan = await server.call(api.planUndo, { id, only: anna })
    expect(plan.changes.filter(({ table }) => table === 'users').map(({ name }) => name)).toEqual(['anna'])
    expect(plan).toMatchObject({ access: { gain: 1, lose: 0 }, isJob: false })
    await server.call(api.undoEntry, { id, only: anna, fingerprint: plan.fingerprint })
    expect(await userOf(anna)).toMatchObject({ username: 'anna', activeInternalSquads: [{ uuid: squad }] })
    expect((await server.send('GET', `/api/users/${annabel}`)).status).toBe(404)
    expect(await search('anna')).toMatchObject([{ id, things: [{ name: 'Annabel' }] }])
    // Its undo is an entry of its own, by which it goes again; the entry stays open for the others.
    const own = await newest()
    expect((await server.call(api.listHistory, { target: anna })).entries[0]).toMatchObject({ id: own, name: 'anna', count: 1 })
    await server.call(api.undoEntry, { id })
    expect(await Promise.all([anna, annabel, carl].map(async (uuid) => (await userOf(uuid)).username))).toEqual([
      'anna',
      'Annabel',
      'carl',
    ])
    expect(await undo(id, { only: anna })).toMatchObject({ status: 409 })
  })

  test('UNDO-010 one user of a job comes back alone; what the change did not concern is refused', async () => {
    const made = [await makeUser('dora', { tag: 'A' }), await makeUser('emil', { tag: 'A' })]
    const other = await makeUser('other')
    await server.call(api.bulkUpdateUsers, { uuids: made.map(({ uuid }) => uuid), fields: { tag: 'B' } })
    await runJobs(server.ctx)
    const id = await newest()
    await server.call(api.undoEntry, { id, only: made[1]?.uuid })
    expect(await Promise.all(made.map(async ({ uuid }) => (await userOf(uuid)).tag))).toEqual(['B', 'A'])
    expect(await undo(id, { only: other.uuid })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('did not concern') },
    })
  })

  test('UNDO-011 a job whose batches were all undone by "everything of this actor" is undone itself', async () => {
    const { token, uuid: actor } = await server.call(api.createApiToken, { tokenName: 'bot' })
    const users = [await makeUser('fred', { tag: 'A' }), await makeUser('gina', { tag: 'A' })]
    const from = new Date(Date.now() - 1000).toISOString()
    const body = { uuids: users.map(({ uuid }) => uuid), fields: { tag: 'B' } }
    await server.send('POST', '/api/users/bulk/update', body, { authorization: `Bearer ${token}` })
    await runJobs(server.ctx)
    const id = await newest()
    const { fingerprint } = await server.call(api.planUndoOfActor, { actor, from })
    await server.call(api.undoOfActor, { actor, from, fingerprint })
    await runJobs(server.ctx)
    expect((await server.call(api.getHistoryEntry, { id })).obstacle).toBe('undone')
    expect(await undo(id)).toMatchObject({ status: 409, body: { message: expect.stringContaining('already') } })
  })
})

describe('what hangs on a thing', () => {
  test('UNDO-008 metadata comes back with its user and its node, and their entries name them', async () => {
    const { uuid } = await makeUser('hugo')
    await server.call(api.setUserMetadata, { uuid, metadata: { crm: 42 } })
    expect((await server.call(api.listHistory, { limit: 1 })).entries[0]?.name).toBe('hugo')
    await server.call(api.deleteUser, { uuid })
    const { left } = await server.call(api.undoEntry, { id: await newest() })
    expect(left).toEqual([])
    expect(await server.call(api.getUserMetadata, { uuid })).toMatchObject({ metadata: { crm: 42 } })
  })

  test('UNDO-006 the undo of a creation leaves a thing that was changed since whole', async () => {
    const user = await makeUser('ivan')
    const createdUser = await newest()
    await server.call(api.updateUser, { uuid: user.uuid, description: 'changed' })
    expect(await undo(createdUser)).toMatchObject({ status: 409 })
    expect(await userOf(user.uuid)).toMatchObject({ description: 'changed', activeInternalSquads: [{ uuid: squad }] })
    const node = await makeNode('warsaw')
    const createdNode = await newest()
    await server.call(api.updateNode, { uuid: node.uuid, countryCode: 'NL' })
    expect(await undo(createdNode)).toMatchObject({ status: 409 })
    expect((await server.call(api.getNode, { uuid: node.uuid })).configProfile.activeInbounds).toHaveLength(1)
    await server.call(api.undoEntry, { id: createdNode, overwriteAll: true })
    expect((await server.send('GET', `/api/nodes/${node.uuid}`)).status).toBe(404)
  })

  test('UNDO-008 a node comes back with what moved through it, and what was kept for a week only is told as left', async () => {
    const { uuid } = await makeNode('oslo')
    const stays = await makeNode('riga')
    const [user, node, other] = await Promise.all([
      server.ctx.db.selectFrom('users').select('id').executeTakeFirstOrThrow(),
      server.ctx.db.selectFrom('nodes').select('id').where('uuid', '=', uuid).executeTakeFirstOrThrow(),
      server.ctx.db.selectFrom('nodes').select('id').where('uuid', '=', stays.uuid).executeTakeFirstOrThrow(),
    ])
    const day = '2026-01-02'
    for (const nodeId of [node.id, other.id]) {
      await server.ctx.db.insertInto('nodeUsageDays').values({ nodeId, day, uploadBytes: 3, downloadBytes: 4 }).execute()
      await server.ctx.db
        .insertInto('userNodeUsage')
        .values({ nodeId, userId: user.id, day, uploadBytes: 3, downloadBytes: 4 })
        .execute()
    }
    const usage = () =>
      one(sql`
      select (select sum("uploadBytes")::int from "nodeUsageDays" where "nodeId" = ${node.id}) as "days",
        (select count(*) from "userNodeUsage" where "nodeId" = ${node.id}) as "byUser"`)
    await server.call(api.deleteNode, { uuid })
    await runJobs(server.ctx)
    const { left } = await server.call(api.undoEntry, { id: await newest() })
    expect([left, await usage()]).toEqual([[], { days: 3, byUser: 1 }])
    expect(await one(sql`select count(*) as "jobs" from "jobs" where "kind" = 'forgetNodeUsage'`)).toEqual({ jobs: 0 })
    await server.call(api.deleteNode, { uuid })
    await server.ctx.db
      .updateTable('jobs')
      .set({ dueAt: sql`"dueAt" - ${FORGET_AFTER_MS} * interval '1 ms'` })
      .where('kind', '=', 'forgetNodeUsage')
      .execute()
    await runJobs(server.ctx)
    const again = await server.call(api.undoEntry, { id: await newest() })
    expect(again.left).toEqual([{ table: 'userNodeUsage', name: 'oslo', field: null, reason: 'notKept' }])
    expect(await usage()).toEqual({ days: 3, byUser: 0 })
    expect(await one(sql`select count(*) as "rows" from "userNodeUsage" where "nodeId" = ${other.id}`)).toEqual({ rows: 1 })
  })

  test('UNDO-003 keys in a profile are marks, which tell that they differ; memberships say of which squad and user', async () => {
    const made = await server.call(api.createConfigProfile, {
      name: 'Keys',
      config: {
        inbounds: [{ tag: 'KEYS', port: 4500, protocol: 'vless', settings: { clients: [], decryption: 'none' } }],
        outbounds: [{ tag: 'WG', protocol: 'wireguard', settings: { secretKey: 'a-secret' } }],
      },
    })
    const told = JSON.stringify(await server.call(api.getHistoryEntry, { id: await newest() }))
    expect(told).not.toContain('a-secret')
    expect(told).toContain('hidden (')
    await server.call(api.deleteConfigProfile, { uuid: made.uuid })
    const { uuid } = await makeUser('jana')
    await server.call(api.updateUser, { uuid, activeInternalSquads: [] })
    const { changes } = await server.call(api.getHistoryEntry, { id: await newest() })
    expect(changes.find(({ table }) => table === 'internalSquadMembers')?.name).toBe('Friends · jana')
  })
})

describe('names', () => {
  async function deletedTwin() {
    const { uuid } = await makeUser('kate')
    await server.call(api.deleteUser, { uuid })
    const id = await newest()
    await makeUser('kate')
    await makeUser('lena')
    const { taken } = await server.call(api.planUndo, { id })
    return { uuid, id, question: taken[0]?.id ?? '' }
  }

  test.each(['', 'a', 'bad name!', '<b>x</b>', '=1+1', 'x'.repeat(255)])(
    'UNDO-009 the name "%s" could not be given to a new user, nor to a restored one',
    async (value) => {
      const { id, question } = await deletedTwin()
      const names = [{ id: question, value }]
      for (const path of ['plan', 'undo'])
        expect(await server.send('POST', `/api/x/history/${id}/${path}`, { names })).toMatchObject({
          status: 400,
          body: { errors: [{ path: ['names', '0', 'value'] }] },
        })
    },
  )

  test('UNDO-009 a chosen name that is taken too is asked about again, and refused by its name', async () => {
    const { uuid, id, question } = await deletedTwin()
    const names = [{ id: question, value: 'lena' }]
    expect((await server.call(api.planUndo, { id, names })).taken).toMatchObject([{ value: 'lena', proposal: 'kate-2' }])
    expect(await undo(id, { names })).toMatchObject({ status: 409, body: { message: expect.stringContaining('"lena"') } })
    // A plan with the choices is as good as the one before them.
    const free = [{ id: question, value: 'kate-3' }]
    const { fingerprint } = await server.call(api.planUndo, { id, names: free })
    await server.call(api.undoEntry, { id, names: free, fingerprint })
    expect((await userOf(uuid)).username).toBe('kate-3')
  })

  test('UNDO-009 names change nothing that was not asked about', async () => {
    const user = await makeUser('mara')
    await server.call(api.deleteUser, { uuid: user.uuid })
    const { rows } = await sql<{ id: number }>`
      select ("before"->'users'->0->>'id')::bigint as "id" from "auditLog" order by "id" desc limit 1`.execute(server.ctx.db)
    const stranger = '00000000-0000-4000-8000-000000000001'
    const names = ['uuid', 'username'].map((column) => ({
      id: `users:${rows[0]?.id}:${column}`,
      value: column === 'uuid' ? stranger : 'another',
    }))
    await server.call(api.undoEntry, { id: await newest(), names })
    expect((await userOf(user.uuid)).username).toBe('mara')
  })

  test('UNDO-009 a node whose address is taken shows in its plan what comes back under another one', async () => {
    const { uuid } = await makeNode('bern')
    await server.call(api.deleteNode, { uuid })
    const id = await newest()
    await makeNode('bern')
    const plan = await server.call(api.planUndo, { id })
    expect(plan.taken.map(({ field, proposal }) => [field, proposal])).toEqual([
      ['name', 'bern-2'],
      ['address', ''],
    ])
    expect([plan.left, plan.changes.map(({ table }) => table)]).toEqual([[], expect.arrayContaining(['nodes', 'nodeInbounds'])])
    const names = plan.taken.map(({ id: question, field, proposal }) => ({
      id: question,
      value: field === 'address' ? 'bern-new.example' : proposal,
    }))
    await server.call(api.undoEntry, { id, names })
    expect(await server.call(api.getNode, { uuid })).toMatchObject({ name: 'bern-2', address: 'bern-new.example' })
  })
})

test('UNDO-007 an undo that concerns all nodes waits for a booking without holding what the booking needs', async () => {
  const { uuid } = await makeNode('lima')
  const { id: nodeId } = await server.ctx.db.selectFrom('nodes').select('id').where('uuid', '=', uuid).executeTakeFirstOrThrow()
  const { uuid: other } = await server.call(api.createInternalSquad, { name: 'Gone', inbounds: [inbound] })
  const user = await makeUser('nina', { activeInternalSquads: [other] })
  const { id: userId } = await server.ctx.db
    .selectFrom('users')
    .select('id')
    .where('uuid', '=', user.uuid)
    .executeTakeFirstOrThrow()
  await server.call(api.deleteInternalSquad, { uuid: other })
  const id = await newest()
  const undone = await server.ctx.db.transaction().execute(async (tx) => {
    await sql`select 1 from "nodeStates" where "nodeId" = ${nodeId} for update`.execute(tx)
    const reply = undo(id)
    await expect
      .poll(() => one(sql`select count(*) as "waiting" from pg_locks where not "granted"`), { timeout: 20_000 })
      .not.toEqual({ waiting: 0 })
    await sql`select 1 from "userUsage" where "userId" = ${userId} for update nowait`.execute(tx)
    return { reply }
  })
  expect((await undone.reply).status).toBe(200)
  expect((await userOf(user.uuid)).activeInternalSquads).toHaveLength(1)
})
