import * as api from '@causeway/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runJobs } from '../../../test/jobs.ts'
import { testServer, type TestServer } from '../../../test/server.ts'

const LATER = '2090-01-01T00:00:00.000Z'
const inbound = (tag: string, port: number) => ({ tag, port, protocol: 'vless', settings: { clients: [], decryption: 'none' } })
const config = (...tags: string[]) => ({
  inbounds: tags.map((tag, index) => inbound(tag, 4400 + index)),
  outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }],
})

let server: TestServer
let squad: string
let profile: string
beforeAll(async () => {
  server = await testServer()
  const made = await server.call(api.createConfigProfile, { name: 'Main', config: config('ONE', 'TWO') })
  profile = made.uuid
  const { uuid } = await server.call(api.createInternalSquad, { name: 'Friends', inbounds: [made.inbounds[0]?.uuid ?? ''] })
  squad = uuid
})
beforeEach(async () => {
  await server.ctx.db.deleteFrom('users').execute()
  // A bystander of every test: nothing that is undone may change it.
  await makeUser('bystander')
})
afterAll(() => server.close())

const makeUser = (username: string, more: object = {}) =>
  server.call(api.createUser, { username, expireAt: LATER, activeInternalSquads: [squad], ...more })
const newest = async () => (await server.call(api.listHistory, { limit: 1 })).entries[0]?.id ?? 0
const undo = (id: number, more: object = {}) => server.send('POST', `/api/x/history/${id}/undo`, more)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const userOf = (uuid: string) => server.call(api.getUser, { uuid })
const FORMATS = ['', '/mihomo', '/singbox', '/stash', '/clash', '/json']

