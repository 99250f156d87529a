import { randomUUID } from 'node:crypto'
import { errors, MAX_PASSKEYS } from '@causeway/contract'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Caller, Ctx } from '../../ctx.ts'
import type { PasskeyPurpose } from '../../db/tables.ts'
import { fail } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { ownAdmin } from '../auth/account.actions.ts'
import { countAttempt, NO_ACCOUNT } from '../auth/attempts.actions.ts'
import { refuseLastWayIn, refuseSignIn, signInAdmin, signingIn } from '../auth/auth.actions.ts'
import { deleteUnusedRecoveryCodes, findAdmin, lockAccount, revokeSessions } from '../auth/auth.queries.ts'
import type { SignedIn } from '../auth/sessions.actions.ts'
import { isChallenge, keepChallenge, newSignInChallenge } from './challenges.actions.ts'
import {
  countUse,
  deletePasskeyRow,
  findPasskey,
  hasPasskey,
  insertPasskey,
  listPasskeys,
  updatePasskeyName,
} from './passkeys.queries.ts'

/** The name that passkeys are bound to, and the origins whose pages may use them. */
function relyingParty({ config }: Ctx, { origin }: Caller) {
  const address = config.PUBLIC_URL ?? origin ?? fail(errors.passkeyNameless)
  const { hostname, host } = new URL(address)
  // A proxy in front may speak plain HTTP with us; browsers allow passkeys on secure pages and on this machine alone.
  return { id: hostname, origins: [`https://${host}`, ...(hostname === 'localhost' ? [`http://${host}`] : [])] }
}

export async function ownPasskeys(ctx: Ctx, caller: Caller) {
  const admin = await ownAdmin(ctx, caller)
  return { passkeys: await listPasskeys(ctx.db, admin.id) }
}

export async function registrationOptions(ctx: Ctx, caller: Caller) {
  return optionsFor(ctx, caller, await ownAdmin(ctx, caller))
}

/** Registration options for an invited person, before the account is made. */
export function optionsForInvited(ctx: Ctx, caller: Caller, username: string) {
  return optionsFor(ctx, caller, { id: null, uuid: randomUUID(), username })
}

async function optionsFor(
  ctx: Ctx,
  caller: Caller,
  { id, uuid, username }: { id: number | null; uuid: string; username: string },
) {
  const known = id === null ? [] : await listPasskeys(ctx.db, id)
  const options = await generateRegistrationOptions({
    rpName: 'Causeway',
    rpID: relyingParty(ctx, caller).id,
    userName: username,
    userID: new TextEncoder().encode(uuid),
    attestationType: 'none',
    excludeCredentials: known.map((each) => ({ id: each.id, transports: knownTransports(each.transports) })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })
  await keepChallenge(ctx, options.challenge, 'registration', id)
  return options
}

/** The passkey that a browser has made for options of ours; `adminId` is null for an invited person. */
export async function readNewPasskey(ctx: Ctx, caller: Caller, response: unknown, adminId: number | null) {
  const { id, origins } = relyingParty(ctx, caller)
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON, // the library checks its form
    expectedChallenge: (challenge) => isChallenge(ctx, challenge, 'registration', adminId),
    expectedOrigin: origins,
    expectedRPID: id,
    requireUserVerification: true,
  }).catch((error: unknown) => refusePasskey(ctx, error))
  if (!verified.verified || !verified.registrationInfo) return refusePasskey(ctx, 'not verified')
  const { credential } = verified.registrationInfo
  return {
    id: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: credential.transports ?? [],
    createdAt: ctx.now(),
  }
}

/** Adds a passkey to the own account and ends its other sessions. Returns how many ended. */
export async function addPasskey(ctx: Ctx, caller: Caller, { response, name }: { response: unknown; name?: string | undefined }) {
  const admin = await ownAdmin(ctx, caller)
  const made = await readNewPasskey(ctx, caller, response, admin.id)
  return write(ctx, caller, async (tx, record) => {
    await lockAccount(tx, admin.id)
    const { length } = await listPasskeys(tx, admin.id)
    if (length >= MAX_PASSKEYS) fail(errors.tooManyPasskeys)
    const passkey = { ...made, adminId: admin.id, name: name?.trim() || `Passkey ${length + 1}` }
    if (!(await insertPasskey(tx, passkey))) fail(errors.passkeyKnown)
    const ended = await revokeSessions(tx, admin.uuid, { allBut: caller.sessionUuid }, ctx.now())
    record({ action: 'verifyPasskeyRegistration', target: admin.uuid, name: passkey.name, details: { total: ended } })
    return ended
  })
}

