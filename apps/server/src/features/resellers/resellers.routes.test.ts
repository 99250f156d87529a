import * as api from '@causeway/contract'
import type { CallInput } from '@causeway/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser, UNKNOWN } from '../../../test/users.ts'

const GIB = 1024 ** 3
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

let server: TestServer
let squads: Record<'gold' | 'silver', string>
let count = 0
beforeAll(async () => {
  server = await testServer()
  const made = async (name: string) => (await server.call(api.createInternalSquad, { name, inbounds: [] })).uuid
  squads = { gold: await made('gold'), silver: await made('silver') }
})
afterAll(() => server?.close())
beforeEach(() => server.ctx.db.deleteFrom('users').execute())

type Fields = Partial<CallInput<typeof api.createReseller>>

/** A reseller of the squad gold, and the headers of a token of it. */
async function resell(fields: Fields = {}) {
  const bounds = { maxUsers: null, maxBytes: null, maxDays: null }
  const reseller = await server.call(api.createReseller, { name: `R${count++}`, squads: [squads.gold], ...bounds, ...fields })
  const { token, uuid } = await server.call(api.createLimitedApiToken, { tokenName: 'shop', resellerUuid: reseller.uuid })
  const headers = { authorization: `Bearer ${token}` }
  const create = (username: string, more: object = {}) =>
    server.send('POST', '/api/users', { username, expireAt: inDays(30), activeInternalSquads: [squads.gold], ...more }, headers)
  return { reseller, headers, create, tokenUuid: uuid }
}
const messageOf = ({ body }: { body: unknown }) => (body as { message: string }).message // every refusal has one
const namesNow = async () =>
  (await server.ctx.db.selectFrom('users').select('username').orderBy('id').execute()).map((row) => row.username)

