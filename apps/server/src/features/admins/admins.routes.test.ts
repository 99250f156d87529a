import * as api from '@causeway/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'

const PASSWORD = 'Another4horse'
let server: TestServer
beforeEach(async () => {
  server = await testServer()
})
afterEach(() => server.close())

type Headers = Record<string, string>
const tokenOf = (path: string) => path.split('/').at(-1) ?? ''
const acceptAs = (path: string, username: string) =>
  server.send('POST', `/api/x/auth/invitations/${tokenOf(path)}`, { username, password: PASSWORD }, {})

/** Invites a colleague and accepts the invitation. Returns the headers of the new session. */
async function join(username: string, role: string): Promise<Headers & { authorization: string }> {
  const { path } = await server.call(api.inviteAdmin, { note: username, role } as never) // a role of the tests' own
  const reply = await acceptAs(path, username)
  expect(reply.status).toBe(201)
  const { accessToken } = (reply.body as { response: { accessToken: string } }).response
  return { 'x-remnawave-client-type': 'browser', authorization: `Bearer ${accessToken}` }
}

const adminNamed = async (name: string) => {
  const { admins } = await server.call(api.listAdmins, {})
  return admins.find(({ username }) => username === name)
}
const statusOf = async (headers: Headers, path = '/api/hosts') => (await server.send('GET', path, undefined, headers)).status

describe('invitations', () => {
  test('ADMIN-001 ADMIN-002 a colleague is invited by a link, sets a password of their own and is listed', async () => {
    const { path } = await server.call(api.inviteAdmin, { note: 'Bo of support', role: 'support' })
    const { invitations } = await server.call(api.listAdmins, {})
    expect(invitations).toMatchObject([{ note: 'Bo of support', role: { ref: 'support' }, invitedBy: 'admin' }])
    expect(await server.call(api.getInvitation, { token: tokenOf(path) })).toMatchObject({ role: { ref: 'support' } })
    // The link is kept as a hash.
    const rows = JSON.stringify([
      await server.ctx.db.selectFrom('invitations').selectAll().execute(),
      await server.ctx.db.selectFrom('auditLog').selectAll().execute(),
    ])
    expect(rows).not.toContain(tokenOf(path))
    expect((await acceptAs(path, 'bob')).status).toBe(201)
    expect(await server.call(api.listAdmins, {})).toMatchObject({
      admins: [
        { username: 'admin', role: { ref: 'owner' } },
        { username: 'bob', role: { ref: 'support' }, sessions: 1, hasAuthenticator: false, passkeys: 0 },
      ],
      invitations: [],
    })
    const login = await server.send('POST', '/api/auth/login', { username: 'bob', password: PASSWORD }, {})
    expect(login.status).toBe(200)
  })

  test('ADMIN-002 an invitation that was used, recalled, is old or unknown says so', async () => {
    const [used, recalled, old] = [
      await server.call(api.inviteAdmin, { note: 'used', role: 'viewer' }),
      await server.call(api.inviteAdmin, { note: 'recalled', role: 'viewer' }),
      await server.call(api.inviteAdmin, { note: 'old', role: 'viewer' }),
    ]
    await acceptAs(used.path, 'bob')
    await server.call(api.recallInvitation, { uuid: recalled.uuid })
    expect(await acceptAs(used.path, 'cyd')).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('used already') },
    })
    expect(await acceptAs(recalled.path, 'cyd')).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('recalled') },
    })
    expect(await acceptAs('/auth/invitation/made-up', 'cyd')).toMatchObject({ status: 404 })
    server.clock.now = new Date(Date.now() + 24 * 3_600_000 + 1000)
    expect(await acceptAs(old.path, 'cyd')).toMatchObject({ status: 409, body: { message: expect.stringContaining('24 hours') } })
    expect(await server.ctx.db.selectFrom('admins').select('username').execute()).toHaveLength(2)
  })

  test('ADMIN-002 of two who accept one link at once one comes in, and a taken name is said', async () => {
    const { path } = await server.call(api.inviteAdmin, { note: 'twice', role: 'viewer' })
    const replies = await Promise.all([acceptAs(path, 'bob'), acceptAs(path, 'cyd')])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    const next = await server.call(api.inviteAdmin, { note: 'taken', role: 'viewer' })
    expect(await acceptAs(next.path, 'admin')).toMatchObject({ status: 409, body: { message: expect.stringContaining('name') } })
    expect((await acceptAs(next.path, 'dia')).status).toBe(201)
  })
})

