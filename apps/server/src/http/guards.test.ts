import { randomUUID } from 'node:crypto'
import * as contract from '@causeway/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { everyone } from '../lib/scope.ts'
import { testServer, type TestServer } from '../../test/server.ts'
import { signingKey } from '../features/auth/sessions.actions.ts'
import { acceptJsonBodies } from './bodies.ts'
import { differences } from '../features/generations/generations.actions.ts'
import { mount } from './mount.ts'
import { answerError } from './replies.ts'
import { serializerCompiler } from './serializer.ts'

// Walks every route of the contract, so that one that is added later is tested without a line here.

const exported: unknown[] = Object.values(contract)
const declared = exported.filter(contract.isEndpoint)
const guarded = declared.flatMap((endpoint) =>
  endpoint.access === 'public' ? [] : [[endpoint.name, endpoint, endpoint.access] as const],
)
const forSessions = guarded.filter(([, , permission]) => !contract.tokenPermissions.has(permission))
const forTokens = guarded.filter(([, , permission]) => contract.tokenPermissions.has(permission))

let server: TestServer
const tokens: Record<'api' | 'deleted' | 'expired' | 'forged' | 'unsigned' | 'revoked' | 'unknownRole', string> = {
  api: '',
  deleted: '',
  expired: '',
  forged: '',
  unsigned: '',
  revoked: '',
  unknownRole: '',
}
beforeAll(async () => {
  server = await testServer()
  const key = await signingKey(server.ctx)
  tokens.api = (await server.call(contract.createApiToken, { tokenName: 'walker' })).token
  const gone = await server.call(contract.createApiToken, { tokenName: 'gone' })
  tokens.deleted = gone.token
  await server.call(contract.deleteApiToken, { uuid: gone.uuid })
  const [, body = ''] = (server.admin['authorization'] ?? '').split('.')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
  const sign = (payload: object, secret: Uint8Array, lifetime: string) =>
    new SignJWT({ ...payload }).setProtectedHeader({ alg: 'HS256' }).setIssuedAt().setExpirationTime(lifetime).sign(secret)
  const { sid, uuid, username, role } = claims
  tokens.expired = await sign({ sid, uuid, username, role }, key, '-1s')
  tokens.forged = await sign({ sid, uuid, username, role }, new TextEncoder().encode('another secret of some length'), '1h')
  tokens.unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`
  tokens.unknownRole = await sign({ sid, uuid, username, role: 'PAGE' }, key, '1h')
  const session = await server.send('POST', '/api/auth/login', { username: 'admin', password: 'Correct4horse' }, {})
  const { response } = session.body as { response: { accessToken: string } } // the contract's reply of login
  tokens.revoked = response.accessToken
  await server.send('POST', '/api/x/auth/logout', undefined, browser(tokens.revoked))
})
afterAll(() => server.close())

const browser = (token: string) => ({ authorization: `Bearer ${token}`, 'x-remnawave-client-type': 'browser' })

function ask({ method, path }: contract.Endpoint, headers: Record<string, string>) {
  return server.send(
    method,
    path.replaceAll(/:\w+/g, () => randomUUID()),
    method === 'GET' ? undefined : {},
    headers,
  )
}

const unauthorized = { status: 401, body: { message: 'Unauthorized', statusCode: 401 } }
const forbiddenResource = { status: 403, body: { message: 'Forbidden resource', error: 'Forbidden', statusCode: 403 } }

test('there are routes to walk', () => {
  expect(forTokens.length).toBeGreaterThan(20)
  expect(forSessions.map(([name]) => name).toSorted()).toEqual([
    'changePassword',
    'confirmAuthenticator',
    'countAddressNodes',
    'createApiToken',
    'createLimitedApiToken',
    'createNoticeRule',
    'createNoticeWay',
    'createReseller',
    'createRole',
    'createWebhook',
    'deleteApiToken',
    'deleteBackup',
    'deleteMoveInFile',
    'deleteNoticeRule',
    'deleteNoticeWay',
    'deletePasskey',
    'deleteReseller',
    'deleteRole',
    'deleteWebhook',
    'downloadBackup',
    'endOtherSessions',
    'endSession',
    'getAccount',
    'getApiTokenDetails',
    'getMoveIn',
    'getNoticeRule',
    'getNoticeWay',
    'getPasskeyRegistrationOptions',
    'getProofOptions',
    'getSecondFactor',
    'getWebhook',
    'getWebhookDelivery',
    'inviteAdmin',
    'linkIdentity',
    'listAdmins',
    'listApiTokenDetails',
    'listApiTokens',
    'listDomainEvents',
    'listIdentities',
    'listNoticeMessages',
    'listNoticeRules',
    'listNoticeWays',
    'listPasskeys',
    'listResellers',
    'listRoles',
    'listSessions',
    'listTokenScopes',
    'listWebhookDeliveries',
    'listWebhooks',
    'logout',
    'makeBackup',
    'makeRecoveryCodes',
    'markMoveIn',
    'proveIdentity',
    'recallInvitation',
    'removeAdmin',
    'removeAuthenticator',
    'renamePasskey',
    'resendFailedDeliveries',
    'resendNoticeMessage',
    'resendWebhookDelivery',
    'rotateWebhookSecret',
    'runMoveIn',
    'startAuthenticator',
    'startIdentityLink',
    'testNoticeWay',
    'testWebhook',
    'tryBackupTarget',
    'unlinkIdentity',
    'updateAdmin',
    'updateApiToken',
    'updateBackupSchedule',
    'updateBackupTargets',
    'updateNoticeRule',
    'updateNoticeWay',
    'updateReseller',
    'updateRole',
    'updateWebhook',
    'uploadMoveInFile',
    'verifyPasskeyRegistration',
  ])
})

test('a permission that no endpoint needs is none', () => {
  // Looked at by the route of a public page, which shows more to who holds it.
  const needed = new Set<contract.Access>([...declared.flatMap(contract.neededPermissions), 'subscriptions.reveal'])
  expect(contract.permissions.filter((permission) => !needed.has(permission))).toEqual([])
})

describe('every route that is not public refuses', () => {
  test.each(guarded)('%s: no token, a forged, unsigned, expired, revoked or deleted one', async (_, endpoint) => {
    expect(await ask(endpoint, {})).toMatchObject(unauthorized)
    expect(await ask(endpoint, { authorization: 'Basic YWRtaW46YWRtaW4=' })).toMatchObject(unauthorized)
    expect(await ask(endpoint, browser('nonsense'))).toMatchObject(unauthorized)
    expect(await ask(endpoint, browser(tokens.forged))).toMatchObject(unauthorized)
    expect(await ask(endpoint, browser(tokens.unsigned))).toMatchObject(unauthorized)
    expect(await ask(endpoint, browser(tokens.expired))).toMatchObject(unauthorized)
    expect(await ask(endpoint, browser(tokens.revoked))).toMatchObject(unauthorized)
    expect(await ask(endpoint, browser(tokens.deleted))).toMatchObject(forbiddenResource)
    expect(await ask(endpoint, browser(tokens.unknownRole))).toMatchObject(forbiddenResource)
  })
  test.each(guarded)('%s: a session without the header of browsers', async (_, endpoint) => {
    const { authorization = '' } = server.admin
    expect(await ask(endpoint, { authorization })).toMatchObject({ status: 403, body: { error: 'Forbidden', statusCode: 403 } })
  })
})

test.each(forSessions)('%s is for sessions: an API token gets E000', async (_, endpoint) => {
  expect(await ask(endpoint, { authorization: `Bearer ${tokens.api}` })).toMatchObject({
    status: 403,
    body: { errorCode: 'E000' },
  })
})

// The stream of events answers them for as long as they listen (events.routes.test.ts).
const answered = forTokens.filter(([name, { method }]) => method === 'GET' && name !== contract.followEvents.name)
test.each(answered)('%s lets API tokens in', async (_, endpoint) => {
  expect([401, 403]).not.toContain((await ask(endpoint, { authorization: `Bearer ${tokens.api}` })).status)
})

/** Whether an answer of this form withholds the configuration of inbounds somewhere. */
function isWithheld(reserved: contract.Reserved | undefined): boolean {
  if (reserved?.fields?.get('rawInbound')?.permission === 'profiles.read') return true
  return [reserved?.items, ...(reserved?.fields?.values() ?? [])].some((each) => each !== undefined && isWithheld(each))
}

test('what has private keys in it is kept from who may not read profiles, wherever it is answered', () => {
  const telling = forTokens.filter(([, { response }]) =>
    JSON.stringify(z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' })).includes('"rawInbound"'),
  )
  const open = telling.filter(
    ([, endpoint]) => !endpoint.access.startsWith('profiles.') && !isWithheld(contract.reservedOf(endpoint)),
  )
  expect(telling.length).toBeGreaterThan(10)
  expect(open.map(([name]) => name)).toEqual([])
})

describe('who lacks the one permission a route needs', () => {
  let app: FastifyInstance
  let held: Set<contract.Permission>
  beforeAll(async () => {
    app = Fastify()
    app.setSerializerCompiler(serializerCompiler as never) // as in app.ts
    app.setErrorHandler(answerError)
    acceptJsonBodies(app)
    const routes = declared.map((endpoint) => ({ endpoint, handle: async () => ({}) }))
    const caller = {
      kind: 'apiToken',
      scope: everyone,
      uuid: null,
      name: null,
      address: null,
      userAgent: null,
      origin: null,
    } as const
    const none = { find: async () => undefined, keep: async () => {}, isSubmittedBefore: () => false }
    mount(app, routes, {
      authenticate: async () => ({ ...caller, permissions: held, endsAt: null }),
      refusalOf: () => undefined,
      submissions: none,
      differences,
      findUuids: async () => new Map(),
      findNames: async () => new Set(),
    })
    await app.ready()
  })
  afterAll(() => app.close())

  const status = async ({ method, path }: contract.Endpoint) => {
    const url = path.replaceAll(/:\w+/g, () => randomUUID())
    const headers = { authorization: 'Bearer whatever' }
    const reply = await app.inject({ method, url, headers, ...(method === 'GET' ? {} : { payload: {} }) })
    return { status: reply.statusCode, body: reply.json<unknown>() }
  }

  test.each(guarded)('%s: is refused with all others, and let in with it alone', async (_, endpoint, permission) => {
    held = new Set(contract.permissions.filter((name) => name !== permission))
    const message = contract.tokenPermissions.has(permission)
      ? `This API token lacks the permission ${permission}. It can be given on the page of API tokens.`
      : 'Forbidden'
    expect(await status(endpoint)).toMatchObject({ status: 403, body: { message, errorCode: 'E000' } })
    held = new Set([permission])
    expect([401, 403, 404]).not.toContain((await status(endpoint)).status)
  })
})