describe('undoing an entry', () => {
  test('UNDO-008 a user restored has the same link, keys, devices, squads and used bytes, and the very same subscription', async () => {
    const other = await userOf((await makeUser('other')).uuid)
    const { uuid } = await makeUser('ann', { trafficLimitBytes: 1000 })
    await server.call(api.createHwidDevice, { userUuid: uuid, hwid: 'phone' })
    await server.call(api.createHost, {
      remark: 'way in',
      address: 'a.example.com',
      port: 443,
      inbound: {
        configProfileUuid: profile,
        configProfileInboundUuid: (await server.call(api.getConfigProfile, { uuid: profile })).inbounds[0]?.uuid ?? '',
      },
    })
    const row = await server.ctx.db.selectFrom('users').select('id').where('uuid', '=', uuid).executeTakeFirstOrThrow()
    await server.ctx.db.updateTable('userUsage').set({ usedTrafficBytes: 300 }).where('userId', '=', row.id).execute()
    const before = await userOf(uuid)
    const { devices } = await server.call(api.listUserHwidDevices, { userUuid: uuid })
    const read = () =>
      Promise.all(
        FORMATS.map(
          async (format) =>
            (await server.send('GET', `/api/sub/${before.shortUuid}${format}`, undefined, { 'x-hwid': 'phone' })).body,
        ),
      )
    const subscriptions = await read()
    await server.call(api.deleteUser, { uuid })
    expect((await server.send('GET', `/api/sub/${before.shortUuid}`)).status).toBe(404)
    expect((await undo(await newest())).status).toBe(200)
    expect(await read()).toEqual(subscriptions)
    // Openings of the subscription are noted a moment after they happened.
    const opened = { subLastOpenedAt: null, subLastUserAgent: null, updatedAt: null }
    expect({ ...(await userOf(uuid)), ...opened }).toEqual({ ...before, ...opened })
    expect((await server.call(api.listUserHwidDevices, { userUuid: uuid })).devices).toMatchObject(
      devices.map(({ hwid }) => ({ hwid })),
    )
    expect(await server.ctx.db.selectFrom('users').select('id').where('uuid', '=', uuid).executeTakeFirst()).toEqual(row)
    expect(await userOf(other.uuid)).toEqual(other)
    // Nodes are told by the ordinary delivery.
    const told = await server.ctx.db.selectFrom('changedUsers').select('username').execute()
    expect(told.map(({ username }) => username)).toContain('ann')
  })

  test('UNDO-005 the plan says who gets access back; the entry names what it undoes; UNDO-012 and is undone itself', async () => {
    const { uuid } = await makeUser('bob')
    await server.call(api.deleteUser, { uuid })
    const id = await newest()
    const plan = await server.call(api.planUndo, { id })
    expect(plan).toMatchObject({ entries: 1, isJob: false, access: { gain: 1, lose: 0 }, conflicts: [], taken: [], left: [] })
    // A plan leaves nothing behind.
    expect((await server.send('GET', `/api/users/${uuid}`)).status).toBe(404)
    await server.call(api.undoEntry, { id, fingerprint: plan.fingerprint })
    const [made, undone] = (await server.call(api.listHistory, { limit: 2 })).entries
    expect(made).toMatchObject({ action: 'undoEntry', kind: 'user', name: 'bob', undoes: id, obstacle: null })
    expect(undone).toMatchObject({ id, action: 'deleteUser', undoneBy: made?.id, obstacle: 'undone' })
    await server.call(api.undoEntry, { id: made?.id ?? 0 })
    expect((await server.send('GET', `/api/users/${uuid}`)).status).toBe(404)
    expect((await server.call(api.getHistoryEntry, { id })).undoneBy).toBeNull()
  })

  test('UNDO-006 what was changed since is left unless chosen, and shown as then, now and would be', async () => {
    const { uuid } = await makeUser('cid', { description: 'first', tag: 'OLD' })
    await server.call(api.updateUser, { uuid, description: 'second', tag: 'NEW' })
    const id = await newest()
    await server.call(api.updateUser, { uuid, description: 'third' })
    const { conflicts } = await server.call(api.planUndo, { id })
    expect(conflicts).toEqual([
      {
        id: expect.any(String),
        entry: id,
        table: 'users',
        name: 'cid',
        field: 'description',
        isSecret: false,
        was: 'second',
        now: 'third',
        wouldBe: 'first',
      },
    ])
    const { id: made, left } = await server.call(api.undoEntry, { id })
    expect(left).toEqual([{ table: 'users', name: 'cid', field: 'description', reason: 'changed' }])
    expect(await userOf(uuid)).toMatchObject({ description: 'third', tag: 'OLD' })
    await server.call(api.undoEntry, { id: made })
    await server.call(api.undoEntry, { id, overwrite: [conflicts[0]?.id ?? ''] })
    expect(await userOf(uuid)).toMatchObject({ description: 'first', tag: 'OLD' })
  })

  test('UNDO-009 a name taken meanwhile is asked about with a proposal, and comes back under the chosen one', async () => {
    const { uuid } = await makeUser('dan')
    await server.call(api.deleteUser, { uuid })
    const id = await newest()
    const holder = await makeUser('Dan')
    const plan = await server.call(api.planUndo, { id })
    expect(plan.taken).toEqual([{ id: expect.any(String), table: 'users', field: 'username', value: 'dan', proposal: 'dan-2' }])
    expect(await undo(id)).toMatchObject({ status: 409, body: { message: expect.stringContaining('dan') } })
    await server.call(api.undoEntry, { id, names: [{ id: plan.taken[0]?.id ?? '', value: 'dan-2' }] })
    expect((await userOf(uuid)).username).toBe('dan-2')
    expect((await userOf(holder.uuid)).username).toBe('Dan')
  })

  test.each(['abc', '1.5', '9e99', String(2 ** 60)])('UNDO-013 the id %s is refused with its name', async (id) => {
    const reply = await server.send('POST', `/api/x/history/${id}/undo`, {})
    expect(reply).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['id'], message: 'must be a whole number below 2^53' }] },
    })
  })

  test('UNDO-009 a bill that a node has again at the same provider is left, and the plan says so', async () => {
    const { uuid: providerUuid } = await server.call(api.createInfraProvider, { name: 'Hoster' })
    const [inbound] = (await server.call(api.getConfigProfile, { uuid: profile })).inbounds
    const configProfile = { activeConfigProfileUuid: profile, activeInbounds: [inbound?.uuid ?? ''] }
    const { uuid: nodeUuid } = await server.call(api.createNode, { name: 'billed', address: 'billed.example', configProfile })
    const bill = { providerUuid, nodeUuid, nextBillingAt: '2027-01-01T00:00:00.000Z' }
    const [first] = (await server.call(api.createInfraBillingNode, bill)).billingNodes
    await server.call(api.deleteInfraBillingNode, { uuid: first?.uuid ?? '' })
    const deletion = await newest()
    const { billingNodes } = await server.call(api.createInfraBillingNode, bill)
    const plan = await server.call(api.planUndo, { id: deletion })
    expect(plan).toMatchObject({ changes: [], left: [{ table: 'infraBillingNodes', reason: 'exists' }] })
    expect(await undo(deletion)).toMatchObject({ status: 409, body: { message: expect.stringMatching(/nothing/i) } })
    expect((await server.call(api.listInfraBillingNodes, {})).billingNodes).toEqual(billingNodes)
  })

  test('UNDO-009 a profile whose tag was taken comes back with another one, in its configuration too', async () => {
    const made = await server.call(api.createConfigProfile, { name: 'Tags', config: config('MINE') })
    await server.call(api.deleteConfigProfile, { uuid: made.uuid })
    const id = await newest()
    const other = await server.call(api.createConfigProfile, { name: 'Other-tags', config: config('MINE') })
    const { taken } = await server.call(api.planUndo, { id })
    expect(taken).toMatchObject([{ table: 'configProfileInbounds', field: 'tag', value: 'MINE', proposal: 'MINE-2' }])
    await server.call(api.undoEntry, { id, names: taken.map((each) => ({ id: each.id, value: each.proposal })) })
    const back = await server.call(api.getConfigProfile, { uuid: made.uuid })
    expect([back.inbounds.map(({ tag }) => tag), JSON.stringify(back.config)]).toEqual([
      ['MINE-2'],
      expect.stringContaining('MINE-2'),
    ])
    expect((await server.call(api.getConfigProfile, { uuid: other.uuid })).inbounds.map(({ tag }) => tag)).toEqual(['MINE'])
  })

  test('UNDO-005 traffic moved since a reset is added to what comes back, and a limit that is full again limits', async () => {
    const { uuid } = await makeUser('eve', { trafficLimitBytes: 1000 })
    const { id: userId } = await server.ctx.db.selectFrom('users').select('id').where('uuid', '=', uuid).executeTakeFirstOrThrow()
    const use = (usedTrafficBytes: number) =>
      server.ctx.db.updateTable('userUsage').set({ usedTrafficBytes }).where('userId', '=', userId).execute()
    await use(900)
    await server.call(api.resetUserTraffic, { uuid })
    const id = await newest()
    await use(150)
    await server.call(api.undoEntry, { id })
    expect(await userOf(uuid)).toMatchObject({ status: 'LIMITED', usedTrafficBytes: 1050 })
  })

  test('UNDO-013 an entry that was dropped by age, one undone already, and a plan no longer true are refused each with a sentence', async () => {
    const { uuid } = await makeUser('fay', { tag: 'ONE' })
    await server.call(api.updateUser, { uuid, tag: 'TWO' })
    const id = await newest()
    expect(await undo(99_999_999)).toMatchObject({ status: 404, body: { message: expect.stringContaining('kept no more') } })
    const { fingerprint } = await server.call(api.planUndo, { id })
    await server.call(api.updateUser, { uuid, tag: 'THREE' })
    const stale = await undo(id, { fingerprint })
    expect(stale).toMatchObject({ status: 409, body: { message: expect.stringContaining('new plan') } })
    // The new plan comes with the refusal, as if it had been asked for.
    expect(stale.body).toMatchObject({ plan: await server.call(api.planUndo, { id }) })
    expect(stale.body).toMatchObject({ plan: { conflicts: [{ field: 'tag', was: 'TWO', now: 'THREE', wouldBe: 'ONE' }] } })
    expect(await undo(id)).toMatchObject({ status: 409, body: { message: expect.stringContaining('Nothing would change') } })
    const [one, other] = await Promise.all([undo(id, { overwriteAll: true }), undo(id, { overwriteAll: true })])
    expect([one.status, other.status].toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await undo(id)).toMatchObject({ status: 409, body: { message: expect.stringContaining('already') } })
    expect((await userOf(uuid)).tag).toBe('ONE')
  })
})