export async function renameOwnPasskey(ctx: Ctx, caller: Caller, edit: { id: string; name: string }) {
  const admin = await ownAdmin(ctx, caller)
  await write(ctx, caller, async (tx, record) => {
    if (!(await updatePasskeyName(tx, admin.id, edit))) fail(errors.passkeyNotFound)
    record({ action: 'renamePasskey', target: admin.uuid, name: edit.name })
  })
  return ownPasskeys(ctx, caller)
}

/** Removes a passkey of the own account and ends its other sessions. */
export async function removeOwnPasskey(ctx: Ctx, caller: Caller, { id }: { id: string }) {
  const admin = await ownAdmin(ctx, caller)
  await write(ctx, caller, async (tx, record) => {
    await lockAccount(tx, admin.id)
    const { name } = (await deletePasskeyRow(tx, admin.id, id)) ?? fail(errors.passkeyNotFound)
    await refuseLastWayIn(ctx, tx, admin)
    await deleteUnusedRecoveryCodes(tx, admin.id)
    const ended = await revokeSessions(tx, admin.uuid, { allBut: caller.sessionUuid }, ctx.now())
    record({ action: 'deletePasskey', target: admin.uuid, name, details: { total: ended } })
  })
  return ownPasskeys(ctx, caller)
}

/** Options for a browser that is to prove a passkey: one of this account, or any. */
export async function authenticationOptions(ctx: Ctx, caller: Caller, purpose: PasskeyPurpose, adminId: number | null) {
  const known = adminId === null ? [] : await listPasskeys(ctx.db, adminId)
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(ctx, caller).id,
    userVerification: 'required',
    ...(adminId === null
      ? { challenge: await newSignInChallenge(ctx) }
      : { allowCredentials: known.map(({ id, transports }) => ({ id, transports: knownTransports(transports) })) }),
  })
  if (adminId !== null) await keepChallenge(ctx, options.challenge, purpose, adminId)
  return options
}

/** The account of the passkey that has signed a challenge of ours, or why there is none. */
export async function provePasskey(
  ctx: Ctx,
  caller: Caller,
  { response, purpose, adminId }: { response: unknown; purpose: PasskeyPurpose; adminId: number | null },
): Promise<{ id: string; adminId: number } | { problem: string }> {
  const answer = response as AuthenticationResponseJSON // the library checks its form
  const passkey = typeof answer?.id === 'string' ? await findPasskey(ctx.db, answer.id.replaceAll('\0', '')) : undefined
  if (!passkey || (adminId !== null && passkey.adminId !== adminId)) return { problem: 'unknown passkey' }
  const { id, origins } = relyingParty(ctx, caller)
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: (challenge) => isChallenge(ctx, challenge, purpose, adminId),
      expectedOrigin: origins,
      expectedRPID: id,
      credential: { id: passkey.id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
      requireUserVerification: true,
    })
    if (!verified) return { problem: 'wrong signature' }
    const uses = { from: passkey.counter, to: authenticationInfo.newCounter }
    if (!(await countUse(ctx.db, passkey.id, uses, ctx.now()))) return { problem: 'used twice at once' }
    return { id: passkey.id, adminId: passkey.adminId }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

/** Signs in by a passkey alone: it proves possession, and by PIN or body the person. */
export async function loginWithPasskey(ctx: Ctx, caller: Caller, { response }: { response: unknown }): Promise<SignedIn> {
  return signingIn(async () => {
    await countAttempt(ctx, caller, NO_ACCOUNT)
    const proven = await provePasskey(ctx, caller, { response, purpose: 'signIn', adminId: null })
    if ('problem' in proven) return refuseSignIn(ctx, caller, 'passkey', `passkey: ${proven.problem}`)
    const admin = (await findAdmin(ctx.db, { id: proven.adminId })) ?? fail(errors.forbidden)
    return signInAdmin(ctx, caller, admin, {
      method: 'passkey',
      account: NO_ACCOUNT,
      isStillEnough: (tx) => hasPasskey(tx, admin.id, proven.id),
    })
  })
}

function refusePasskey(ctx: Ctx, error: unknown): never {
  ctx.log.info({ err: error }, 'passkey refused')
  return fail(errors.passkeyRefused)
}

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
const knownTransports = (names: readonly string[]) => TRANSPORTS.filter((each) => names.includes(each))
