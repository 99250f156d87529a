import type { Endpoint } from './endpoint.ts'

/** A session must prove its person again when its last proof is older than this. */
export const PROOF_MINUTES = 10

/**
 * Actions that a stolen session must not do: what gives lasting access, what takes it from others, and what hands out keys. API
 * tokens are not asked.
 */
const dangerous: ReadonlySet<string> = new Set([
  // Tokens.
  'createApiToken',
  'createLimitedApiToken',
  'updateApiToken',
  'deleteApiToken',
  // Factors of the account.
  'startAuthenticator',
  'removeAuthenticator',
  'makeRecoveryCodes',
  'getPasskeyRegistrationOptions',
  'deletePasskey',
  'startIdentityLink',
  'unlinkIdentity',
  // Colleagues and roles.
  'inviteAdmin',
  'updateAdmin',
  'removeAdmin',
  'createRole',
  'updateRole',
  'deleteRole',
  // The factor that all must have, and the networks that may sign in.
  'updateInstallation',
  'createReseller',
  'updateReseller',
  'deleteReseller',
  // A backup holds every key.
  'downloadBackup',
  'deleteBackup',
  'updateBackupTargets',
  // An import brings owners of its own.
  'runMoveIn',
  // Keys of nodes: what has one can stand in the place of a node.
  'getNodePublicKey',
  'makeJoinCode',
  // Undo of many.
  'undoOfActor',
])

export function isDangerous({ name }: Pick<Endpoint, 'name'>): boolean {
  return dangerous.has(name)
}
