import { adminNameProblem, errors, type BuiltInRole } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { refuseTooMany } from '../admins/admins.actions.ts'
import { countOwners, insertAdmin, lockRights, updateAdminRights } from '../admins/admins.queries.ts'
import { write } from '../audit/audit.actions.ts'
import { NO_ACCOUNT } from '../auth/attempts.actions.ts'
import { isOneFactorEnough, refuseForeignNetwork, refuseSignIn, signInAdmin, UNUSABLE_HASH } from '../auth/auth.actions.ts'
import { findAdmin, hasSecondFactor } from '../auth/auth.queries.ts'
import type { SignedIn } from '../auth/sessions.actions.ts'
import { openSecondStep } from '../second-factor/second-step.actions.ts'
import { findAdminNamed, findLinkedAdmin, findOnlyAdmin, insertIdentity } from './identities.queries.ts'

/** An account at a provider, which vouches for it and which the settings admit. */
export interface Vouched {
  provider: string
  /** The provider never gives it to another account. */
  subject: string
  label: string
  /** Verified addresses, which may be names of administrators. */
  names: readonly string[]
  /** The role that a claim chooses. */
  role?: BuiltInRole | undefined
}

/** Signs in the account's administrator, or asks for that administrator's second factor. */
export async function signInVouched(ctx: Ctx, caller: Caller, vouched: Vouched): Promise<SignedIn> {
  const { provider, role } = vouched
  await refuseForeignNetwork(ctx, caller, vouched.label)
  const found = await findAdminOf(ctx, caller, vouched)
  const admin =
    role === undefined || found.builtInRole === role ? found : await takeRole(ctx, { ...caller, ...actorOf(found) }, found, role)
  if (await hasSecondFactor(ctx.db, admin.id))
    fail(errors.secondFactorNeeded, { details: { secondStep: await openSecondStep(ctx, caller, admin, provider) } })
  return signInAdmin(ctx, caller, admin, { method: provider, account: NO_ACCOUNT, isStillEnough: isOneFactorEnough(admin.id) })
}

const actorOf = ({ uuid, username }: { uuid: string; username: string }) => ({ kind: 'admin', uuid, name: username }) as const

async function findAdminOf(ctx: Ctx, caller: Caller, vouched: Vouched) {
  const linked = await findLinkedAdmin(ctx.db, vouched)
  if (linked) return linked
  // The invited choose their names: where claims choose roles, one could wait under the address of an owner-to-be.
  const isNameEnough = vouched.names.length > 0 && vouched.role === undefined
  const named = isNameEnough ? await findAdminNamed(ctx.db, vouched.names) : undefined
  if (named) {
    await write(ctx, { ...caller, ...actorOf(named) }, async (tx, record) => {
      await insertIdentity(tx, { ...identityOf(vouched), adminId: named.id, createdAt: ctx.now() })
      record({ action: 'linkIdentity', target: named.uuid, name: vouched.label, details: { method: vouched.provider } })
    })
    return named
  }
  if (vouched.role !== undefined) return admit(ctx, caller, vouched, vouched.role)
  // A listed account belongs to the only administrator. It is not linked, as there may be more administrators later.
  const only = await findOnlyAdmin(ctx.db)
  return only ?? refuseSignIn(ctx, caller, vouched.label, `${vouched.provider}: no administrator has this account`)
}

const identityOf = ({ provider, subject, label }: Vouched) => ({ provider, subject, label })

/** Makes an administrator of an account whose claim chooses a role. It has no password. */
async function admit(ctx: Ctx, caller: Caller, vouched: Vouched, role: BuiltInRole) {
  const { names, label, provider } = vouched
  const username = [...names, label].find((name) => adminNameProblem(name) === undefined)
  if (username === undefined) return refuseSignIn(ctx, caller, label, `${provider}: the account has no name that fits`)
  const actor: Caller = { ...caller, kind: 'admin', name: username }
  return write(ctx, actor, async (tx, record) => {
    await lockRights(tx)
    await refuseTooMany(tx, ctx.now())
    const admin =
      (await insertAdmin(tx, { username, passwordHash: UNUSABLE_HASH, builtInRole: role, roleId: null, resellerId: null })) ??
      // A name that is taken belongs to another person: only a verified address would prove the contrary.
      fail(errors.adminNameTaken)
    await insertIdentity(tx, { ...identityOf(vouched), adminId: admin.id, createdAt: ctx.now() })
    record({ action: 'admitAdmin', target: admin.uuid, name: username, details: { method: provider } })
    return admin
  })
}

/** The claim's role takes the place of the former one. The last owner stays one. */
async function takeRole(
  ctx: Ctx,
  actor: Caller,
  { id, uuid, username }: { id: number; uuid: string; username: string },
  role: BuiltInRole,
) {
  return write(ctx, actor, async (tx, record) => {
    await lockRights(tx)
    const now = (await findAdmin(tx, { id })) ?? fail(errors.forbidden)
    if (now.builtInRole === role || (now.builtInRole === 'owner' && (await countOwners(tx)) === 1)) return now
    // Owners see every user, and one of a reseller would count as the last owner.
    if (role === 'owner' && now.resellerId !== null) return now
    await updateAdminRights(tx, id, { builtInRole: role, roleId: null }, ctx.now())
    record({ action: 'updateAdmin', target: uuid, name: username })
    return now
  })
}
