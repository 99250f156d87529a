import { createHash, createHmac } from 'node:crypto'
import type { TestServer } from '../../server.ts'
import { AT_DASHBOARD, type Writes } from '../declared.ts'
import { ADDED, DELETED, NOW, SOME_TEXT, added, every } from '../rows.ts'
import { NODES } from '../inhabitants.ts'

const LINKED = '00000000-0000-4000-8000-00000000114d'
const BOT_TOKEN = '123456:TEST-TOKEN'
const PROVIDER = {
  OAUTH2_GITHUB_ENABLED: 'true',
  OAUTH2_GITHUB_CLIENT_ID: 'id',
  OAUTH2_GITHUB_CLIENT_SECRET: 'secret',
  OAUTH2_GITHUB_ALLOWED_EMAILS: '["ann@example.com"]',
}
const digest = (text: string) => createHash('sha256').update(text).digest('base64url')
const session = (userAgent: string) => ({
  [userAgent]: added({ adminId: 'admin', address: '127.0.0.1', expiresAt: SOME_TEXT, provenAt: NOW }),
})

const TABLET = '00000000-0000-4000-8000-0000000000a1'

/** The account at a provider is the administrator's. */
async function link({ ctx: { db } }: TestServer, provider: string, subject: string) {
  const { id: adminId } = await db.selectFrom('admins').select('id').where('username', '=', 'admin').executeTakeFirstOrThrow()
  await db.insertInto('adminIdentities').values({ provider, subject, label: 'ann', adminId }).execute()
}

/** One more session of the administrator, and one that has ended, which stays as it is. */
async function openOthers({ ctx: { db } }: TestServer) {
  const { id: adminId } = await db.selectFrom('admins').select('id').where('username', '=', 'admin').executeTakeFirstOrThrow()
  const expiresAt = new Date('2099-01-01')
  await db
    .insertInto('sessions')
    .values([
      { uuid: TABLET, adminId, userAgent: 'tablet', expiresAt },
      { adminId, userAgent: 'ended', expiresAt, revokedAt: new Date('2026-01-01') },
    ])
    .execute()
}

/** What the world has open, and the one above. */
const OTHERS = ['phone', 'laptop', 'work', 'tablet']

/** What Telegram sends of an account that shows everything, signed. */
function telegramAnswer() {
  const account = { id: 42, first_name: 'Ann', last_name: 'Lee', username: 'ann', photo_url: 'https://t.me/i/userpic/ann.jpg' }
  const answer = { ...account, auth_date: Math.floor(Date.now() / 1000) }
  const lines = Object.entries(answer).map(([name, value]) => `${name}=${value}`)
  const key = createHash('sha256').update(BOT_TOKEN).digest()
  return { ...answer, hash: createHmac('sha256', key).update(lines.toSorted().join('\n')).digest('hex') }
}

