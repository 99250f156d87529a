import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireInstant, wireText } from './wire.ts'

// Passkeys (WebAuthn): routes of 2.2 and later, which the dashboard uses too. Options and answers are those of browsers as JSON.

export const MAX_PASSKEYS = 20

export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: wireInstant,
  lastUsedAt: wireInstant.nullable(),
})
export type Passkey = z.output<typeof passkey>

const passkeys = z.object({ passkeys: z.array(passkey) })
const answer = z.object({ response: z.unknown().describe('the answer of the browser') })
const tag = 'Passkeys'

export const listPasskeys = endpoint({
  name: 'listPasskeys',
  title: 'Get Passkeys',
  tag,
  access: 'account.read',
  method: 'GET',
  path: '/api/passkeys',
  since: '2.2',
  response: passkeys,
})
export const getPasskeyRegistrationOptions = endpoint({
  name: 'getPasskeyRegistrationOptions',
  title: 'Add Passkey',
  tag,
  access: 'account.write',
  method: 'GET',
  path: '/api/passkeys/registration/options',
  since: '2.2',
  response: z.unknown(),
})
export const verifyPasskeyRegistration = endpoint({
  name: 'verifyPasskeyRegistration',
  title: 'Add Passkey',
  tag,
  access: 'account.write',
  method: 'POST',
  path: '/api/passkeys/registration/verify',
  since: '2.2',
  body: answer.extend({ name: wireText(30).optional().describe('own addition') }),
  response: z.object({ verified: z.boolean(), endedSessions: z.number().optional().describe('other sessions of this account') }),
})
export const renamePasskey = endpoint({
  name: 'renamePasskey',
  title: 'Rename Passkey',
  tag,
  access: 'account.write',
  method: 'PATCH',
  path: '/api/passkeys',
  since: '2.3',
  body: z.object({ id: z.string(), name: wireText(30) }),
  response: passkeys,
})
export const deletePasskey = endpoint({
  name: 'deletePasskey',
  title: 'Remove Passkey',
  tag,
  access: 'account.write',
  method: 'DELETE',
  path: '/api/passkeys',
  since: '2.2',
  body: z.object({ id: z.string() }),
  response: passkeys,
})
export const getPasskeySignInOptions = endpoint({
  name: 'getPasskeySignInOptions',
  title: 'Login',
  tag: 'Auth',
  access: 'public',
  method: 'GET',
  path: '/api/auth/passkey/authentication/options',
  since: '2.2',
  response: z.unknown(),
})
export const verifyPasskeySignIn = endpoint({
  name: 'verifyPasskeySignIn',
  title: 'Login',
  tag: 'Auth',
  access: 'public',
  method: 'POST',
  path: '/api/auth/passkey/authentication/verify',
  since: '2.2',
  body: answer,
  response: z.object({ accessToken: z.string() }),
})
