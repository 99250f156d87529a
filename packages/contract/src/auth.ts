import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { later } from './generations.ts'
import { wireText, wireUrl } from './wire.ts'

export const oauth2Provider = z.enum(['github', 'pocketid', 'yandex', 'generic'])
export type OAuth2Provider = z.output<typeof oauth2Provider>

export const MIN_PASSWORD_LENGTH = 12

/** Rules for an administrator's password (docs/wire.md 9): shorter than the reference's 24, so that those fit too. */
export const newPassword = z
  .string()
  .min(MIN_PASSWORD_LENGTH, `The password must have at least ${MIN_PASSWORD_LENGTH} characters`)
  .regex(
    /^(?=.*?[A-Z])(?=.*?[a-z])(?=.*?[0-9]).*$/,
    'The password must contain an uppercase letter, a lowercase letter and a digit',
  )

const credentials = z.object({ username: wireText(), password: z.string() })
const session = z.object({ accessToken: z.string() })
const tag = 'Auth'

export const getAuthStatus = endpoint({
  name: 'getAuthStatus',
  title: 'Get Auth Status',
  tag,
  access: 'public',
  method: 'GET',
  path: '/api/auth/status',
  response: z.object({
    isLoginAllowed: z.boolean(),
    isRegisterAllowed: z.boolean(),
    tgAuth: z.object({ botId: z.number() }).nullable(),
    oauth2: z.object({ providers: z.object({ github: z.boolean(), pocketid: z.boolean(), yandex: z.boolean() }) }),
    branding: z
      .object({ title: z.string().nullable(), logoUrl: z.string().nullable() })
      .optional()
      .describe('since 2.1.15; null where the installation has none of its own'),
    authentication: later(
      '2.2',
      z
        .object({
          password: z.object({ enabled: z.boolean() }),
          passkey: z.object({ enabled: z.boolean() }),
          tgAuth: z.object({ enabled: z.boolean(), botId: z.number().nullable() }),
          oauth2: z.object({ providers: z.record(z.string(), z.boolean()) }),
        })
        .nullable(),
    ),
    isPasswordLoginAllowed: z.boolean().optional().describe('false: only the other methods sign in (own addition)'),
  }),
})
export const login = endpoint({
  name: 'login',
  title: 'Login',
  tag,
  access: 'public',
  method: 'POST',
  path: '/api/auth/login',
  body: credentials,
  response: session,
})
export const register = endpoint({
  name: 'register',
  title: 'Register',
  tag,
  access: 'public',
  method: 'POST',
  path: '/api/auth/register',
  body: credentials.extend({ password: newPassword }),
  response: session,
  status: 201,
})
export const telegramCallback = endpoint({
  name: 'telegramCallback',
  title: 'Login',
  tag,
  access: 'public',
  method: 'POST',
  path: '/api/auth/oauth2/tg/callback',
  body: z.object({
    id: z.number(),
    first_name: z.string(),
    last_name: z.string().optional(),
    username: z.string().optional(),
    photo_url: z.string().optional(),
    auth_date: z.number(),
    hash: z.string(),
  }),
  response: session,
})
export const oauth2Authorize = endpoint({
  name: 'oauth2Authorize',
  title: 'OAuth2 Authorize',
  tag,
  access: 'public',
  method: 'POST',
  path: '/api/auth/oauth2/authorize',
  body: z.object({ provider: oauth2Provider }),
  response: z.object({ authorizationUrl: wireUrl.nullable() }),
})
export const oauth2Callback = endpoint({
  name: 'oauth2Callback',
  title: 'OAuth2 Callback',
  tag,
  access: 'public',
  method: 'POST',
  path: '/api/auth/oauth2/callback',
  body: z.object({
    provider: oauth2Provider,
    code: z.string(),
    state: z.string(),
    iss: z.string().optional().describe('of providers that name themselves in their answer (RFC 9207)'),
  }),
  response: session,
})
export const logout = endpoint({
  name: 'logout',
  title: 'Logout',
  tag,
  access: 'session.end',
  method: 'POST',
  path: '/api/x/auth/logout',
  response: z.object({ isLoggedOut: z.boolean() }),
})
