import { randomBytes, randomInt } from 'node:crypto'
import { errors } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { ownAdmin } from '../auth/account.actions.ts'
import { countAttempt, forgetAttempts, NO_ACCOUNT } from '../auth/attempts.actions.ts'
import { deleteUnusedRecoveryCodes, hasSecondFactor, lockAccount, revokeSessions } from '../auth/auth.queries.ts'
import { hashOfCode, recoveryCodesOf, secretOf, stepOf, uriOf } from './codes.actions.ts'
import {
  deleteAuthenticator,
  findAuthenticator,
  findSecondFactor,
  putAuthenticator,
  replaceRecoveryCodes,
  updateConfirmed,
  takeRecoveryCode,
  takeStep,
} from './second-factor.queries.ts'

const PURPOSE = 'authenticator'
const SECRET_BYTES = 20

export async function ownSecondFactor(ctx: Ctx, caller: Caller) {
  return findSecondFactor(ctx.db, (await ownAdmin(ctx, caller)).id)
}

/** A new secret for an app. It counts once a code of it has confirmed it. */
export async function startAuthenticator(ctx: Ctx, caller: Caller) {
  const admin = await ownAdmin(ctx, caller)
  const secret = secretOf(new Uint8Array(randomBytes(SECRET_BYTES)))
  const row = { adminId: admin.id, secret: ctx.secrets.wrap(PURPOSE, secret), createdAt: ctx.now() }
  if (!(await putAuthenticator(ctx.db, row))) fail(errors.authenticatorThere)
  return { secret, uri: uriOf(secret, admin.username, 'Causeway') }
}

/** The app's first code switches it on, and ends all other sessions. Returns recovery codes, which are not shown again. */
export async function confirmAuthenticator(ctx: Ctx, caller: Caller, { code }: { code: string }) {
  const admin = await ownAdmin(ctx, caller)
  const kept = await findAuthenticator(ctx.db, admin.id)
  if (!kept || kept.confirmedAt !== null) return fail(errors.authenticatorNotStarted)
  await countCode(ctx, admin.uuid)
  const step = stepOf(ctx.secrets.unwrap(PURPOSE, kept.secret), code, ctx.now())
  if (step === undefined) return refuseField('code', errors.wrongCode.message)
  await forgetCodes(ctx, admin.uuid)
  return write(ctx, caller, async (tx, record) => {
    await lockAccount(tx, admin.id)
    if (!(await updateConfirmed(tx, admin.id, kept.secret, step, ctx.now()))) fail(errors.authenticatorNotStarted)
    const recoveryCodes = await newRecoveryCodes(tx, admin.id)
    const endedSessions = await revokeSessions(tx, admin.uuid, { allBut: caller.sessionUuid }, ctx.now())
    record({ action: 'confirmAuthenticator', target: admin.uuid, details: { total: endedSessions } })
    return { recoveryCodes, endedSessions }
  })
}

export async function removeAuthenticator(ctx: Ctx, caller: Caller): Promise<number> {
  const admin = await ownAdmin(ctx, caller)
  return write(ctx, caller, async (tx, record) => {
    await lockAccount(tx, admin.id)
    if (!(await deleteAuthenticator(tx, admin.id))) return 0
    await deleteUnusedRecoveryCodes(tx, admin.id)
    const ended = await revokeSessions(tx, admin.uuid, { allBut: caller.sessionUuid }, ctx.now())
    record({ action: 'removeAuthenticator', target: admin.uuid, details: { total: ended } })
    return ended
  })
}

/** New recovery codes; the former ones serve no more. */
export async function remakeRecoveryCodes(ctx: Ctx, caller: Caller): Promise<string[]> {
  const admin = await ownAdmin(ctx, caller)
  if (!(await hasSecondFactor(ctx.db, admin.id))) fail(errors.secondFactorMissing)
  return write(ctx, caller, async (tx, record) => {
    record({ action: 'makeRecoveryCodes', target: admin.uuid })
    return newRecoveryCodes(tx, admin.id)
  })
}

async function newRecoveryCodes(tx: Tx, adminId: number): Promise<string[]> {
  const codes = recoveryCodesOf((bound) => randomInt(bound))
  await replaceRecoveryCodes(tx, adminId, codes.map(hashOfCode))
  return codes
}

/**
 * Whether this is the account's code of now, which serves once, or one of its recovery codes. Tries are counted by account, as
 * six digits are few.
 */
export async function proveCode(
  ctx: Ctx,
  admin: { id: number; uuid: string },
  code: string,
): Promise<'code' | 'recovery' | undefined> {
  await countCode(ctx, admin.uuid)
  const method = await methodOf(ctx, ctx.db, admin.id, code)
  if (method) await forgetCodes(ctx, admin.uuid)
  return method
}

async function methodOf(ctx: Ctx, db: Db, adminId: number, code: string): Promise<'code' | 'recovery' | undefined> {
  const kept = await findAuthenticator(db, adminId)
  if (kept && kept.confirmedAt !== null) {
    const step = stepOf(ctx.secrets.unwrap(PURPOSE, kept.secret), code, ctx.now())
    if (step !== undefined) return (await takeStep(db, adminId, step)) ? 'code' : undefined
  }
  return (await takeRecoveryCode(db, adminId, hashOfCode(code))) ? 'recovery' : undefined
}

const countCode = (ctx: Ctx, uuid: string) => countAttempt(ctx, { address: null, codeOf: uuid }, NO_ACCOUNT)
const forgetCodes = (ctx: Ctx, uuid: string) => forgetAttempts(ctx, { address: null, codeOf: uuid }, NO_ACCOUNT)