describe('undoing many', () => {
  test('UNDO-010 four hundred users deleted by a token come back by one undo', async () => {
    const { token } = await server.call(api.createApiToken, { tokenName: 'bot' })
    const uuids: string[] = []
    for (let number = 0; number < 400; number++) uuids.push((await makeUser(`user_${number}`)).uuid)
    await server.send('POST', '/api/users/bulk/delete', { uuids }, bearer(token))
    expect((await server.call(api.listUsers, {})).total).toBe(1)
    const { entries } = await server.call(api.listDeleted, { kind: 'user', limit: 1 })
    expect(entries).toMatchObject([{ action: 'bulkDeleteUsers', count: 400, actor: { name: 'bot' } }])
    await server.call(api.undoEntry, { id: entries[0]?.id ?? 0 })
    expect((await server.call(api.listUsers, {})).total).toBe(401)
    expect((await server.call(api.listHistory, { target: uuids[7] ?? '' })).entries.map(({ action }) => action)).toEqual([
      'undoEntry',
      'bulkDeleteUsers',
      'createUser',
    ])
  })

  test('UNDO-010 a job is undone as a job, which leaves what was changed since and says so', async () => {
    const made = [await makeUser('one', { tag: 'A' }), await makeUser('two', { tag: 'A' })]
    await server.call(api.bulkUpdateUsers, { uuids: made.map(({ uuid }) => uuid), fields: { tag: 'B' } })
    await runJobs(server.ctx)
    const id = await newest()
    await server.call(api.updateUser, { uuid: made[0]?.uuid ?? '', tag: 'C' })
    const { id: entry, jobId } = await server.call(api.undoEntry, { id })
    await runJobs(server.ctx)
    expect(await server.call(api.getJob, { id: jobId ?? '' })).toMatchObject({ status: 'done', done: 2, total: 2 })
    expect(await Promise.all(made.map(async ({ uuid }) => (await userOf(uuid)).tag))).toEqual(['C', 'A'])
    expect((await server.call(api.getHistoryEntry, { id: entry })).left).toEqual([
      { table: 'users', name: 'one', field: 'tag', reason: 'changed' },
    ])
  })

  test('UNDO-011 everything of a token since a time is undone newest first, and stops at a conflict with its place', async () => {
    const { token, uuid: actor } = await server.call(api.createApiToken, { tokenName: 'wild' })
    const { uuid } = await makeUser('gus', { tag: 'A', description: 'kept' })
    const edit = (body: object) => server.send('PATCH', '/api/users', { uuid, ...body }, bearer(token))
    const from = new Date(Date.now() - 1000).toISOString()
    await edit({ description: 'first' })
    const place = await newest()
    await edit({ tag: 'B' })
    await edit({ tag: 'C' })
    const plan = await server.call(api.planUndoOfActor, { actor, from })
    expect(plan).toMatchObject({ entries: 3, isJob: true, stoppedAt: null })
    await server.call(api.updateUser, { uuid, description: 'by hand' })
    const stale = await server.send('POST', '/api/x/history/actions/undo', { actor, from, fingerprint: plan.fingerprint })
    expect(stale).toMatchObject({ status: 409, body: { plan: { entries: 2, stoppedAt: place } } })
    const again = await server.call(api.planUndoOfActor, { actor, from })
    expect(again).toMatchObject({ entries: 2, stoppedAt: place, conflicts: [{ entry: place, field: 'description' }] })
    const { id, jobId } = await server.call(api.undoOfActor, { actor, from, fingerprint: again.fingerprint })
    await runJobs(server.ctx)
    expect(await userOf(uuid)).toMatchObject({ tag: 'A', description: 'by hand' })
    expect(await server.call(api.getJob, { id: jobId ?? '' })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(String(place)),
    })
    expect((await server.call(api.getHistoryEntry, { id })).stoppedAt).toBe(place)
  })
})

