import { errors, type Input, type proveIdentity } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { ownAdmin } from '../auth/account.actions.ts'
import { countAttempt, forgetAttempts, NO_ACCOUNT } from '../auth/attempts.actions.ts'
import { hasSecondFactor, updateProof } from '../auth/auth.queries.ts'
import { verifyPassword } from '../auth/imported-password.actions.ts'
import { authenticationOptions, provePasskey } from '../passkeys/passkeys.actions.ts'
import { proveCode } from './second-factor.actions.ts'
import { findSecondFactor } from './second-factor.queries.ts'

export async function proofOptions(ctx: Ctx, caller: Caller) {
  const admin = await ownAdmin(ctx, caller)
  const { passkeys } = await findSecondFactor(ctx.db, admin.id)
  return {
    isCodeAsked: await hasSecondFactor(ctx.db, admin.id),
    passkey: passkeys > 0 ? await authenticationOptions(ctx, caller, 'proof', admin.id) : null,
  }
}

/** Takes another proof of identity from this session, by the means that sign in to the account. */
export async function proveAgain(ctx: Ctx, caller: Caller, proof: Input<typeof proveIdentity>) {
  const admin = await ownAdmin(ctx, caller)
  const proving = { address: caller.address, provingSession: caller.sessionUuid ?? admin.uuid }
  await countAttempt(ctx, proving, NO_ACCOUNT)
  if (proof.response === undefined) await proveByPassword(ctx, admin, proof)
  else {
    const proven = await provePasskey(ctx, caller, { response: proof.response, purpose: 'proof', adminId: admin.id })
    if ('problem' in proven) fail(errors.passkeyRefused)
  }
  await forgetAttempts(ctx, proving, NO_ACCOUNT)
  const provenAt = ctx.now()
  await updateProof(ctx.db, caller.sessionUuid ?? '', provenAt)
  return { provenAt }
}

async function proveByPassword(
  ctx: Ctx,
  admin: { id: number; uuid: string; passwordHash: string },
  { password = '', code }: Input<typeof proveIdentity>,
): Promise<void> {
  if (!(await verifyPassword(ctx, admin.passwordHash, password))) refuseField('password', 'This is not the current password')
  if (!(await hasSecondFactor(ctx.db, admin.id))) return
  if (code === undefined || !(await proveCode(ctx, admin, code))) refuseField('code', errors.wrongCode.message)
}
