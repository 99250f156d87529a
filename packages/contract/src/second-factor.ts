import { z } from 'zod'
import { endpoint, type Endpoint } from './endpoint.ts'
import { wireInstant } from './wire.ts'

// A second factor beside the password: one-time codes (RFC 6238), passkeys, and recovery codes for when both are lost.

export const RECOVERY_CODES = 10

/** Endpoints of a session whose account lacks the second factor that the installation requires. */
const enrolment: ReadonlySet<string> = new Set([
  'getAccount',
  'getSecondFactor',
  'startAuthenticator',
  'confirmAuthenticator',
  'listPasskeys',
  'getPasskeyRegistrationOptions',
  'verifyPasskeyRegistration',
  'getProofOptions',
  'proveIdentity',
  'logout',
])

export function isEnrolment({ name }: Pick<Endpoint, 'name'>): boolean {
  return enrolment.has(name)
}

const code = z.string().min(6, 'A code has six digits').max(40)
const recoveryCodes = z.array(z.string()).describe('shown this once; each signs in once in the place of the second factor')
const endedSessions = z.number().describe('the other sessions of this account, which it ends')
const tag = 'Account'

export const getSecondFactor = endpoint({
  name: 'getSecondFactor',
  title: 'Get Second Factor',
  tag,
  access: 'account.read',
  method: 'GET',
  path: '/api/x/account/second-factor',
  response: z.object({
    authenticatorSince: wireInstant.nullable().describe('null where codes of an app are not asked for'),
    passkeys: z.number(),
    recoveryCodesLeft: z.number(),
  }),
})
export const startAuthenticator = endpoint({
  name: 'startAuthenticator',
  title: 'Set Up Authenticator',
  tag,
  access: 'account.write',
  method: 'POST',
  path: '/api/x/account/second-factor/authenticator',
  response: z.object({
    secret: z.string().describe('to type in, as base32'),
    uri: z.string().describe('the text of the picture'),
  }),
})
export const confirmAuthenticator = endpoint({
  name: 'confirmAuthenticator',
  title: 'Set Up Authenticator',
  tag,
  access: 'account.write',
  method: 'POST',
  path: '/api/x/account/second-factor/authenticator/actions/confirm',
  body: z.object({ code }),
  response: z.object({ recoveryCodes, endedSessions }),
})
export const removeAuthenticator = endpoint({
  name: 'removeAuthenticator',
  title: 'Remove Authenticator',
  tag,
  access: 'account.write',
  method: 'DELETE',
  path: '/api/x/account/second-factor/authenticator',
  response: z.object({ endedSessions }),
})
export const makeRecoveryCodes = endpoint({
  name: 'makeRecoveryCodes',
  title: 'Create Recovery Codes',
  tag,
  access: 'account.write',
  method: 'POST',
  path: '/api/x/account/second-factor/recovery-codes',
  response: z.object({ recoveryCodes }),
})

/** After the sign-in by password was refused for want of the second factor. */
export const startSecondStep = endpoint({
  name: 'startSecondStep',
  title: 'Login',
  tag: 'Auth',
  access: 'public',
  method: 'POST',
  path: '/api/x/auth/second-step',
  body: z.object({ username: z.string(), password: z.string() }),
  response: z.object({
    ticket: z.string().describe('good for five minutes'),
    hasAuthenticator: z.boolean(),
    hasRecoveryCodes: z.boolean(),
    passkey: z.unknown().describe('options for the browser; null where the account has no passkey'),
  }),
})
export const finishWithCode = endpoint({
  name: 'finishWithCode',
  title: 'Login',
  tag: 'Auth',
  access: 'public',
  method: 'POST',
  path: '/api/x/auth/second-step/code',
  body: z.object({ ticket: z.string(), code: code.describe('of the app, or a recovery code') }),
  response: z.object({ accessToken: z.string() }),
})
export const finishWithPasskey = endpoint({
  name: 'finishWithPasskey',
  title: 'Login',
  tag: 'Auth',
  access: 'public',
  method: 'POST',
  path: '/api/x/auth/second-step/passkey',
  body: z.object({ ticket: z.string(), response: z.unknown() }),
  response: z.object({ accessToken: z.string() }),
})

/** Proofs that a dangerous action asks for. */
export const getProofOptions = endpoint({
  name: 'getProofOptions',
  title: 'Confirm Identity',
  tag,
  access: 'account.write',
  method: 'GET',
  path: '/api/x/account/proof',
  response: z.object({
    isCodeAsked: z.boolean().describe('beside the password'),
    passkey: z.unknown().describe('options for the browser; null where the account has no passkey'),
  }),
})
export const proveIdentity = endpoint({
  name: 'proveIdentity',
  title: 'Confirm Identity',
  tag,
  access: 'account.write',
  method: 'POST',
  path: '/api/x/account/proof',
  body: z.object({
    password: z.string().optional().describe('with the code, where the account has a second factor'),
    code: code.optional(),
    response: z.unknown().optional().describe('of a passkey, which is enough by itself'),
  }),
  response: z.object({ provenAt: wireInstant }),
})
