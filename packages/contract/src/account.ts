import { z } from 'zod'
import { newPassword } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { permissions } from './permissions.ts'
import { ownRoom } from './resellers.ts'
import { wireInstant, wireUuid } from './wire.ts'

/** A sign-in of the administrator that has not ended. */
export const adminSession = z.object({
  uuid: wireUuid,
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: wireInstant.describe('when it signed in'),
  expiresAt: wireInstant,
  isCurrent: z.boolean().describe('the session that asks'),
})
export type AdminSession = z.output<typeof adminSession>

/** Of the own account, told where another session did it. Sign-ins only from a place that is new to the account. */
export const accountAlertActions = [
  'login',
  'changePassword',
  'resetPassword',
  'resetSecondFactor',
  'confirmAuthenticator',
  'removeAuthenticator',
  'makeRecoveryCodes',
  'verifyPasskeyRegistration',
  'deletePasskey',
  'linkIdentity',
  'unlinkIdentity',
] as const

const accountAlert = z.object({
  id: z.number().describe('grows with time'),
  at: wireInstant,
  action: z.enum(accountAlertActions),
  address: z.string().nullable(),
})

/** The newest ones; one more than this is only counted. */
export const MAX_LISTED_SESSIONS = 100

const tag = 'Account'

export const getAccount = endpoint({
  name: 'getAccount',
  title: 'Get Account',
  tag,
  access: 'account.read',
  method: 'GET',
  path: '/api/x/account',
  response: z.object({
    uuid: wireUuid,
    username: z.string(),
    isPasswordLoginAllowed: z.boolean(),
    permissions: z.array(z.enum(permissions)).optional(),
    reseller: ownRoom.nullable().optional().describe('what a reseller may promise, and has; null: none, every user is seen'),
    isSecondFactorDue: z.boolean().optional().describe('until the account has a second factor, this session can only set one up'),
    alerts: z
      .array(accountAlert)
      .optional()
      .describe(
        'sign-ins from new places and changes of password and factors of the last 30 days, by other sessions; the newest first',
      ),
  }),
})
export const changePassword = endpoint({
  name: 'changePassword',
  title: 'Change Password',
  tag,
  access: 'account.write',
  method: 'POST',
  path: '/api/x/account/password',
  body: z.object({ currentPassword: z.string(), password: newPassword }),
  response: z.object({ endedSessions: z.number().describe('the other sessions of this account, which it ends') }),
})
export const listSessions = endpoint({
  name: 'listSessions',
  title: 'Get Sessions',
  tag,
  access: 'account.read',
  method: 'GET',
  path: '/api/x/account/sessions',
  response: z.object({ total: z.number(), sessions: z.array(adminSession) }),
})
export const endSession = endpoint({
  name: 'endSession',
  title: 'End Session',
  tag,
  access: 'session.end',
  method: 'DELETE',
  path: '/api/x/account/sessions/:uuid',
  params: z.object({ uuid: wireUuid }),
  response: z.object({ endedSessions: z.number() }),
})
export const endOtherSessions = endpoint({
  name: 'endOtherSessions',
  title: 'End Other Sessions',
  tag,
  access: 'session.end',
  method: 'POST',
  path: '/api/x/account/sessions/actions/end-others',
  response: z.object({ endedSessions: z.number() }),
})