describe('owners', () => {
  test('ADMIN-003 the last owner can be neither removed nor lowered, also by two at once', async () => {
    const me = await adminNamed('admin')
    const uuid = me?.uuid ?? ''
    expect((await server.send('PATCH', `/api/x/admins/${uuid}`, { role: 'viewer' })).status).toBe(409)
    expect((await server.send('POST', `/api/x/admins/${uuid}/actions/remove`, { tokens: 'keep' })).status).toBe(409)
    const second = await join('bob', 'owner')
    const other = (await adminNamed('bob'))?.uuid ?? ''
    const lower = (whom: string, by: Headers) => server.send('PATCH', `/api/x/admins/${whom}`, { role: 'viewer' }, by)
    const replies = await Promise.all([lower(other, server.admin), lower(uuid, second)])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const { admins } = { admins: await server.ctx.db.selectFrom('admins').select('builtInRole').execute() }
    expect(admins.filter(({ builtInRole }) => builtInRole === 'owner')).toHaveLength(1)
  })

  test('ADMIN-004 who is removed is out at the next request, and their tokens go or stay', async () => {
    const [bo, cy] = [await join('bob', 'owner'), await join('cyd', 'owner')]
    for (const [headers, tokenName] of [
      [bo, 'of bo'],
      [cy, 'of cy'],
    ] as const)
      expect((await server.send('POST', '/api/tokens', { tokenName }, headers)).status).toBe(201)
    await server.call(api.createApiToken, { tokenName: 'mine' })
    const [first, second] = [await adminNamed('bob'), await adminNamed('cyd')]
    expect(first).toMatchObject({ tokens: 1, sessions: 1 })
    const remove = (uuid: string | undefined, tokens: 'keep' | 'delete') =>
      server.call(api.removeAdmin, { uuid: uuid ?? '', tokens })
    expect(await remove(first?.uuid, 'delete')).toEqual({ endedSessions: 1, deletedTokens: 1 })
    expect(await statusOf(bo)).toBe(403)
    expect(await statusOf(cy)).toBe(200)
    expect(await remove(second?.uuid, 'keep')).toEqual({ endedSessions: 1, deletedTokens: 0 })
    expect(await statusOf(cy)).toBe(403)
    const left = await server.ctx.db.selectFrom('apiTokens').select('tokenName').orderBy('tokenName').execute()
    expect(left.map(({ tokenName }) => tokenName)).toEqual(['mine', 'of cy'])
    expect(await statusOf(server.admin)).toBe(200)
  })

  test('ADMIN-004 who is lowered may at the next request do what the new role says', async () => {
    const bo = await join('bob', 'administrator')
    const uuid = (await adminNamed('bob'))?.uuid ?? ''
    expect(await statusOf(bo, '/api/tokens')).toBe(200)
    await server.call(api.updateAdmin, { uuid, role: 'viewer' })
    expect(await statusOf(bo, '/api/tokens')).toBe(403)
    expect(await statusOf(bo)).toBe(200)
  })
})

describe('roles', () => {
  test('ADMIN-006 an own role opens what it names; a change counts for its holders at once', async () => {
    const role = await server.call(api.createRole, { name: 'Night shift', permissions: ['hosts.read'] })
    const bo = await join('bob', role.ref)
    expect([await statusOf(bo), await statusOf(bo, '/api/nodes')]).toEqual([200, 403])
    await server.call(api.updateRole, { uuid: role.ref, permissions: ['nodes.read'] })
    expect([await statusOf(bo), await statusOf(bo, '/api/nodes')]).toEqual([403, 200])
    expect((await server.send('DELETE', `/api/x/roles/${role.ref}`)).status).toBe(409)
    expect((await server.send('POST', '/api/x/roles', { name: 'Night shift', permissions: [] })).status).toBe(409)
    await server.call(api.updateAdmin, { uuid: (await adminNamed('bob'))?.uuid ?? '', role: 'viewer' })
    expect(await server.call(api.deleteRole, { uuid: role.ref })).toEqual({ isDeleted: true })
  })

  test('ADMIN-006 no role gives more than its giver has, nor takes the permission that one is using', async () => {
    const { ref } = await server.call(api.createRole, {
      name: 'Personnel',
      permissions: ['admins.read', 'admins.write', 'hosts.read'],
    })
    const bo = await join('bob', ref)
    const as = (method: 'POST' | 'PATCH', path: string, body: unknown) => server.send(method, path, body, bo)
    expect((await as('POST', '/api/x/roles', { name: 'More', permissions: ['users.write'] })).status).toBe(409)
    expect((await as('POST', '/api/x/admins/invitations', { note: 'x', role: 'owner' })).status).toBe(409)
    expect((await as('POST', '/api/x/roles', { name: 'Less', permissions: ['hosts.read'] })).status).toBe(201)
    expect((await as('PATCH', `/api/x/roles/${ref}`, { permissions: ['hosts.read'] })).status).toBe(409)
    const owner = (await adminNamed('admin'))?.uuid ?? ''
    expect((await as('PATCH', `/api/x/admins/${owner}`, { role: 'viewer' })).status).toBe(409)
    expect((await as('POST', `/api/x/admins/${owner}/actions/remove`, { tokens: 'delete' })).status).toBe(409)
  })
})

