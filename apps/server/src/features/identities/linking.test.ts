import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOidcProvider } from '../../../test/oidc-provider.ts'
import { testServer, type TestServer } from '../../../test/server.ts'

const PEOPLE = {
  ann: { email: 'ann@example.com', email_verified: true },
  bob: { email: 'bob@example.com', email_verified: true },
  eve: { email: 'eve@example.com', email_verified: true },
}
let provider: Awaited<ReturnType<typeof startOidcProvider>>
let server: TestServer
let rex: Record<string, string>
beforeAll(async () => {
  provider = await startOidcProvider(PEOPLE)
  server = await testServer({
    env: {
      PUBLIC_URL: 'https://panel.example.com',
      OAUTH2_GENERIC_ENABLED: 'true',
      OAUTH2_GENERIC_ISSUER: provider.issuer,
      OAUTH2_GENERIC_CLIENT_ID: 'panel',
      OAUTH2_GENERIC_CLIENT_SECRET: 'a secret of the panel',
      OAUTH2_GENERIC_ALLOWED_EMAILS: '["ann@example.com","bob@example.com"]',
    },
  })
  const { path } = await server.call(api.inviteAdmin, { note: '', role: 'viewer' })
  const newcomer = { token: path.split('/').at(-1) ?? '', username: 'rex', password: 'Another4horse' }
  rex = { ...server.admin, authorization: `Bearer ${(await server.call(api.acceptInvitation, newcomer)).accessToken}` }
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

async function begin(session: Record<string, string>) {
  const reply = await server.send('POST', api.startIdentityLink.path, { provider: 'generic' }, session)
  expect(reply.status).toBe(200)
  return (reply.body as { response: { authorizationUrl: string } }).response.authorizationUrl // of startIdentityLink
}
async function link(session: Record<string, string>, person: string, finishing = session) {
  const { code, state, iss } = await provider.visit(await begin(session), person)
  return server.send('POST', api.linkIdentity.path, { provider: 'generic', code, state, iss }, finishing)
}
async function signIn(person: string) {
  const begun = await server.send('POST', api.oauth2Authorize.path, { provider: 'generic' })
  const { authorizationUrl } = (begun.body as { response: { authorizationUrl: string } }).response // of oauth2Authorize
  const { code, state, iss } = await provider.visit(authorizationUrl, person)
  const cookie = String(begun.headers['set-cookie']).split(';')[0] ?? ''
  return server.send('POST', api.oauth2Callback.path, { provider: 'generic', code, state, iss }, { cookie })
}
const linked = async (session: Record<string, string>) => {
  const { body } = await server.send('GET', api.listIdentities.path, undefined, session)
  return (body as { response: { identities: api.Identity[] } }).response.identities // of listIdentities
}
const message = (error: { message: string }) => ({ body: { message: error.message } })

test('SIGN-006 a person links an account of a provider, signs in by it, and unlinks it; a colleague’s stays', async () => {
  expect((await signIn('ann')).status).toBe(403)
  expect((await link(rex, 'bob')).status).toBe(200)
  const other = await server.call(api.login, { username: 'admin', password: 'Correct4horse' })
  const reply = await link(server.admin, 'ann')
  expect(reply).toMatchObject({
    status: 200,
    body: { response: { provider: 'generic', label: 'ann@example.com', endedSessions: 1 } },
  })
  const ended = { ...server.admin, authorization: `Bearer ${other.accessToken}` }
  expect((await server.send('GET', api.getAccount.path, undefined, ended)).status).toBe(401)
  const { accessToken } = ((await signIn('ann')).body as { response: { accessToken: string } }).response // of oauth2Callback
  const session = { ...server.admin, authorization: `Bearer ${accessToken}` }
  expect((await server.send('GET', api.getAccount.path, undefined, session)).body).toMatchObject({
    response: { username: 'admin' },
  })
  const [own] = await linked(server.admin)
  const unlink = (headers: Record<string, string>) =>
    server.send('DELETE', `${api.linkIdentity.path}/${own?.uuid}`, undefined, headers)
  expect(await unlink(rex)).toMatchObject({ status: 404, ...message(api.errors.identityNotFound) })
  expect(await unlink(server.admin)).toMatchObject({ status: 200, body: { response: { endedSessions: 1 } } })
  expect((await signIn('ann')).status).toBe(403)
  expect((await linked(rex)).map(({ label }) => label)).toEqual(['bob@example.com'])
})

test('SIGN-006 an account of a colleague, one that is not admitted and a state of another session link nothing', async () => {
  expect(await link(server.admin, 'bob')).toMatchObject({ status: 409, ...message(api.errors.identityElsewhere) })
  expect(await link(server.admin, 'eve')).toMatchObject({ status: 409, ...message(api.errors.identityRefused) })
  expect(await link(rex, 'ann', server.admin)).toMatchObject({ status: 409, ...message(api.errors.identityRefused) })
  // Neither does the state of a sign-in link, nor that of a link sign in.
  const { code, state, iss } = await provider.visit(await begin(server.admin), 'ann')
  const answer = { provider: 'generic', code, state, iss }
  expect((await server.send('POST', api.oauth2Callback.path, answer, { cookie: 'causeway_browser=x' })).status).toBe(403)
  expect(await server.send('POST', api.linkIdentity.path, answer)).toMatchObject(message(api.errors.identityRefused))
  expect(await linked(server.admin)).toEqual([])
})

test('SIGN-006 the only way in of an account stays linked', async () => {
  const { UNUSABLE_HASH } = await import('../auth/auth.actions.ts')
  await server.ctx.db.updateTable('admins').set({ passwordHash: UNUSABLE_HASH }).where('username', '=', 'rex').execute()
  const [own] = await linked(rex)
  const unlink = () => server.send('DELETE', `${api.linkIdentity.path}/${own?.uuid}`, undefined, rex)
  expect(await unlink()).toMatchObject({ status: 409, ...message(api.errors.lastWayIn) })
  expect(await linked(rex)).toHaveLength(1)
})

test('SIGN-008 linking and unlinking ask again when the last proof is old', async () => {
  server.clock.now = new Date(Date.now() + 11 * 60_000)
  const old = await server.send('POST', api.startIdentityLink.path, { provider: 'generic' })
  expect(old).toMatchObject({ status: 428, ...message(api.errors.proofNeeded) })
})