export const authWrites = {
  register: () => ({
    before: ({ ctx: { db } }) => db.deleteFrom('admins').execute(),
    headers: AT_DASHBOARD,
    input: { username: 'first', password: 'Correct4horse' },
    changes: {
      admins: { first: added({ passwordHash: SOME_TEXT, role: 'ADMIN', builtInRole: 'owner' }) },
      sessions: { new: added({ adminId: 'first', address: '127.0.0.1', expiresAt: SOME_TEXT, provenAt: NOW }) },
      auditLog: { 'registerAdmin first': ADDED },
    },
  }),
  login: () => ({
    headers: AT_DASHBOARD,
    input: { username: 'admin', password: 'Correct4horse' },
    changes: {
      sessions: session('new'),
      auditLog: { 'login admin': added({ details: { method: 'password', session: 'new', isNewPlace: true } }) },
    },
  }),
  logout: () => ({
    input: {},
    changes: { sessions: { lightMyRequest: { revokedAt: NOW } }, auditLog: { 'logout lightMyRequest': ADDED } },
  }),
  changePassword: () => ({
    before: openOthers,
    input: { currentPassword: 'Correct4horse', password: 'Another4horse' },
    changes: {
      admins: { admin: { passwordHash: SOME_TEXT, updatedAt: NOW } },
      sessions: every({ revokedAt: NOW }, OTHERS),
      auditLog: { 'changePassword admin': added({ details: { total: OTHERS.length } }) },
    },
  }),
  endSession: () => ({
    before: openOthers,
    input: { uuid: TABLET },
    changes: { sessions: { tablet: { revokedAt: NOW } }, auditLog: { 'endSession tablet': ADDED } },
  }),
  endOtherSessions: () => ({
    before: openOthers,
    input: {},
    changes: {
      sessions: every({ revokedAt: NOW }, OTHERS),
      auditLog: { 'endOtherSessions admin': added({ details: { total: OTHERS.length } }) },
    },
  }),
  telegramCallback: () => ({
    env: { TELEGRAM_OAUTH_ENABLED: 'true', TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_OAUTH_ADMIN_IDS: '[42]' },
    before: (server) => link(server, 'telegram', '42'),
    headers: AT_DASHBOARD,
    input: telegramAnswer(),
    changes: {
      // An answer serves once.
      oauth2States: { telegram: added({ stateHash: SOME_TEXT, browserHash: SOME_TEXT, expiresAt: SOME_TEXT }) },
      sessions: session('new'),
      auditLog: { 'login admin': added({ details: { method: 'telegram', session: 'new', isNewPlace: true } }) },
    },
  }),
  oauth2Authorize: () => ({
    env: PROVIDER,
    input: { provider: 'github' },
    changes: {
      oauth2States: { github: added({ stateHash: SOME_TEXT, browserHash: SOME_TEXT, expiresAt: SOME_TEXT }) },
      signInAttempts: { '': added({ address: '127.0.0.1', at: NOW }) },
    },
  }),
  oauth2Callback: () => ({
    env: PROVIDER,
    outside: {
      '/login/oauth/access_token': '{ "access_token": "token", "token_type": "bearer" }',
      '/user/emails': '[{ "email": "ann@example.com", "primary": true, "verified": true }]',
    },
    before: async (server) => {
      await link(server, 'github', 'ann@example.com')
      const begun = { stateHash: digest('state'), browserHash: digest('browser'), expiresAt: new Date('2099-01-01') }
      await server.ctx.db
        .insertInto('oauth2States')
        .values({ ...begun, provider: 'github' })
        .execute()
    },
    headers: { ...AT_DASHBOARD, cookie: 'causeway_browser=browser' },
    input: { provider: 'github', code: 'code', state: 'state' },
    changes: {
      oauth2States: { github: DELETED },
      sessions: session('new'),
      auditLog: { 'login admin': added({ details: { method: 'github', session: 'new', isNewPlace: true } }) },
    },
  }),
  startIdentityLink: () => ({
    env: PROVIDER,
    input: { provider: 'github' },
    changes: {
      oauth2States: { github: added({ stateHash: SOME_TEXT, browserHash: SOME_TEXT, expiresAt: SOME_TEXT }) },
      signInAttempts: { '': added({ address: SOME_TEXT, at: NOW }) },
    },
  }),
  linkIdentity: () => ({
    env: PROVIDER,
    outside: {
      '/login/oauth/access_token': '{ "access_token": "token", "token_type": "bearer" }',
      '/user/emails': '[{ "email": "ann@example.com", "primary": true, "verified": true }]',
    },
    before: async (server) => {
      await openOthers(server)
      const { db } = server.ctx
      const { uuid } = await db
        .selectFrom('sessions')
        .select('uuid')
        .where('userAgent', '=', 'lightMyRequest')
        .executeTakeFirstOrThrow()
      const begun = { stateHash: digest('state'), browserHash: digest(`a link of the session ${uuid}`) }
      await db
        .insertInto('oauth2States')
        .values({ ...begun, provider: 'github', expiresAt: new Date('2099-01-01') })
        .execute()
    },
    input: { provider: 'github', code: 'code', state: 'state' },
    changes: {
      oauth2States: { github: DELETED },
      adminIdentities: { 'ann@example.com': added({ adminId: 'admin', provider: 'github', subject: 'ann@example.com' }) },
      sessions: every({ revokedAt: NOW }, OTHERS),
      auditLog: { 'linkIdentity admin': added({ details: { method: 'github', total: OTHERS.length } }) },
    },
  }),
  unlinkIdentity: () => ({
    before: async (server) => {
      await openOthers(server)
      await link(server, 'github', 'ann@example.com')
      await server.ctx.db.updateTable('adminIdentities').set({ uuid: LINKED }).where('label', '=', 'ann').execute()
    },
    input: { uuid: LINKED },
    changes: {
      adminIdentities: { ann: DELETED },
      sessions: every({ revokedAt: NOW }, OTHERS),
      auditLog: { 'unlinkIdentity admin': added({ details: { method: 'github', total: OTHERS.length } }) },
    },
  }),
} satisfies Writes

export const jobWrites = {
  cancelJob: ({ jobs }) => ({
    input: { id: jobs.second },
    changes: {
      jobs: { resetUsers: { status: 'cancelled' } },
      jobTargets: { 'resetUsers ann': DELETED, 'resetUsers ben': DELETED },
      // Nodes are told of what was done until then.
      nodeStates: every({ compareRequestedAt: NOW, requestTicket: 2 }, Object.keys(NODES)),
      auditLog: { 'cancelJob resetUsers': added({ details: { kind: 'resetUsers', done: 0, total: 2 } }) },
    },
  }),
} satisfies Writes