test('ADMIN-005 who may not delete users does not delete many either, whatever the endpoint', async () => {
  const sam = await join('sam', 'support')
  const change = { uuids: ['00000000-0000-4000-8000-00000000dead'], expected: 0, change: { kind: 'delete' } }
  const reply = await server.send('POST', '/api/x/users/change', change, sam)
  expect(reply.status).toBe(403)
  expect(reply.headers[api.MISSING_HEADER]).toBe('users.delete')
})

test('ADMIN-006 a role that makes tokens holds whatever a token may', async () => {
  const make = (permissions: readonly string[]) => server.send('POST', '/api/x/roles', { name: 'Tokens', permissions })
  expect(await make(['tokens.read'])).toMatchObject({ status: 409, body: { message: expect.stringContaining('tokens') } })
  expect((await make([...api.tokenPermissions, 'tokens.read'])).status).toBe(201)
})

describe('every endpoint and role', () => {
  const endpoints = Object.values<unknown>(api)
    .filter(api.isEndpoint)
    .filter(({ access }) => access !== 'public')

  test('ADMIN-005 the six shipped roles hold what is written here', () => {
    const held = (name: api.BuiltInRole) => [...api.permissionsOfRole(name)]
    expect(held('owner').toSorted()).toEqual([...api.permissions].toSorted())
    expect(api.permissions.filter((each) => !api.permissionsOfRole('administrator').has(each))).toEqual([
      'backups.download',
      'moveIn.write',
      'admins.write',
    ])
    for (const role of ['operator', 'support', 'billing', 'viewer'] as const)
      for (const none of [
        'tokens.read',
        'tokens.write',
        'admins.read',
        'admins.write',
        'backups.download',
        'users.delete',
      ] as const)
        expect([role, none, api.permissionsOfRole(role).has(none)]).toEqual([role, none, false])
    expect(api.permissionsOfRole('support').has('profiles.read')).toBe(false)
    for (const role of api.builtInRoles) expect([role, api.lackingBesideTokens(api.permissionsOfRole(role))]).toEqual([role, []])
    expect(held('viewer').filter((each) => !each.endsWith('.read') && !api.basicPermissions.includes(each))).toEqual([])
  })

  test('ADMIN-005 the server admits each role to exactly the endpoints of the table', async () => {
    for (const role of api.builtInRoles) {
      const headers = role === 'owner' ? server.admin : await join(role, role)
      const rights = api.permissionsOfRole(role)
      const wrong: string[] = []
      for (const endpoint of endpoints.filter(({ name }) => !['logout', 'endOtherSessions', 'followEvents'].includes(name))) {
        const isOpen = api.neededPermissions(endpoint).every((each) => rights.has(each))
        if (isOpen) continue
        const path = endpoint.path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-00000000dead')
        const reply = await server.send(endpoint.method, path, endpoint.method === 'GET' ? undefined : {}, headers)
        if (reply.status !== 403 || reply.headers[api.MISSING_HEADER] === undefined)
          wrong.push(`${endpoint.name} ${reply.status}`)
      }
      expect([role, wrong]).toEqual([role, []])
      // The session goes on.
      expect(await statusOf(headers, '/api/x/account')).toBe(200)
    }
  })
})

