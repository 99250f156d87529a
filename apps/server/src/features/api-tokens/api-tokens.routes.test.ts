import { randomUUID } from 'node:crypto'
import * as api from '@causeway/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { buildApp } from '../../app.ts'

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
    const list = await server.call(api.listApiTokens, {})
    expect(list.docs).toEqual({ isDocsEnabled: false, scalarPath: '/scalar', swaggerPath: '/docs' })
    expect(list.apiKeys.find(({ uuid }) => uuid === created.uuid)).toMatchObject({ token: created.token, tokenName: 'again' })
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
    const ask = () => other.inject({ url: '/api/hosts', headers: bearer(token) })
    expect((await ask()).statusCode).toBe(200)
    expect(await server.send('DELETE', `/api/tokens/${uuid}`)).toMatchObject({ status: 200, body: { response: true } })
    const refused = await ask()
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toEqual({ message: 'Forbidden resource', error: 'Forbidden', statusCode: 403 })
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
