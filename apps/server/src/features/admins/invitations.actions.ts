import { createHash, randomBytes } from 'node:crypto'
import { adminNameProblem, errors, INVITATION_HOURS, type Input, type inviteAdmin } from '@causeway/contract'
import { hash } from '@node-rs/argon2'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { countAttempt, forgetAttempts, NO_ACCOUNT } from '../auth/attempts.actions.ts'
import { NAME_PROBLEMS, refuseForeignNetwork, UNUSABLE_HASH } from '../auth/auth.actions.ts'
import { passwordProblem } from '../auth/auth.rules.ts'
import { openSession, signingKey, type SignedIn } from '../auth/sessions.actions.ts'
import { optionsForInvited, readNewPasskey } from '../passkeys/passkeys.actions.ts'
import { insertPasskey } from '../passkeys/passkeys.queries.ts'
import { givenReseller, givenRole, refuseTooMany, shownRole, type Giver } from './admins.actions.ts'
import { closeInvitation, findInvitation, insertAdmin, insertInvitation, lockRights } from './admins.queries.ts'

const HOUR_MS = 3_600_000

/** Makes a link that invites to a role. It is given this once, and is kept as a hash. */
export async function invite(ctx: Ctx, { caller, permissions }: Giver, { note, role, reseller }: Input<typeof inviteAdmin>) {
  const token = randomBytes(24).toString('base64url')
  const createdAt = ctx.now()
  const expiresAt = new Date(createdAt.getTime() + INVITATION_HOURS * HOUR_MS)
  return write(ctx, caller, async (tx, record) => {
    await refuseTooMany(tx, createdAt)
    const given = await givenRole(tx, permissions, role)
    const resellerId = await givenReseller(tx, given, reseller)
    const invitation = {
      ...given,
      resellerId,
      tokenHash: digest(token),
      note,
      invitedBy: caller.name ?? '',
      createdAt,
      expiresAt,
    }
    const { uuid } = await insertInvitation(tx, invitation)
    record({ action: 'inviteAdmin', target: uuid, name: note })
    return { uuid, path: `/auth/invitation/${token}`, expiresAt }
  })
}

export async function recall(ctx: Ctx, caller: Caller, { uuid }: { uuid: string }): Promise<boolean> {
  return write(ctx, caller, async (tx, record) => {
    const isRecalled = await closeInvitation(tx, { uuid }, { recalledAt: ctx.now() })
    if (isRecalled) record({ action: 'recallInvitation', target: uuid })
    return isRecalled
  })
}

/** The invitation behind a link. @throws with the reason why it is good no more */
export async function openInvitation(ctx: Ctx, caller: Caller, token: string) {
  const found = token.includes('\0') ? undefined : await findInvitation(ctx.db, digest(token))
  if (!found) {
    await countAttempt(ctx, caller, NO_ACCOUNT)
    return fail(errors.invitationNotFound)
  }
  if (found.acceptedAt !== null) fail(errors.invitationAccepted)
  if (found.recalledAt !== null) fail(errors.invitationRecalled)
  if (found.expiresAt <= ctx.now()) fail(errors.invitationOld)
  return { ...found, role: shownRole(found) }
}

/** Options for a passkey of the invited. */
export async function invitedPasskeyOptions(ctx: Ctx, caller: Caller, { token, username }: { token: string; username: string }) {
  await openInvitation(ctx, caller, token)
  refuseName(username)
  await countAttempt(ctx, caller, NO_ACCOUNT)
  return { options: await optionsForInvited(ctx, caller, username) }
}

interface Accepted {
  token: string
  username: string
  password?: string | undefined
  response?: unknown
}

/** The invited choose a name, and a password or passkey, and are signed in. An invitation serves once. */
export async function accept(ctx: Ctx, caller: Caller, { token, username, password, response }: Accepted): Promise<SignedIn> {
  const invitation = await openInvitation(ctx, caller, token)
  refuseName(username)
  const problem = password === undefined ? undefined : passwordProblem(username, password)
  if (problem) refuseField('password', problem)
  if (password === undefined && response === undefined) refuseField('password', 'is missing')
  await countAttempt(ctx, caller, NO_ACCOUNT)
  await refuseForeignNetwork(ctx, caller, username)
  const passkey = response === undefined ? undefined : await readNewPasskey(ctx, caller, response, null)
  const passwordHash = password === undefined ? UNUSABLE_HASH : await hash(password)
  const key = await signingKey(ctx)
  const { builtInRole, roleId, resellerId, uuid } = invitation
  const session = await write(ctx, caller, async (tx, record) => {
    await lockRights(tx)
    await refuseTooMany(tx, ctx.now())
    if (!(await closeInvitation(tx, { uuid }, { acceptedAt: ctx.now() }))) fail(errors.invitationAccepted)
    const admin =
      (await insertAdmin(tx, { username, passwordHash, builtInRole, roleId, resellerId })) ?? fail(errors.adminNameTaken)
    if (passkey && !(await insertPasskey(tx, { ...passkey, adminId: admin.id, name: 'Passkey 1' }))) fail(errors.passkeyKnown)
    record({ action: 'acceptInvitation', target: admin.uuid, name: username })
    return openSession(ctx, tx, key, caller, admin)
  })
  await forgetAttempts(ctx, caller, NO_ACCOUNT)
  return session
}

function refuseName(username: string): void {
  const wrongName = adminNameProblem(username)
  if (wrongName) refuseField('username', NAME_PROBLEMS[wrongName])
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')
