import { createHash } from 'node:crypto'
import { errors } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { provePassword, refuseSignIn, signInAdmin, signingIn, type Credentials } from '../auth/auth.actions.ts'
import { findAdmin, hasSecondFactor } from '../auth/auth.queries.ts'
import { readTicket, signingKey, signToken, type SignedIn } from '../auth/sessions.actions.ts'
import { authenticationOptions, provePasskey } from '../passkeys/passkeys.actions.ts'
import { hasPasskey } from '../passkeys/passkeys.queries.ts'
import { proveCode } from './second-factor.actions.ts'
import { findSecondFactor } from './second-factor.queries.ts'

const TICKET_LIFETIME_MS = 5 * 60_000

/** The first step of two: the password is right. Its ticket lets the second one follow. */
export async function startSecondStep(ctx: Ctx, caller: Caller, credentials: Credentials) {
  return signingIn(async () => {
    const admin = await provePassword(ctx, caller, credentials)
    if (!(await hasSecondFactor(ctx.db, admin.id))) fail(errors.secondFactorMissing)
    return openSecondStep(ctx, caller, admin, 'password')
  })
}

/** The browser's material for the second step, after a first one by this method. */
export async function openSecondStep(
  ctx: Ctx,
  caller: Caller,
  admin: { id: number; uuid: string; passwordHash: string },
  method: string,
) {
  const now = ctx.now()
  const claims = { uuid: admin.uuid, password: stampOf(admin.passwordHash), method, role: 'SECOND' }
  const ticket = await signToken(await signingKey(ctx), claims, now, new Date(now.getTime() + TICKET_LIFETIME_MS))
  const { authenticatorSince, passkeys, recoveryCodesLeft } = await findSecondFactor(ctx.db, admin.id)
  return {
    ticket,
    hasAuthenticator: authenticatorSince !== null,
    hasRecoveryCodes: recoveryCodesLeft > 0,
    passkey: passkeys > 0 ? await authenticationOptions(ctx, caller, 'secondStep', admin.id) : null,
  }
}

export async function finishWithCode(ctx: Ctx, caller: Caller, { ticket, code }: { ticket: string; code: string }) {
  return signingIn(async () => {
    const { admin, first } = await readFirstStep(ctx, ticket)
    const method = await proveCode(ctx, admin, code)
    if (method)
      return signInAdmin(ctx, caller, admin, {
        method: `${first} and ${method}`,
        account: admin.username,
        isStillEnough: (tx) => hasSecondFactor(tx, admin.id),
      })
    await refuseSignIn(ctx, caller, admin.username, 'wrong code').catch(() => {}) // this caller knows the password: it is told more
    return fail(errors.wrongCode)
  })
}

export async function finishWithPasskey(
  ctx: Ctx,
  caller: Caller,
  { ticket, response }: { ticket: string; response?: unknown },
): Promise<SignedIn> {
  return signingIn(async () => {
    const { admin, first } = await readFirstStep(ctx, ticket)
    const proven = await provePasskey(ctx, caller, { response, purpose: 'secondStep', adminId: admin.id })
    if ('problem' in proven) return refuseSignIn(ctx, caller, admin.username, `passkey: ${proven.problem}`)
    return signInAdmin(ctx, caller, admin, {
      method: `${first} and passkey`,
      account: admin.username,
      isStillEnough: (tx) => hasPasskey(tx, admin.id, proven.id),
    })
  })
}

async function readFirstStep(ctx: Ctx, ticket: string) {
  const claimed = await readTicket(ctx, ticket)
  const admin = claimed && (await findAdmin(ctx.db, { uuid: claimed.uuid }))
  // A password changed meanwhile makes the first step worthless.
  if (!admin || stampOf(admin.passwordHash) !== claimed.password) return fail(errors.secondStepOver)
  return { admin, first: claimed.method ?? 'password' }
}

function stampOf(passwordHash: string): string {
  return createHash('sha256').update(passwordHash).digest('base64url').slice(0, 16)
}
