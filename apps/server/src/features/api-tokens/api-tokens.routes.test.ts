import { randomUUID } from 'node:crypto'
import * as api from '@causeway/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { everyone } from '../../lib/scope.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { buildApp } from '../../app.ts'
import { recordTokenUses } from './uses.actions.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('API tokens', () => {
  test('TOKEN-010 creating one gives its text with 201, and it opens the API without the header of browsers', async () => {
    const reply = await server.send('POST', '/api/tokens', { tokenName: 'shop bot' })
    expect(reply).toMatchObject({
      status: 201,
      body: { response: { token: expect.stringMatching(/^ey/), uuid: expect.any(String) } },
    })
    const { response } = reply.body as { response: { token: string; uuid: string } } // the contract's reply of createApiToken
    expect((await server.send('GET', '/api/hosts', undefined, bearer(response.token))).status).toBe(200)
    const claims = JSON.parse(Buffer.from(response.token.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toEqual({
      uuid: response.uuid,
      username: null,
      role: 'API',
      iat: claims.iat,
      exp: claims.iat + 99_999 * 86_400,
    })
  })

  test('TOKEN-007, TOKEN-008 the list shows the same texts again, although none is stored', async () => {
    const created = await server.call(api.createApiToken, { tokenName: 'again' })
    const other = await server.call(api.createApiToken, { tokenName: 'another' })
    expect(other.token).not.toBe(created.token)
    const list = await server.call(api.listApiTokens, {})
    expect(list.docs).toEqual({ isDocsEnabled: false, enabled: false, scalarPath: '/scalar', swaggerPath: '/docs' })
    expect(list.apiKeys.find(({ uuid }) => uuid === created.uuid)).toMatchObject({ token: created.token, tokenName: 'again' })
    expect(list.apiKeys.find(({ uuid }) => uuid === other.uuid)).toMatchObject({ token: other.token, tokenName: 'another' })
    const rows = await server.ctx.db.selectFrom('apiTokens').selectAll().execute()
    const audit = await server.ctx.db.selectFrom('auditLog').selectAll().execute()
    expect(JSON.stringify([rows, audit])).not.toContain(created.token.split('.')[2])
  })

  test('names are free: empty, repeated', async () => {
    const first = await server.call(api.createApiToken, { tokenName: '' })
    const second = await server.call(api.createApiToken, { tokenName: '' })
    expect(second.uuid).not.toBe(first.uuid)
  })

  test('TOKEN-011 a deleted one is refused at once, in every server process', async () => {
    const other = await buildApp(server.ctx)
    const { uuid, token } = await server.call(api.createApiToken, { tokenName: 'gone' })
    const bystander = await server.call(api.createApiToken, { tokenName: 'bystander' })
    const ask = () => other.inject({ url: '/api/hosts', headers: bearer(token) })
    expect((await ask()).statusCode).toBe(200)
    expect(await server.send('DELETE', `/api/tokens/${uuid}`)).toMatchObject({ status: 200, body: { response: true } })
    const refused = await ask()
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toEqual({ message: 'Forbidden resource', error: 'Forbidden', statusCode: 403 })
    expect((await other.inject({ url: '/api/hosts', headers: bearer(bystander.token) })).statusCode).toBe(200)
    await other.close()
    expect(await server.send('DELETE', `/api/tokens/${uuid}`)).toMatchObject({ status: 404, body: { errorCode: 'A007' } })
    expect(await server.send('DELETE', `/api/tokens/${randomUUID()}`)).toMatchObject({ status: 404 })
    expect(await server.send('DELETE', '/api/tokens/5')).toMatchObject({ status: 400, body: { message: 'Validation failed' } })
  })

  test('only an administrator manages them: a token gets E000', async () => {
    const { token, uuid } = await server.call(api.createApiToken, { tokenName: 'bot' })
    const refused = { status: 403, body: { message: 'Forbidden', errorCode: 'E000' } }
    expect(await server.send('GET', '/api/tokens', undefined, bearer(token))).toMatchObject(refused)
    expect(await server.send('POST', '/api/tokens', { tokenName: 'x' }, bearer(token))).toMatchObject(refused)
    expect(await server.send('DELETE', `/api/tokens/${uuid}`, undefined, bearer(token))).toMatchObject(refused)
    const browser = { ...bearer(token), 'x-remnawave-client-type': 'browser' }
    expect(await server.send('GET', '/api/tokens', undefined, browser)).toMatchObject(refused)
  })

  test('creating and deleting are audited', async () => {
    const { uuid } = await server.call(api.createApiToken, { tokenName: 'seen' })
    await server.call(api.deleteApiToken, { uuid })
    const rows = await server.ctx.db.selectFrom('auditLog').selectAll().where('target', '=', uuid).orderBy('id').execute()
    expect(rows).toMatchObject([
      { action: 'createApiToken', actorKind: 'admin', actorName: 'admin', after: { apiTokens: [{ tokenName: 'seen' }] } },
      { action: 'deleteApiToken', before: { apiTokens: [{ tokenName: 'seen' }] } },
    ])
  })
})