describe('a dangerous action', () => {
  const later = () => void (server.clock.now = new Date(Date.now() + 11 * 60_000))

  test('SIGN-008 asks again when the last proof is older than ten minutes; other actions and tokens are not asked', async () => {
    const { token } = await server.call(api.createApiToken, { tokenName: 'bot' })
    later()
    const make = () => server.send('POST', '/api/tokens', { tokenName: 'second' })
    expect(await make()).toMatchObject({ status: 428, body: { message: expect.stringContaining('ten minutes') } })
    expect(await statusOf(server.admin, '/api/tokens')).toBe(200)
    expect(await statusOf({ authorization: `Bearer ${token}` })).toBe(200)
    expect((await server.send('POST', '/api/x/account/proof', { password: 'Wrong4horses' })).status).toBe(400)
    expect((await make()).status).toBe(428)
    await server.call(api.proveIdentity, { password: 'Correct4horse' })
    expect((await make()).status).toBe(201)
  })

  test('SIGN-008 texts of tokens are withheld from a session whose last proof is old, and come again after another', async () => {
    const { token } = await server.call(api.createApiToken, { tokenName: 'bot' })
    const shown = async () => {
      const { apiKeys, isTextWithheld } = await server.call(api.listApiTokens, {})
      return [apiKeys.map((each) => each.token), isTextWithheld]
    }
    expect(await shown()).toEqual([[token], undefined])
    later()
    expect(await shown()).toEqual([[''], true])
    await server.call(api.proveIdentity, { password: 'Correct4horse' })
    expect(await shown()).toEqual([[token], undefined])
  })

  test('SIGN-008 a program that signed in by the frozen wire is not asked', async () => {
    const login = { username: 'admin', password: 'Correct4horse' }
    const { body } = await server.send('POST', '/api/auth/login', login)
    const { response } = body as { response: { accessToken: string } } // the contract's reply of login
    later()
    const headers = { ...server.admin, authorization: `Bearer ${response.accessToken}` }
    expect((await server.send('POST', '/api/tokens', { tokenName: 'by program' }, headers)).status).toBe(201)
  })

  test('SIGN-008 every one of the table is an endpoint, and asks', async () => {
    const dangerous = Object.values<unknown>(api).filter(api.isEndpoint).filter(api.isDangerous)
    expect(dangerous.length).toBeGreaterThan(15)
    later()
    for (const { method, path } of dangerous) {
      const url = path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-00000000dead')
      expect((await server.send(method, url, method === 'GET' ? undefined : {})).status).toBe(428)
    }
  })
})

describe('networks that may sign in', () => {
  test('SIGN-012 admit their addresses only; a list that would lock its writer out is refused', async () => {
    const set = (signInNetworks: string[]) => server.send('PATCH', '/api/x/installation', { signInNetworks })
    expect(await set(['203.0.113.0/24'])).toMatchObject({ status: 400, body: { errors: [{ path: ['signInNetworks'] }] } })
    expect(await set(['nonsense'])).toMatchObject({ status: 400, body: { errors: [{ path: ['signInNetworks'] }] } })
    expect((await set(['127.0.0.0/8', '2001:db8::/32'])).status).toBe(200)
    const login = (remoteAddress: string) =>
      server.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        remoteAddress,
        payload: { username: 'admin', password: 'Correct4horse' },
      })
    expect((await login('127.0.0.1')).statusCode).toBe(200)
    expect((await login('203.0.113.7')).statusCode).toBe(403)
    const { path } = await server.call(api.inviteAdmin, { note: 'abroad', role: 'viewer' })
    const payload = { username: 'abroad', password: 'Correct4horse' }
    const url = `/api/x/auth/invitations/${path.split('/').at(-1)}`
    const accepted = await server.app.inject({ method: 'POST', url, remoteAddress: '203.0.113.7', payload })
    expect(accepted.statusCode).toBe(403)
    expect((await set([])).status).toBe(200)
    expect((await login('203.0.113.7')).statusCode).toBe(200)
  })
})

test('SIGN-010 a sign-in from a new network or program is marked in its event, one from a known place is not', async () => {
  await server.call(api.createWebhook, { name: 'hook', url: 'https://receiver.example/' })
  const login = (remoteAddress: string, agent: string) =>
    server.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress,
      headers: { 'user-agent': agent },
      payload: { username: 'admin', password: 'Correct4horse' },
    })
  await login('127.0.0.1', 'lightMyRequest')
  await login('127.0.0.1', 'Firefox/145.0')
  await login('127.0.0.1', 'Firefox/146.0')
  await login('203.0.113.7', 'Firefox/146.0')
  const events = await server.ctx.db
    .selectFrom('outbox')
    .selectAll()
    .where('event', '=', 'service.login_attempt_success')
    .orderBy('id')
    .execute()
  expect(events.map((event) => JSON.stringify(event).includes('isNewPlace'))).toEqual([false, true, false, true])
})