test('ADMIN-009 of 50 creations at once as many succeed as there is room for; the others are told what is left', async () => {
  const foreign = await makeUser(server, { activeInternalSquads: [squads.silver] })
  const { create } = await resell({ maxUsers: 12 })
  const answers = await Promise.all(Array.from({ length: 50 }, (_, number) => create(`many_${number}`)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(12)
  const refused = answers.filter(({ status }) => status !== 201)
  expect([...new Set(refused.map(({ status }) => status))]).toEqual([409])
  expect(messageOf(refused[0] ?? { body: {} })).toBe('Your limit is 12 users, and you have 12: there is room for 0 more.')
  expect(await namesNow()).toHaveLength(13)
  expect(await namesNow()).toContain(foreign.username)
})

test('ADMIN-009 promised bytes and the longest expiry hold for one user and in bulk, whole', async () => {
  const { create, headers } = await resell({ maxBytes: 10 * GIB, maxDays: 60 })
  const change = (body: object) => server.send('POST', '/api/x/users/change', body, headers)
  expect((await create('one_user', { trafficLimitBytes: 4 * GIB })).status).toBe(201)
  expect((await create('two_user', { trafficLimitBytes: 4 * GIB })).status).toBe(201)
  expect(messageOf(await create('three_user', { trafficLimitBytes: 4 * GIB }))).toBe(
    'Your users share 10 GiB, of which 2 GiB are left.',
  )
  expect(messageOf(await create('free_user'))).toBe('Your users share 10 GiB, so that each of them needs a traffic limit.')
  expect(messageOf(await create('late_user', { trafficLimitBytes: 1, expireAt: inDays(61) }))).toBe(
    'The longest expiry that you may set is 60 days from now.',
  )
  const more = await change({ all: true, change: { kind: 'addTraffic', bytes: 2 * GIB, isOnce: false } })
  expect(messageOf(more)).toBe('Your users share 10 GiB, of which 2 GiB are left.')
  const longer = await server.send('POST', '/api/x/users/extend', { all: true, days: 40 }, headers)
  expect(longer.status).toBe(409)
  const less = await change({ all: true, change: { kind: 'update', fields: { trafficLimitBytes: 5 * GIB } } })
  expect([less.status, less.body]).toMatchObject([200, { response: { affectedRows: 2 } }])
  const limits = await server.ctx.db.selectFrom('users').select(['username', 'trafficLimitBytes']).orderBy('id').execute()
  expect(limits).toEqual([
    { username: 'one_user', trafficLimitBytes: 5 * GIB },
    { username: 'two_user', trafficLimitBytes: 5 * GIB },
  ])
})

test('ADMIN-009 a bound below what is promised already stops what goes further, and nothing else', async () => {
  const { reseller, create, headers } = await resell()
  const { body } = await create('first_one')
  await create('second_one')
  await server.call(api.updateReseller, { uuid: reseller.uuid, maxUsers: 1 })
  expect((await create('third_one')).status).toBe(409)
  const { uuid } = (body as { response: { uuid: string } }).response // the created user
  expect((await server.send('POST', `/api/users/${uuid}/actions/disable`, undefined, headers)).status).toBe(200)
  expect((await server.send('DELETE', `/api/users/${uuid}`, undefined, headers)).status).toBe(200)
})

test('ADMIN-008 users stay in squads of the reseller; names taken elsewhere are refused without a hint', async () => {
  const foreign = await makeUser(server, {
    username: 'taken_name',
    shortUuid: 'taken-short',
    activeInternalSquads: [squads.silver],
  })
  const both = await makeUser(server, { username: 'in_both', activeInternalSquads: [squads.silver, squads.gold] })
  const { create, headers } = await resell()
  const { body } = await create('my_own')
  const { uuid } = (body as { response: { uuid: string } }).response // the created user
  const edit = (fields: object) => server.send('PATCH', '/api/users', { uuid, ...fields }, headers)
  expect((await create('no_squad', { activeInternalSquads: [] })).status).toBe(409)
  const outside = await create('out_there', { activeInternalSquads: [squads.silver] })
  const unknown = await create('out_there', { activeInternalSquads: [UNKNOWN] })
  expect([outside.status, messageOf(outside)]).toEqual([unknown.status, messageOf(unknown)])
  expect((await edit({ activeInternalSquads: [squads.gold, squads.silver] })).status).toBe(400)
  expect(messageOf(await edit({ activeInternalSquads: [] }))).toContain('needs at least one of your internal squads')
  const hint = 'The username or short UUID cannot be used. Choose another one.'
  expect(messageOf(await create('TAKEN_name'))).toBe(hint)
  expect(messageOf(await create('my_own'))).toBe(hint)
  expect(messageOf(await create('other_one', { shortUuid: 'taken-short' }))).toBe(hint)
  expect(messageOf(await create('other_one', { uuid: foreign.uuid }))).toBe(hint)
  expect((await server.send('GET', `/api/users/${both.uuid}`, undefined, headers)).status).toBe(404)
  const swept = await server.send('POST', '/api/users/bulk/delete', { uuids: [foreign.uuid, both.uuid, uuid] }, headers)
  expect(swept.body).toMatchObject({ response: { affectedRows: 1 } })
  expect(await namesNow()).toEqual(['taken_name', 'in_both'])
})

test('ADMIN-010 a token of a reseller is refused what concerns all; one without goes on as before', async () => {
  const { headers } = await resell()
  const refused = await server.send('GET', '/api/nodes', undefined, headers)
  expect([refused.status, messageOf(refused)]).toEqual([
    403,
    expect.stringMatching(/^This is not open to resellers: you see the users of R\d+ only\. Ask an administrator\.$/),
  ])
  const { token } = await server.call(api.createLimitedApiToken, { tokenName: 'whole' })
  const whole = { authorization: `Bearer ${token}` }
  expect((await server.send('GET', '/api/nodes', undefined, whole)).status).toBe(200)
  await makeUser(server)
  expect((await server.send('GET', '/api/users', undefined, whole)).body).toMatchObject({ response: { total: 1 } })
  expect((await server.send('GET', '/api/users', undefined, headers)).body).toMatchObject({ response: { total: 0 } })
})

test('ADMIN-010 a token follows its reseller from its next request on, and its maker when that one is bound', async () => {
  const { headers, tokenUuid } = await resell()
  const total = async () =>
    ((await server.send('GET', '/api/users', undefined, headers)).body as { response: { total: number } }).response.total
  await makeUser(server)
  expect(await total()).toBe(0)
  await server.call(api.updateApiToken, { uuid: tokenUuid, resellerUuid: null })
  expect(await total()).toBe(1)
  const { path } = await server.call(api.inviteAdmin, { note: 'kit', role: 'administrator' })
  await server.call(api.acceptInvitation, { token: path.split('/').at(-1) ?? '', username: 'kit', password: 'Correct4horse' })
  const { admins } = await server.call(api.listAdmins, {})
  const kit = admins.find(({ username }) => username === 'kit')?.uuid ?? ''
  await server.ctx.db.updateTable('apiTokens').set({ madeBy: kit }).where('uuid', '=', tokenUuid).execute()
  const { resellers } = await server.call(api.listResellers, {})
  await server.call(api.updateAdmin, { uuid: kit, reseller: resellers[0]?.uuid ?? null })
  expect(await total()).toBe(0)
})

test('ADMIN-011 users know who made them; a scope goes from one administrator to another, and its overview counts its users', async () => {
  const { reseller, create, tokenUuid } = await resell({ maxUsers: 3 })
  await create('made_here', { trafficLimitBytes: GIB, expireAt: inDays(3) })
  await makeUser(server, { activeInternalSquads: [squads.silver] })
  const makers = await server.ctx.db.selectFrom('users').select('madeBy').orderBy('id').execute()
  const account = await server.call(api.getAccount, {})
  expect(makers).toEqual([{ madeBy: tokenUuid }, { madeBy: account.uuid }])
  const joined = async (username: string) => {
    const { path } = await server.call(api.inviteAdmin, { note: username, role: 'support' })
    await server.call(api.acceptInvitation, { token: path.split('/').at(-1) ?? '', username, password: 'Correct4horse' })
    return (await server.call(api.listAdmins, {})).admins.find((admin) => admin.username === username)?.uuid ?? ''
  }
  const [old, next] = [await joined('old_hand'), await joined('new_hand')]
  await server.call(api.updateAdmin, { uuid: old, reseller: reseller.uuid })
  await server.call(api.updateAdmin, { uuid: old, reseller: null })
  await server.call(api.updateAdmin, { uuid: next, reseller: reseller.uuid })
  const { resellers } = await server.call(api.listResellers, {})
  expect(resellers.find(({ uuid }) => uuid === reseller.uuid)).toMatchObject({
    users: 1,
    promisedBytes: GIB,
    usedBytes: 0,
    lifetimeUsedBytes: 0,
    endingThisWeek: 1,
    admins: ['new_hand'],
    tokens: 1,
    squads: [{ name: 'gold' }],
  })
  await expect(server.call(api.deleteReseller, { uuid: reseller.uuid })).rejects.toThrow('belong to this reseller')
  await expect(server.call(api.updateAdmin, { uuid: account.uuid, reseller: reseller.uuid })).rejects.toThrow(
    'Owners see every user',
  )
})

test('ADMIN-008 a reseller whose squad is deleted sees and makes nothing; an unknown squad makes no reseller', async () => {
  const { uuid } = await server.call(api.createInternalSquad, { name: 'short-lived', inbounds: [] })
  const { create, headers } = await resell({ squads: [uuid] })
  expect((await create('before_it', { activeInternalSquads: [uuid] })).status).toBe(201)
  await server.call(api.deleteInternalSquad, { uuid })
  expect((await server.send('GET', '/api/users', undefined, headers)).body).toMatchObject({ response: { total: 0 } })
  expect((await create('after_it', { activeInternalSquads: [uuid] })).status).not.toBe(201)
  const none = await create('without_any', { activeInternalSquads: [] })
  expect([none.status, none.body]).toMatchObject([
    409,
    { message: expect.stringMatching(/^All of your internal squads were deleted/) },
  ])
  await expect(resell({ squads: [UNKNOWN] })).rejects.toThrow('does not exist any more')
  await expect(resell({ squads: [] })).rejects.toThrow('name at least one internal squad')
})

/** A session of a person of the reseller, beside its token. */
async function joined(reseller: { uuid: string }, username: string) {
  const { path } = await server.call(api.inviteAdmin, { note: username, role: 'administrator', reseller: reseller.uuid })
  const newcomer = { token: path.split('/').at(-1) ?? '', username, password: 'Correct4horse' }
  const { accessToken } = await server.call(api.acceptInvitation, newcomer)
  return { ...server.admin, authorization: `Bearer ${accessToken}` }
}
const responseOf = <Content>({ body }: { body: unknown }) => (body as { response: Content }).response // the wire's wrapping
type Entries = { entries: { id: number; action: string; name: string | null }[] }

test('ADMIN-008 a reseller reads the history of its own changes to its own users, and undoes them; others are as if they were not', async () => {
  const { reseller, create } = await resell({ maxUsers: 2 })
  const other = await resell({ squads: [squads.silver] })
  const rita = await joined(reseller, 'rita')
  const foreign = await makeUser(server, { username: 'foreign_one', activeInternalSquads: [squads.silver] })
  await server.call(api.updateUser, { uuid: foreign.uuid, description: 'by the owner' })
  await other.create('of_another', { activeInternalSquads: [squads.silver] })
  const { uuid } = responseOf<{ uuid: string }>(await create('lost_one'))
  const moved = responseOf<{ uuid: string }>(await create('moved_one')).uuid
  await server.send('PATCH', '/api/users', { uuid: moved, description: 'mine' }, rita)
  await server.send('PATCH', '/api/users', { uuid, description: 'mine' }, rita)
  await server.send('DELETE', `/api/users/${uuid}`, undefined, rita)
  await server.call(api.updateUser, { uuid: moved, activeInternalSquads: [squads.silver] })
  const history = async (query = '') =>
    responseOf<Entries>(await server.send('GET', `/api/x/history${query}`, undefined, rita)).entries
  expect((await history()).map(({ action, name }) => `${action} ${name}`)).toEqual([
    'deleteUser lost_one',
    'updateUser lost_one',
    'createUser lost_one',
  ])
  for (const target of [foreign.uuid, moved]) expect(await history(`?target=${target}`)).toEqual([])
  const actors = responseOf<{ name: string }[]>(await server.send('GET', '/api/x/history/actors', undefined, rita))
  expect(actors.map(({ name }) => name).toSorted()).toEqual(['rita', 'shop'])
  // Each entry that is not theirs is gone, as one that never was.
  const seen = new Set((await history()).map(({ id }) => id))
  const all = await server.ctx.db.selectFrom('auditLog').select('id').execute()
  for (const { id } of [...all, { id: 10 ** 9 }]) {
    if (seen.has(id)) continue
    for (const [method, path, body] of [
      ['GET', `/api/x/history/${id}`, undefined],
      ['POST', `/api/x/history/${id}/plan`, {}],
      ['POST', `/api/x/history/${id}/undo`, {}],
    ] as const)
      expect([id, path, messageOf(await server.send(method, path, body, rita))]).toEqual([
        id,
        path,
        api.errors.historyEntryGone.message,
      ])
  }
  const [deletion] = await history()
  const undo = (id: number | undefined) => server.send('POST', `/api/x/history/${id}/undo`, {}, rita)
  expect((await undo(deletion?.id)).status).toBe(200)
  expect(await namesNow()).toEqual(expect.arrayContaining(['lost_one', 'foreign_one', 'of_another', 'moved_one']))
  expect(await history()).toHaveLength(4)
  // Where its squad is taken from the reseller meanwhile, a user does not come back.
  await server.send('DELETE', `/api/users/${uuid}`, undefined, rita)
  const [again] = await history()
  await server.call(api.updateReseller, { uuid: reseller.uuid, squads: [squads.silver] })
  expect((await undo(again?.id)).status).toBe(409)
  expect(await namesNow()).not.toContain('lost_one')
})

test('ADMIN-008 a bound holds for what an undo brings back', async () => {
  const { reseller, create } = await resell({ maxUsers: 1 })
  const rita = await joined(reseller, 'ruth')
  const { uuid } = responseOf<{ uuid: string }>(await create('old_one'))
  await server.send('DELETE', `/api/users/${uuid}`, undefined, rita)
  await create('new_one')
  const { entries } = responseOf<Entries>(await server.send('GET', '/api/x/history?action=deleteUser', undefined, rita))
  const undo = await server.send('POST', `/api/x/history/${entries[0]?.id}/undo`, {}, rita)
  expect([undo.status, messageOf(undo)]).toEqual([409, 'Your limit is 1 users, and you have 1: there is room for 0 more.'])
  expect(await namesNow()).toEqual(['new_one'])
})

test('ADMIN-010 people of a reseller make, see and end its own tokens, which see no more; others stay as they are', async () => {
  const { reseller, tokenUuid } = await resell()
  const other = await resell({ squads: [squads.silver] })
  const rita = await joined(reseller, 'rosa')
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => server.send(method, path, body, rita)
  const tokens = async () =>
    responseOf<{ tokens: { uuid: string }[] }>(await call('GET', '/api/x/tokens')).tokens.map(({ uuid }) => uuid)
  expect(await tokens()).toEqual([tokenUuid])
  const made = responseOf<{ uuid: string; token: string }>(await call('POST', '/api/x/tokens', { tokenName: 'bot' }))
  expect((await tokens()).toSorted()).toEqual([tokenUuid, made.uuid].toSorted())
  await makeUser(server, { username: 'foreign_two', activeInternalSquads: [squads.silver] })
  const bot = { authorization: `Bearer ${made.token}` }
  expect(responseOf<{ total: number }>(await server.send('GET', '/api/users', undefined, bot)).total).toBe(0)
  expect((await call('POST', '/api/x/tokens', { tokenName: 'bot', resellerUuid: other.reseller.uuid })).status).toBe(404)
  for (const foreign of [other.tokenUuid, UNKNOWN]) {
    expect((await call('GET', `/api/x/tokens/${foreign}`)).status).toBe(404)
    expect((await call('PATCH', '/api/x/tokens', { uuid: foreign, tokenName: 'mine' })).status).toBe(404)
    expect((await call('DELETE', `/api/tokens/${foreign}`)).status).toBe(404)
  }
  expect((await call('PATCH', '/api/x/tokens', { uuid: made.uuid, resellerUuid: other.reseller.uuid })).status).toBe(404)
  expect((await call('DELETE', `/api/tokens/${made.uuid}`)).status).toBe(200)
  expect((await server.send('GET', '/api/users', undefined, other.headers)).status).toBe(200)
})

test('ADMIN-008 ADMIN-009 a reseller imports users into its squads within its bounds; foreign users and squads are none', async () => {
  const foreign = await makeUser(server, { username: 'foreign_three', activeInternalSquads: [squads.silver] })
  const { create, headers } = await resell({ maxUsers: 3 })
  await create('known_one')
  const send = (action: string, lines: string[]) => {
    const csv = ['username,expireAt,activeInternalSquads,description', ...lines].join('\n')
    return server.send('POST', `/api/x/users/import${action}`, { csv }, headers)
  }
  const file = [
    'known_one,,,changed',
    'fresh_one,2030-01-01,gold,',
    'FOREIGN_three,2030-01-01,gold,',
    'other_one,2030-01-01,silver,',
    'bare_one,2030-01-01,,',
  ]
  const plan = responseOf<{ lines: { outcome: string; reasons: string[] }[] }>(await send('/plan', file))
  expect(plan.lines.map(({ outcome, reasons }) => [outcome, ...reasons])).toEqual([
    ['update'],
    ['create'],
    ['create'], // a plan would tell which names others have; the import leaves the line out
    ['refuse', 'there is no squad silver'],
    ['refuse', 'a new user needs one of your squads in activeInternalSquads'],
  ])
  expect(responseOf(await send('', file))).toEqual({ affectedRows: 2 })
  expect(await namesNow()).toEqual(['foreign_three', 'known_one', 'fresh_one'])
  expect((await server.call(api.getUser, { uuid: foreign.uuid })).description).toBe(foreign.description)
  const many = await send('', ['a_first,2030-01-01,gold,', 'a_second,2030-01-01,gold,'])
  expect([many.status, messageOf(many)]).toEqual([409, 'Your limit is 3 users, and you have 2: there is room for 1 more.'])
  expect(await namesNow()).toHaveLength(3)
})
