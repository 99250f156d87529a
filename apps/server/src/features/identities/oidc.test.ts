import * as api from '@causeway/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { codeAt } from '../../../test/authenticator.ts'
import { startOidcProvider } from '../../../test/oidc-provider.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { personOf, type Admission } from './oidc.rules.ts'

const verified = { email_verified: true }
const PEOPLE: Record<string, Record<string, unknown>> = {
  ann: { email: 'Ann@example.com', ...verified, groups: ['staff', 'helpers'] },
  bob: { email: 'bob@example.com', email_verified: false, groups: ['helpers'] },
  eve: { email: 'eve@example.com', ...verified, groups: ['staff'] },
  olga: { email: 'olga@example.com', ...verified, groups: ['owners'] },
}
let provider: Awaited<ReturnType<typeof startOidcProvider>>
let server: TestServer
beforeAll(async () => {
  provider = await startOidcProvider(PEOPLE)
  server = await testServer({
    env: {
      PUBLIC_URL: 'https://panel.example.com',
      OAUTH2_GENERIC_ENABLED: 'true',
      OAUTH2_GENERIC_ISSUER: provider.issuer,
      OAUTH2_GENERIC_CLIENT_ID: 'panel',
      OAUTH2_GENERIC_CLIENT_SECRET: 'a secret of the panel',
      OAUTH2_GENERIC_ALLOWED_EMAILS: '["ann@example.com","bob@example.com","eve@example.com","olga@example.com"]',
      OAUTH2_GENERIC_ROLE_CLAIM: 'groups',
      OAUTH2_GENERIC_ROLES: '{"owners":"owner","helpers":"support"}',
    },
  })
})
afterAll(async () => {
  await server.close()
  await provider.close()
})
beforeEach(() => server.ctx.db.deleteFrom('signInAttempts').execute())

const dashboard = { [api.DASHBOARD_HEADER]: '1' }
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  server.send('POST', path, body, { ...dashboard, ...headers })

async function begin() {
  const { status, body, headers } = await post(api.oauth2Authorize.path, { provider: 'generic' })
  const { response } = body as { response: { authorizationUrl: string } } // the contract's reply of oauth2Authorize
  return { status, body, url: response?.authorizationUrl, cookie: String(headers['set-cookie']).split(';')[0] ?? '' }
}

/** The answer to the sign-in of a person; `change` is what happens to the address on the way to the provider. */
async function signIn(person: string, { change = (url: URL) => url, cookie = undefined as string | undefined } = {}) {
  const begun = await begin()
  const { code, state, iss } = await provider.visit(change(new URL(begun.url)).href, person)
  return post(api.oauth2Callback.path, { provider: 'generic', code, state, iss }, { cookie: cookie ?? begun.cookie })
}

/** Links the account of a person to that of a session. */
async function linkAs(session: Record<string, string>, person: string) {
  const { authorizationUrl } = await server.call(api.startIdentityLink, { provider: 'generic' })
  const { code, state, iss } = await provider.visit(authorizationUrl, person)
  const reply = await post(api.linkIdentity.path, { provider: 'generic', code, state, iss }, session)
  expect(reply.status).toBe(200)
}

const admins = async () => (await server.call(api.listAdmins, {})).admins.map(({ username, role }) => `${username} ${role.ref}`)
const refusal = (error: { status: number; message: string }) => ({ status: error.status, body: { message: error.message } })
const forbidden = { status: 403, body: { message: 'Forbidden' } }

