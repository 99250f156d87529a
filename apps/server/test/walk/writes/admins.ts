import { AT_DASHBOARD, type Writes } from '../declared.ts'
import { ADDED, DELETED, NOW, SOME_TEXT, added } from '../rows.ts'

export const adminWrites = {
  inviteAdmin: ({ roles }) => ({
    input: { note: 'sam', role: roles.Helpers },
    changes: {
      invitations: { sam: added({ tokenHash: SOME_TEXT, roleId: 'Helpers', invitedBy: 'admin', expiresAt: SOME_TEXT }) },
      auditLog: { 'inviteAdmin sam': ADDED },
    },
  }),
  recallInvitation: ({ invitations }) => ({
    input: { uuid: invitations.ola },
    changes: { invitations: { ola: { recalledAt: NOW } }, auditLog: { 'recallInvitation ola': ADDED } },
  }),
  getInvitationPasskeyOptions: ({ links }) => ({
    input: { token: links.pia, username: 'pia' },
    changes: {
      passkeyChallenges: { registration: added({ challengeHash: SOME_TEXT, expiresAt: SOME_TEXT }) },
      signInAttempts: { '': added({ address: '127.0.0.1', at: NOW }) },
    },
  }),
  acceptInvitation: ({ links }) => ({
    headers: AT_DASHBOARD,
    input: { token: links.pia, username: 'pia', password: 'Correct4horse' },
    changes: {
      admins: { pia: added({ passwordHash: SOME_TEXT, role: 'ADMIN', roleId: 'Watchers' }) },
      invitations: { pia: { acceptedAt: NOW } },
      sessions: { new: added({ adminId: 'pia', address: '127.0.0.1', expiresAt: SOME_TEXT, provenAt: NOW }) },
      auditLog: { 'acceptInvitation pia': ADDED },
    },
  }),
  updateAdmin: ({ admins }) => ({
    input: { uuid: admins.mia, role: 'billing' },
    changes: {
      admins: { mia: { builtInRole: 'billing', roleId: null, updatedAt: NOW } },
      auditLog: { 'updateAdmin mia': ADDED },
    },
  }),
  removeAdmin: ({ admins }) => ({
    input: { uuid: admins.otto, tokens: 'delete' },
    changes: {
      admins: { otto: DELETED },
      sessions: { 'of otto': DELETED },
      authenticators: { otto: DELETED },
      recoveryCodes: { otto: DELETED },
      adminIdentities: { 'of otto': DELETED },
      passkeys: { 'of otto': DELETED },
      passkeyChallenges: { secondStep: DELETED },
      apiTokens: { cli: DELETED },
      apiTokenUses: { cli: DELETED },
      auditLog: { 'removeAdmin otto': added({ details: { total: 1, done: 1 } }) },
    },
  }),
  createRole: () => ({
    input: { name: 'Readers', permissions: ['users.read', 'nodes.read'] },
    changes: {
      roles: { Readers: added({ permissions: ['users.read', 'nodes.read'] }) },
      auditLog: { 'createRole Readers': ADDED },
    },
  }),
  updateRole: ({ roles }) => ({
    input: { uuid: roles.Helpers, name: 'Aides', permissions: ['users.read', 'hosts.read'] },
    changes: {
      roles: { Helpers: { name: 'Aides', permissions: ['users.read', 'hosts.read'], updatedAt: NOW } },
      auditLog: { 'updateRole Helpers': ADDED },
    },
  }),
  createReseller: ({ squads }) => ({
    input: { name: 'West', squads: [squads.gold], maxUsers: 10, maxBytes: null, maxDays: 30 },
    changes: {
      resellers: { West: added({ squadUuids: ['gold'], maxUsers: 10, maxDays: 30 }) },
      auditLog: { 'createReseller West': ADDED },
    },
  }),
  updateReseller: ({ resellers }) => ({
    input: { uuid: resellers.North, name: 'Northern', maxUsers: 7 },
    changes: {
      resellers: { North: { name: 'Northern', maxUsers: 7, updatedAt: NOW } },
      auditLog: { 'updateReseller North': ADDED },
    },
  }),
  deleteReseller: ({ resellers }) => ({
    input: { uuid: resellers.South },
    changes: { resellers: { South: DELETED }, auditLog: { 'deleteReseller South': ADDED } },
  }),
  // An invitation to a role goes with it.
  deleteRole: ({ roles }) => ({
    input: { uuid: roles.Unheld },
    changes: {
      roles: { Unheld: DELETED },
      invitations: { rex: DELETED },
      auditLog: { 'deleteRole Unheld': ADDED },
    },
  }),
} satisfies Writes
