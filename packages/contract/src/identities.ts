import { z } from 'zod'
import { oauth2Callback, oauth2Provider } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { wireInstant, wireUrl, wireUuid } from './wire.ts'

// Accounts at sign-in providers that sign in to the own account. Own addition.

const identity = z.object({
  uuid: wireUuid,
  provider: z.string(),
  label: z.string().describe('what the provider calls the account: an address or a name'),
  createdAt: wireInstant,
})
export type Identity = z.output<typeof identity>

const tag = 'Account'
const path = '/api/x/account/identities'

export const listIdentities = endpoint({
  name: 'listIdentities',
  title: 'Get Linked Accounts',
  tag,
  access: 'account.read',
  method: 'GET',
  path,
  response: z.object({
    identities: z.array(identity),
    providers: z.array(oauth2Provider).describe('those that are turned on'),
  }),
})
export const startIdentityLink = endpoint({
  name: 'startIdentityLink',
  title: 'Begin to Link Account',
  tag,
  access: 'account.write',
  method: 'POST',
  path: `${path}/actions/start`,
  body: z.object({ provider: oauth2Provider }),
  response: z.object({ authorizationUrl: wireUrl }),
})
export const linkIdentity = endpoint({
  name: 'linkIdentity',
  title: 'Link Account',
  tag,
  access: 'account.write',
  method: 'POST',
  path,
  body: oauth2Callback.body,
  response: identity.extend({ endedSessions: z.number().describe('the other sessions of this account, which it ends') }),
})
export const unlinkIdentity = endpoint({
  name: 'unlinkIdentity',
  title: 'Unlink Account',
  tag,
  access: 'account.write',
  method: 'DELETE',
  path: `${path}/:uuid`,
  params: z.object({ uuid: wireUuid }),
  response: z.object({ endedSessions: z.number() }),
})