test('SIGN-006 a person of the provider becomes the administrator that the claim says, with PKCE, state and nonce, and stays that one', async () => {
  const { url } = await begin()
  const asked = Object.fromEntries(new URL(url).searchParams)
  expect(asked).toMatchObject({
    response_type: 'code',
    client_id: 'panel',
    redirect_uri: 'https://panel.example.com/oauth2/callback/generic',
    code_challenge_method: 'S256',
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(await signIn('ann')).toMatchObject({ status: 200 })
  expect(await admins()).toEqual(['admin owner', 'ann@example.com support'])
  const again = await signIn('ann')
  const { response } = again.body as { response: { accessToken: string } } // the contract's reply of oauth2Callback
  const session = { 'x-remnawave-client-type': 'browser', ...dashboard, authorization: `Bearer ${response.accessToken}` }
  expect((await server.send('GET', api.getAccount.path, undefined, session)).body).toMatchObject({
    response: { username: 'ann@example.com' },
  })
  expect((await server.send('GET', api.listAdmins.path, undefined, session)).status).toBe(403)
  expect(await admins()).toHaveLength(2)
  // There is no password to guess.
  expect((await post(api.login.path, { username: 'ann@example.com', password: '' })).status).toBe(403)
})

test('SIGN-006 the role follows the claim, and the last owner stays one', async () => {
  await signIn('olga')
  PEOPLE['olga'] = { ...PEOPLE['olga'], groups: ['helpers'] }
  await signIn('olga')
  expect(await admins()).toEqual(['admin owner', 'ann@example.com support', 'olga@example.com support'])
  await server.ctx.db.updateTable('admins').set({ username: 'ann2' }).where('username', '=', 'ann@example.com').execute()
  // The link counts, whatever the name.
  await signIn('ann')
  expect(await admins()).toEqual(['admin owner', 'ann2 support', 'olga@example.com support'])
})

test('SIGN-006 keys that were rotated are read anew; a signature by none of the published keys is refused', async () => {
  await provider.rotateKeys()
  expect((await signIn('ann')).status).toBe(200)
  await provider.publishOtherKey(true)
  expect(await signIn('ann')).toMatchObject(refusal(api.errors.providerUnproven))
  await provider.publishOtherKey(false)
  expect((await signIn('ann')).status).toBe(200)
})

test('SIGN-006 another nonce, a code twice and a state of another browser are refused', async () => {
  const change = (url: URL) => {
    url.searchParams.set('nonce', 'another')
    return url
  }
  expect(await signIn('ann', { change })).toMatchObject(refusal(api.errors.providerUnproven))
  expect(await signIn('ann', { cookie: 'causeway_browser=another' })).toMatchObject(forbidden)
  const first = await begin()
  const answer = await provider.visit(first.url, 'ann')
  const send = (given: object) => post(api.oauth2Callback.path, { provider: 'generic', ...given }, { cookie: first.cookie })
  expect((await send(answer)).status).toBe(200)
  expect(await send(answer)).toMatchObject(forbidden)
  const second = await begin()
  const { state, iss } = await provider.visit(second.url, 'ann')
  const stolen = { provider: 'generic', code: answer['code'], state, iss }
  expect(await post(api.oauth2Callback.path, stolen, { cookie: second.cookie })).toMatchObject(
    refusal(api.errors.providerUnproven),
  )
})

test('SIGN-006 an address that the provider has not verified, a claim that admits not, and a provider that is down: a sentence each', async () => {
  const before = await admins()
  expect(await signIn('bob')).toMatchObject(refusal(api.errors.providerEmailUnverified))
  expect(await signIn('eve')).toMatchObject(forbidden)
  const { url, cookie } = await begin()
  const answer = await provider.visit(url, 'ann')
  provider.setDown(true)
  expect(await begin()).toMatchObject(refusal(api.errors.providerAway))
  const late = await post(api.oauth2Callback.path, { provider: 'generic', ...answer }, { cookie })
  expect(late).toMatchObject(refusal(api.errors.providerAway))
  provider.setDown(false)
  expect(await admins()).toEqual(before)
})

test('SIGN-006 the second factor of the administrator is asked for behind the provider', async () => {
  const { secret } = await server.call(api.startAuthenticator, {})
  const { recoveryCodes } = await server.call(api.confirmAuthenticator, { code: codeAt(secret, new Date()) })
  await server.ctx.db.updateTable('admins').set({ username: 'olga2' }).where('username', '=', 'olga@example.com').execute()
  await server.ctx.db.deleteFrom('adminIdentities').where('label', '=', 'olga@example.com').execute()
  // The address is the owner's name now. That links nothing, as claims choose roles here: the owner links the account.
  await server.ctx.db.updateTable('admins').set({ username: 'olga@example.com' }).where('username', '=', 'admin').execute()
  expect(await signIn('olga')).toMatchObject(refusal(api.errors.adminNameTaken))
  await linkAs(server.admin, 'olga')
  const reply = await signIn('olga')
  expect(reply).toMatchObject({ status: 428, body: { secondStep: { hasAuthenticator: true, hasRecoveryCodes: true } } })
  const { secondStep } = reply.body as { secondStep: { ticket: string } } // as just expected
  const code = recoveryCodes[0] ?? ''
  expect((await post(api.finishWithCode.path, { ticket: secondStep.ticket, code })).status).toBe(200)
  // The claim says another role, and the last owner stays one.
  expect(await admins()).toContain('olga@example.com owner')
  const entries = await server.ctx.db.selectFrom('auditLog').select('details').where('action', '=', 'login').execute()
  expect(entries.at(-1)).toMatchObject({ details: { method: 'generic and recovery' } })
})

test.each<[string, Partial<Admission>, Record<string, unknown>, unknown]>([
  [
    'a listed verified address',
    { allowedEmails: ['Ann@Example.com'] },
    { email: 'ann@example.com', ...verified },
    'ann@example.com',
  ],
  ['no address', { allowedEmails: ['ann@example.com'] }, {}, 'notAdmitted'],
  [
    'an address that is verified by text only',
    { allowedEmails: ['a@b.example'] },
    { email: 'a@b.example', email_verified: 'true' },
    'emailUnverified',
  ],
  ['one claim of two', { admit: { groups: ['panel'], tenant: ['t'] } }, { groups: ['panel'] }, 'notAdmitted'],
  ['both claims', { admit: { groups: ['panel'], tenant: ['t'] } }, { groups: ['x', 'panel'], tenant: 't', name: 'Ann' }, 'Ann'],
  ['no role', { roleClaim: 'role', roles: { a: 'owner' } }, { role: 'b' }, 'noRole'],
])('SIGN-006 claims admit: %s', (_, admission, claims, expected) => {
  const person = personOf({ sub: '1', ...claims }, { allowedEmails: [], admit: {}, roleClaim: null, roles: {}, ...admission })
  expect('problem' in person ? person.problem : person.label).toBe(expected)
})
