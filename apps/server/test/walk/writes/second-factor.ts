import { createHash } from 'node:crypto'
import { getPasskeySignInOptions, RECOVERY_CODES } from '@causeway/contract'
import { expect } from 'vitest'
import { hashOfCode } from '../../../src/features/second-factor/codes.actions.ts'
import { signingKey, signToken } from '../../../src/features/auth/sessions.actions.ts'
import type { PasskeyPurpose } from '../../../src/db/tables.ts'
import { codeAt, softPasskey } from '../../authenticator.ts'
import type { TestServer } from '../../server.ts'
import { AT_DASHBOARD, type Writes } from '../declared.ts'
import { ADDED, DELETED, NOW, SOME_TEXT, added, every } from '../rows.ts'

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const CHALLENGE = 'd2Fsaw'
const RECOVERY = ['aaaa-aaaa-aaaa-aaaa', 'bbbb-bbbb-bbbb-bbbb']
const digest = (text: string) => createHash('sha256').update(text).digest('base64url')
const laptop = softPasskey()
const session = { new: added({ adminId: 'admin', address: '127.0.0.1', expiresAt: SOME_TEXT, provenAt: NOW }) }
const OTHERS = ['phone', 'laptop', 'work']
const ended = every({ revokedAt: NOW }, OTHERS)
const SOME_STEP: unknown = expect.any(Number)
/** Ten new codes, of which the first has this number among all. */
const codesFrom = (first: number) =>
  Object.fromEntries(
    Array.from({ length: RECOVERY_CODES }, (_, index) => first + index).map((number) => [
      number === 1 ? 'admin' : `admin #${number}`,
      added({ codeHash: SOME_TEXT }),
    ]),
  )
const NEW_CODES = codesFrom(1)

async function adminOf({ ctx: { db } }: TestServer) {
  return db.selectFrom('admins').selectAll().where('username', '=', 'admin').executeTakeFirstOrThrow()
}

/** An authenticator of the account; `isOn` where a code has confirmed it. */
async function putAuthenticator(server: TestServer, { isOn }: { isOn: boolean }): Promise<void> {
  const { id: adminId } = await adminOf(server)
  const secret = server.ctx.secrets.wrap('authenticator', SECRET)
  const { db } = server.ctx
  await db
    .insertInto('authenticators')
    .values({ adminId, secret, confirmedAt: isOn ? new Date('2026-01-01') : null })
    .execute()
  if (isOn) {
    const codes = RECOVERY.map((code) => ({ adminId, codeHash: hashOfCode(code) }))
    await db.insertInto('recoveryCodes').values(codes).execute()
  }
}

/** Two passkeys of the account, and a challenge that one of them is to sign. */
async function putPasskeys(server: TestServer, purpose: PasskeyPurpose): Promise<void> {
  const { id: adminId } = await adminOf(server)
  const { db } = server.ctx
  const passkey = { adminId, publicKey: laptop.publicKey(), counter: 1 }
  await db
    .insertInto('passkeys')
    .values([
      { ...passkey, id: laptop.id, name: 'laptop' },
      { ...passkey, id: 'other', name: 'other' },
    ])
    .execute()
  await putChallenge(server, purpose, adminId)
}

async function putChallenge({ ctx: { db } }: TestServer, purpose: PasskeyPurpose, adminId: number): Promise<void> {
  const challenge = { challengeHash: digest(CHALLENGE), purpose, adminId, expiresAt: new Date('2099-01-01') }
  await db.insertInto('passkeyChallenges').values(challenge).execute()
}

/** A ticket of the first step, which the walk must know before the server is there. */
async function ticketOf(server: TestServer): Promise<string> {
  const { uuid, passwordHash } = await adminOf(server)
  const claims = { uuid, password: digest(passwordHash).slice(0, 16), role: 'SECOND' }
  return signToken(await signingKey(server.ctx), claims, new Date(), new Date('2099-01-01'))
}

/** Filled in before the call, which reads it then. */
const step = { ticket: '', code: '' }
const passkeyStep = { ticket: '', response: laptop.prove({ challenge: CHALLENGE, counter: 2 }) }
const signIn = { response: {} }
const proven = { laptop: { counter: 2, lastUsedAt: NOW } }