describe('permissions', () => {
  test('UNDO-017 history.read shows nothing of kinds that its reader may not read; undoing needs the permission of the opposite change', async () => {
    const { uuid } = await makeUser('hal')
    await server.call(api.deleteUser, { uuid })
    const id = await newest()
    const limited = async (...permissions: api.Permission[]) =>
      bearer(
        (
          await server.call(api.createLimitedApiToken, {
            tokenName: 'limited',
            permissions: ['history.read', ...permissions],
            isShownOnce: false,
          })
        ).token,
      )
    const [none, hosts, reader, writer] = [
      await limited(),
      await limited('hosts.read'),
      await limited('users.read'),
      await limited('users.read', 'users.write'),
    ]
    const seen = async (headers: Record<string, string>) => {
      const { body } = await server.send('GET', '/api/x/history?limit=200', undefined, headers)
      return [
        ...new Set(api.listHistory.response.parse((body as { response: unknown }).response).entries.map(({ kind }) => kind)),
      ]
    }
    expect([await seen(none), await seen(hosts), await seen(reader)]).toEqual([[], ['host'], ['user']])
    expect((await server.send('GET', `/api/x/history/${id}`, undefined, hosts)).status).toBe(404)
    expect((await server.send('GET', '/api/x/history/export?format=json', undefined, none)).body).toEqual([])
    for (const path of ['plan', 'undo'])
      expect((await server.send('POST', `/api/x/history/${id}/${path}`, {}, reader)).status).toBe(403)
    expect(
      (
        await server.send(
          'GET',
          '/api/x/history',
          undefined,
          bearer(
            (await server.call(api.createLimitedApiToken, { tokenName: 'x', permissions: ['users.read'], isShownOnce: false }))
              .token,
          ),
        )
      ).status,
    ).toBe(403)
    expect((await server.send('POST', `/api/x/history/${id}/undo`, {}, writer)).status).toBe(200)
  })
})