describe('tokens with limits', () => {
  const use = (token: string, method: 'GET' | 'POST' = 'GET', url = '/api/hosts') =>
    server.send(method, url, method === 'GET' ? undefined : {}, bearer(token))

  test('one that ends opens nothing from that moment on and says since when; more time opens it again, with the same text', async () => {
    const at = (text: string) => (server.clock.now = new Date(text))
    const { admin } = server
    at('2030-01-01T00:00:00Z')
    const session = await server.send('POST', '/api/auth/login', { username: 'admin', password: 'Correct4horse' }, {})
    const { response } = session.body as { response: { accessToken: string } } // the contract's reply of login
    const before = admin['authorization'] ?? ''
    admin['authorization'] = `Bearer ${response.accessToken}`
    const { uuid, token } = await server.call(api.createLimitedApiToken, {
      tokenName: 'guest',
      expiresAt: '2030-01-01T01:00:00+00:00',
    })
    at('2030-01-01T00:59:59.999Z')
    expect(await use(token)).toMatchObject({ status: 200 })
    at('2030-01-01T01:00:00Z')
    expect(await use(token)).toMatchObject({
      status: 401,
      body: {
        statusCode: 401,
        message: 'This API token ended at 2030-01-01T01:00:00.000Z. Create another one, or give this one more time.',
      },
    })
    await server.call(api.updateApiToken, { uuid, expiresAt: null })
    expect(await use(token)).toMatchObject({ status: 200 })
    server.clock.now = undefined
    admin['authorization'] = before
  })

  test('one with some permissions is refused what it lacks with 403 and the name of it; all of them is the rule', async () => {
    const { uuid, token } = await server.call(api.createLimitedApiToken, {
      tokenName: 'reader',
      permissions: ['hosts.read', 'users.read'],
    })
    expect(await use(token)).toMatchObject({ status: 200 })
    expect(await use(token, 'POST')).toMatchObject({
      status: 403,
      body: {
        errorCode: 'E000',
        message: 'This API token lacks the permission hosts.write. It can be given on the page of API tokens.',
      },
    })
    // What no token may do says nothing more than before.
    expect(await use(token, 'GET', '/api/x/tokens')).toMatchObject({ status: 403, body: { message: 'Forbidden' } })
    await server.call(api.updateApiToken, { uuid, permissions: ['hosts.write'] })
    expect(await use(token)).toMatchObject({ status: 403 })
    expect(await use(token, 'POST')).toMatchObject({ status: 400 })
    await server.call(api.updateApiToken, { uuid, permissions: [] })
    expect(await use(token, 'POST')).toMatchObject({ status: 403 })
    await server.call(api.updateApiToken, { uuid, permissions: null })
    expect(await use(token)).toMatchObject({ status: 200 })
  })

  test('absent keeps, null clears and a value sets; the text never changes', async () => {
    const made = await server.call(api.createLimitedApiToken, { tokenName: 'a', permissions: ['hosts.read'] })
    const named = await server.call(api.updateApiToken, { uuid: made.uuid, tokenName: 'b', expiresAt: '2090-01-01T00:00:00Z' })
    expect(named).toMatchObject({ tokenName: 'b', permissions: ['hosts.read'], expiresAt: '2090-01-01T00:00:00.000Z' })
    const cleared = await server.call(api.updateApiToken, { uuid: made.uuid, expiresAt: null })
    expect(cleared).toMatchObject({ tokenName: 'b', permissions: ['hosts.read'], expiresAt: null })
    const { apiKeys } = await server.call(api.listApiTokens, {})
    expect(apiKeys.find(({ uuid }) => uuid === made.uuid)?.token).toBe(made.token)
  })

  test('one that is shown once has its text in the answer to its making only', async () => {
    const made = await server.call(api.createLimitedApiToken, { tokenName: 'once', isShownOnce: true })
    expect(await use(made.token)).toMatchObject({ status: 200 })
    const { apiKeys } = await server.call(api.listApiTokens, {})
    expect(apiKeys.find(({ uuid }) => uuid === made.uuid)).toMatchObject({ tokenName: 'once', token: '' })
    const { tokens } = await server.call(api.listApiTokenDetails, {})
    expect(tokens.find(({ uuid }) => uuid === made.uuid)).toMatchObject({ isShownOnce: true, permissions: null })
  })

  test('an end in the past, permissions that no token may have and tokens that are none are refused in words', async () => {
    const limited = (body: object) => server.send('POST', '/api/x/tokens', { tokenName: 'bad', ...body })
    const wrong = (path: unknown[], message: string) => ({ status: 400, body: { errors: [{ path, message }] } })
    expect(await limited({ expiresAt: '2000-01-01T00:00:00Z' })).toMatchObject(wrong(['expiresAt'], 'must lie in the future'))
    expect(await limited({ permissions: ['tokens.write'] })).toMatchObject(
      wrong(['permissions', 0], 'cannot be given to an API token'),
    )
    expect(await limited({ permissions: ['fly'] })).toMatchObject({ status: 400 })
    expect(await limited({ permissions: Array.from({ length: 1000 }, () => 'users.read') })).toMatchObject({ status: 400 })
    expect(await limited({ tokenName: 'a\u0000b' })).toMatchObject({ status: 400 })
    expect(await server.send('PATCH', '/api/x/tokens', { uuid: randomUUID(), tokenName: 'x' })).toMatchObject({
      status: 404,
      body: { errorCode: 'A007' },
    })
  })
})