export const secondFactorWrites = {
  startAuthenticator: () => ({
    input: {},
    changes: { authenticators: { admin: added({ secret: SOME_TEXT }) } },
  }),
  confirmAuthenticator: () => ({
    before: async (server) => {
      await putAuthenticator(server, { isOn: false })
      step.code = codeAt(SECRET, new Date())
    },
    input: step,
    changes: {
      authenticators: { admin: { confirmedAt: NOW, lastStep: SOME_STEP } },
      recoveryCodes: NEW_CODES,
      sessions: ended,
      auditLog: { 'confirmAuthenticator admin': added({ details: { total: OTHERS.length } }) },
    },
  }),
  removeAuthenticator: () => ({
    before: (server) => putAuthenticator(server, { isOn: true }),
    input: {},
    changes: {
      authenticators: { admin: DELETED },
      recoveryCodes: { admin: DELETED, 'admin #2': DELETED },
      sessions: ended,
      auditLog: { 'removeAuthenticator admin': added({ details: { total: OTHERS.length } }) },
    },
  }),
  makeRecoveryCodes: () => ({
    before: (server) => putAuthenticator(server, { isOn: true }),
    input: {},
    changes: {
      recoveryCodes: { ...every(DELETED, ['admin', 'admin #2']), ...codesFrom(3) },
      auditLog: { 'makeRecoveryCodes admin': ADDED },
    },
  }),
  startSecondStep: () => ({
    before: (server) => putAuthenticator(server, { isOn: true }),
    input: { username: 'admin', password: 'Correct4horse' },
    // Counted until the second step has succeeded.
    changes: { signInAttempts: { admin: added({ address: '127.0.0.1', at: NOW }) } },
  }),
  finishWithCode: () => ({
    before: async (server) => {
      await putAuthenticator(server, { isOn: true })
      Object.assign(step, { ticket: await ticketOf(server), code: codeAt(SECRET, new Date()) })
    },
    headers: AT_DASHBOARD,
    input: step,
    changes: {
      authenticators: { admin: { lastStep: SOME_STEP } },
      sessions: session,
      auditLog: { 'login admin': added({ details: { method: 'password and code', session: 'new', isNewPlace: true } }) },
    },
  }),
  finishWithPasskey: () => ({
    before: async (server) => {
      await putPasskeys(server, 'secondStep')
      passkeyStep.ticket = await ticketOf(server)
    },
    headers: AT_DASHBOARD,
    input: passkeyStep,
    changes: {
      passkeys: proven,
      passkeyChallenges: { secondStep: DELETED },
      sessions: session,
      auditLog: { 'login admin': added({ details: { method: 'password and passkey', session: 'new', isNewPlace: true } }) },
    },
  }),
  getProofOptions: () => ({
    before: (server) => putPasskeys(server, 'signIn'),
    input: {},
    changes: { passkeyChallenges: { proof: added({ challengeHash: SOME_TEXT, adminId: 'admin', expiresAt: SOME_TEXT }) } },
  }),
  proveIdentity: () => ({
    before: (server) => putAuthenticator(server, { isOn: true }),
    input: { password: 'Correct4horse', code: RECOVERY[0] ?? '' },
    changes: { sessions: { lightMyRequest: { provenAt: NOW } }, recoveryCodes: { admin: DELETED } },
  }),
  getPasskeyRegistrationOptions: () => ({
    input: {},
    changes: { passkeyChallenges: { registration: added({ challengeHash: SOME_TEXT, adminId: 'admin', expiresAt: SOME_TEXT }) } },
  }),
  verifyPasskeyRegistration: () => ({
    before: async (server) => putChallenge(server, 'registration', (await adminOf(server)).id),
    input: { response: laptop.register({ challenge: CHALLENGE }), name: 'laptop' },
    changes: {
      passkeys: { laptop: added({ adminId: 'admin', publicKey: SOME_TEXT, transports: [] }) },
      passkeyChallenges: { registration: DELETED },
      sessions: ended,
      auditLog: { 'verifyPasskeyRegistration admin': added({ details: { total: OTHERS.length } }) },
    },
  }),
  renamePasskey: () => ({
    before: (server) => putPasskeys(server, 'signIn'),
    input: { id: laptop.id, name: 'desk' },
    changes: { passkeys: { laptop: { name: 'desk' } }, auditLog: { 'renamePasskey admin': ADDED } },
  }),
  deletePasskey: () => ({
    before: (server) => putPasskeys(server, 'signIn'),
    input: { id: laptop.id },
    changes: {
      passkeys: { laptop: DELETED },
      sessions: ended,
      auditLog: { 'deletePasskey admin': added({ details: { total: OTHERS.length } }) },
    },
  }),
  verifyPasskeySignIn: () => ({
    before: async (server) => {
      await putPasskeys(server, 'proof')
      const { challenge } = (await server.call(getPasskeySignInOptions, {})) as { challenge: string } // of the library
      signIn.response = laptop.prove({ challenge, counter: 2 })
    },
    headers: AT_DASHBOARD,
    input: signIn,
    changes: {
      passkeys: proven,
      // A challenge serves once.
      passkeyChallenges: { signIn: added({ challengeHash: SOME_TEXT, expiresAt: SOME_TEXT }) },
      sessions: session,
      auditLog: { 'login admin': added({ details: { method: 'passkey', session: 'new', isNewPlace: true } }) },
    },
  }),
} satisfies Writes
