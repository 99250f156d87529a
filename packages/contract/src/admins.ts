import { z } from 'zod'
import { newPassword } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { permissions } from './permissions.ts'
import { builtInRoles } from './roles.ts'
import { wireInstant, wireList, wireText, wireUuid } from './wire.ts'

// Colleagues: administrators, their invitations and their roles. Own addition.

export const INVITATION_HOURS = 24
export const MAX_ADMINS = 200
export const MAX_ROLES = 50

const roleName = wireText(50).min(1, 'must not be empty')
/** A shipped role by its name, or one of the installation's own by its uuid. */
const roleRef = z.union([z.enum(builtInRoles), wireUuid])
/** A reseller by its uuid; null sees every user. */
const resellerRef = wireUuid.nullable()
const shownRole = z.object({ ref: z.string(), name: z.string().nullable().describe('null for a role that the product ships') })

const shownReseller = z.object({ uuid: wireUuid, name: z.string() })

export const admin = z.object({
  uuid: wireUuid,
  username: z.string(),
  role: shownRole,
  reseller: shownReseller.nullable().describe('null: sees every user'),
  hasAuthenticator: z.boolean(),
  passkeys: z.number(),
  sessions: z.number().describe('open ones'),
  lastSeenAt: wireInstant.nullable().describe('when the newest session began'),
  tokens: z.number().describe('API tokens that this administrator has made'),
  createdAt: wireInstant,
})
export type Admin = z.output<typeof admin>

export const invitation = z.object({
  uuid: wireUuid,
  note: z.string(),
  role: shownRole,
  reseller: shownReseller.nullable(),
  invitedBy: z.string(),
  createdAt: wireInstant,
  expiresAt: wireInstant,
})
export type Invitation = z.output<typeof invitation>

export const role = z.object({
  ref: z.string(),
  name: z.string().nullable(),
  permissions: z.array(z.enum(permissions)),
  holders: z.number(),
})
export type Role = z.output<typeof role>

const tag = 'Administrators'
const one = z.object({ uuid: wireUuid })

export const listAdmins = endpoint({
  name: 'listAdmins',
  title: 'Get Administrators',
  tag,
  access: 'admins.read',
  method: 'GET',
  path: '/api/x/admins',
  response: z.object({ admins: z.array(admin), invitations: z.array(invitation) }),
})
export const inviteAdmin = endpoint({
  name: 'inviteAdmin',
  title: 'Invite Administrator',
  tag,
  access: 'admins.write',
  method: 'POST',
  path: '/api/x/admins/invitations',
  body: z.object({ note: wireText(60), role: roleRef, reseller: resellerRef.optional() }),
  response: z.object({ uuid: wireUuid, path: z.string().describe('of the link, shown this once'), expiresAt: wireInstant }),
  status: 201,
})
export const recallInvitation = endpoint({
  name: 'recallInvitation',
  title: 'Recall Invitation',
  tag,
  access: 'admins.write',
  method: 'DELETE',
  path: '/api/x/admins/invitations/:uuid',
  params: one,
  response: z.object({ isRecalled: z.boolean() }),
})
export const updateAdmin = endpoint({
  name: 'updateAdmin',
  title: 'Update Administrator',
  tag,
  access: 'admins.write',
  method: 'PATCH',
  path: '/api/x/admins/:uuid',
  params: one,
  body: z.object({ role: roleRef.optional(), reseller: resellerRef.optional() }),
  response: admin,
})
export const removeAdmin = endpoint({
  name: 'removeAdmin',
  title: 'Remove Administrator',
  tag,
  access: 'admins.write',
  method: 'POST',
  path: '/api/x/admins/:uuid/actions/remove',
  params: one,
  body: z.object({ tokens: z.enum(['keep', 'delete']).describe('what becomes of the API tokens that they made') }),
  response: z.object({ endedSessions: z.number(), deletedTokens: z.number() }),
})
export const listRoles = endpoint({
  name: 'listRoles',
  title: 'Get Roles',
  tag,
  access: 'admins.read',
  method: 'GET',
  path: '/api/x/roles',
  response: z.object({ roles: z.array(role) }),
})
const roleFields = z.object({ name: roleName, permissions: wireList(z.enum(permissions), permissions.length) })
export const createRole = endpoint({
  name: 'createRole',
  title: 'Create Role',
  tag,
  access: 'admins.write',
  creates: true,
  method: 'POST',
  path: '/api/x/roles',
  body: roleFields,
  response: role,
  status: 201,
})
export const updateRole = endpoint({
  name: 'updateRole',
  title: 'Update Role',
  tag,
  access: 'admins.write',
  method: 'PATCH',
  path: '/api/x/roles/:uuid',
  params: one,
  body: roleFields.partial(),
  response: role,
})
export const deleteRole = endpoint({
  name: 'deleteRole',
  title: 'Delete Role',
  tag,
  access: 'admins.write',
  method: 'DELETE',
  path: '/api/x/roles/:uuid',
  params: one,
  response: z.object({ isDeleted: z.boolean() }),
})

export const getInvitation = endpoint({
  name: 'getInvitation',
  title: 'Get Invitation',
  tag: 'Auth',
  access: 'public',
  method: 'GET',
  path: '/api/x/auth/invitations/:token',
  params: z.object({ token: z.string().max(100) }),
  response: z.object({ role: shownRole, invitedBy: z.string(), expiresAt: wireInstant }),
})
/** Options for the browser of an invited person that is to make a passkey. */
export const getInvitationPasskeyOptions = endpoint({
  name: 'getInvitationPasskeyOptions',
  title: 'Accept Invitation',
  tag: 'Auth',
  access: 'public',
  method: 'POST',
  path: '/api/x/auth/invitations/:token/passkey',
  params: z.object({ token: z.string().max(100) }),
  body: z.object({ username: wireText() }),
  response: z.object({ options: z.unknown() }),
})
export const acceptInvitation = endpoint({
  name: 'acceptInvitation',
  title: 'Accept Invitation',
  tag: 'Auth',
  access: 'public',
  method: 'POST',
  path: '/api/x/auth/invitations/:token',
  params: z.object({ token: z.string().max(100) }),
  body: z.object({
    username: wireText(),
    password: newPassword.optional(),
    response: z.unknown().optional().describe('of a new passkey, in the place of a password'),
  }),
  response: z.object({ accessToken: z.string() }),
  status: 201,
})