describe('the last use of a token', () => {
  test('is known with its address and program soon after, and an administrator at the dashboard is none', async () => {
    const { uuid, token } = await server.call(api.createApiToken, { tokenName: 'used' })
    const find = async () => (await server.call(api.listApiTokenDetails, {})).tokens.find((each) => each.uuid === uuid)
    expect(await find()).toMatchObject({ lastUsedAt: null, lastUsedFrom: null, lastUserAgent: null })
    await server.send('GET', '/api/hosts', undefined, { ...bearer(token), 'user-agent': 'shop/1.0' })
    await expect.poll(find, { timeout: 10_000 }).toMatchObject({ lastUsedFrom: '127.0.0.1', lastUserAgent: 'shop/1.0' })
    expect(Date.parse((await find())?.lastUsedAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
  })

  test('is written once for a thousand requests, passes over tokens that are gone, and an outage loses nothing', async () => {
    const { uuid } = await server.call(api.createApiToken, { tokenName: 'busy' })
    const uses = recordTokenUses(server.ctx)
    const holder = {
      kind: 'apiToken',
      scope: everyone,
      uuid,
      name: 'busy',
      address: null,
      userAgent: null,
      origin: null,
      endsAt: null,
    } as const
    const permissions = api.tokenPermissions
    const writes = vi.spyOn(server.ctx.db, 'getExecutor')
    for (let times = 1; times <= 1000; times++) uses.noted({ ...holder, permissions, address: `192.0.2.${times % 250}` })
    uses.noted({ ...holder, permissions, uuid: randomUUID() })
    expect(writes).not.toHaveBeenCalled()
    writes.mockImplementationOnce(() => {
      throw new Error('the database is away')
    })
    await uses.flush()
    uses.noted({ ...holder, permissions, address: '192.0.2.251' })
    await uses.close()
    expect(writes).toHaveBeenCalledTimes(2)
    writes.mockRestore()
    const rows = await server.ctx.db.selectFrom('apiTokenUses').selectAll().where('lastUsedFrom', 'like', '192.0.2.%').execute()
    expect(rows).toMatchObject([{ tokenUuid: uuid, lastUsedFrom: '192.0.2.251' }])
  })
})

test('a token sees of other things only what it may read by itself: no private keys of inbounds, no nodes by a search', async () => {
  const realitySettings = {
    privateKey: 'oMa6wRu5LXgJ3nmpVZyRLdvPEPdHtSN4Z5KC4NxhPHs',
    shortIds: [''],
    serverNames: ['a.example'],
    target: 'a.example:443',
  }
  const settings = { clients: [], decryption: 'none' }
  const streamSettings = { network: 'raw', security: 'reality', realitySettings }
  const profile = await server.call(api.createConfigProfile, {
    name: 'Withheld',
    config: {
      inbounds: [{ tag: 'WITHHELD', port: 443, protocol: 'vless', settings, streamSettings }],
      outbounds: [{ protocol: 'freedom', tag: 'DIRECT' }],
    },
  })
  const activeInbounds = profile.inbounds.map(({ uuid }) => uuid)
  const configProfile = { activeConfigProfileUuid: profile.uuid, activeInbounds }
  await server.call(api.createInternalSquad, { name: 'Withheld', inbounds: activeInbounds })
  await server.call(api.createNode, { name: 'Withheld', address: 'withheld.example', configProfile })
  const asked = async (url: string, permissions: api.Permission[]) => {
    const { token } = await server.call(api.createLimitedApiToken, { tokenName: url, permissions })
    const { status, body } = await server.send('GET', url, undefined, bearer(token))
    expect(status).toBe(200)
    return JSON.stringify(body)
  }
  for (const [url, permission] of [
    ['/api/nodes', 'nodes.read'],
    ['/api/internal-squads', 'squads.read'],
  ] as const) {
    expect(await asked(url, [permission])).toContain('WITHHELD')
    expect(await asked(url, [permission])).not.toContain(realitySettings.privateKey)
    expect(await asked(url, [permission, 'profiles.read'])).toContain(realitySettings.privateKey)
  }
  const search = '/api/x/search?text=withheld'
  expect(JSON.parse(await asked(search, ['users.read', 'nodes.read'])).response).toMatchObject({
    nodes: [{ address: 'withheld.example' }],
    internalSquads: [],
    configProfiles: [],
  })
  expect(await asked(search, ['users.read'])).not.toContain('withheld.example')
})
