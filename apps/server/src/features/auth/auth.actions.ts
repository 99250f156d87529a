import { adminNameProblem, errors } from '@causeway/contract'
import { hash } from '@node-rs/argon2'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { isPassing } from '../../db/driver/failures.ts'
import { readInstallation } from '../../ground/installation.queries.ts'
import { emitEvent } from '../../ground/outbox.queries.ts'
import { ApiError, fail, refuseField, ValidationError } from '../../http/errors.ts'
import { isWithin } from '../../lib/addresses.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows } from '../audit/rows.queries.ts'
import { asKnownTo, countAttempt, forgetAttempts, NO_ACCOUNT } from './attempts.actions.ts'
import { listKnownPlaces } from './attempts.queries.ts'
import {
  findAdmin,
  findFirstAdmin,
  hasOtherWayIn,
  hasPasskeys,
  hasSecondFactor,
  insertOnlyAdmin,
  lockAccount,
  replacePassword,
} from './auth.queries.ts'
import { isNewPlace, passwordProblem } from './auth.rules.ts'
import { isImportedPassword, verifyPassword } from './imported-password.actions.ts'
import { openSession, signingKey, type SignedIn } from './sessions.actions.ts'

export interface Credentials {
  username: string
  password: string
}

/** Of no password. Also checked when no such account exists, so that both refusals take the same time. */
export const UNUSABLE_HASH = '$argon2id$v=19$m=19456,t=2,p=1$z+WD4fMwNUtdC9/iEzY/6w$Nalpl8oW4zE0aj5HKcbuSCoe+z0/ZeVGODVQO/DFuls'

/** Which ways in are offered. Password login stays possible beside the others (docs/wire.md 9). */
export async function authStatus(ctx: Ctx) {
  const { config } = ctx
  const isRegistered = (await findFirstAdmin(ctx.db)) !== undefined
  const botId = Number(config.TELEGRAM_BOT_TOKEN?.split(':')[0])
  const tgAuth = isRegistered && config.TELEGRAM_OAUTH_ENABLED ? { botId } : null
  const providers = {
    github: isRegistered && config.OAUTH2_GITHUB_ENABLED,
    pocketid: isRegistered && config.OAUTH2_POCKETID_ENABLED,
    yandex: isRegistered && config.OAUTH2_YANDEX_ENABLED,
  }
  return {
    isLoginAllowed: isRegistered,
    isRegisterAllowed: !isRegistered,
    tgAuth,
    oauth2: { providers },
    authentication: isRegistered
      ? {
          password: { enabled: config.AUTH_PASSWORD_ENABLED },
          passkey: { enabled: await hasPasskeys(ctx.db) },
          tgAuth: { enabled: tgAuth !== null, botId: tgAuth?.botId ?? null },
          // Telegram is one of them since 2.7; its address for programs of that kind is not served.
          oauth2: {
            providers: { ...providers, keycloak: false, generic: config.OAUTH2_GENERIC_ENABLED, telegram: false },
          },
        }
      : null,
    branding: { title: null, logoUrl: null },
    isPasswordLoginAllowed: config.AUTH_PASSWORD_ENABLED,
  }
}

/** Former sign-ins that a new one is held against. */
const KNOWN_PLACES = 200

export const NAME_PROBLEMS = {
  missing: 'is missing',
  short: 'must have at least 3 characters',
  unusable: 'may have letters, digits and . _ @ + - only',
}

/** Makes the first and only administrator and signs them in. */
export async function registerAdmin(ctx: Ctx, caller: Caller, { username, password }: Credentials): Promise<SignedIn> {
  return signingIn(async () => {
    if (await findFirstAdmin(ctx.db)) fail(errors.forbidden)
    const wrongName = adminNameProblem(username)
    if (wrongName) refuseField('username', NAME_PROBLEMS[wrongName])
    const problem = passwordProblem(username, password)
    if (problem) refuseField('password', problem)
    await countAttempt(ctx, caller, NO_ACCOUNT)
    const passwordHash = await hash(password)
    const key = await signingKey(ctx)
    const session = await write(ctx, caller, async (tx, record) => {
      const admin = (await insertOnlyAdmin(tx, { username, passwordHash })) ?? fail(errors.forbidden)
      record({ action: 'registerAdmin', target: admin.uuid, rows: madeRows('admin', [admin.id]) })
      return openSession(ctx, tx, key, caller, admin)
    })
    await forgetAttempts(ctx, caller, NO_ACCOUNT)
    return session
  })
}

/** @throws forbidden for whatever is wrong, after the same time; 429 when there were too many attempts. */
export async function loginWithPassword(ctx: Ctx, caller: Caller, { username, password }: Credentials): Promise<SignedIn> {
  return signingIn(async () => {
    const admin = await provePassword(ctx, caller, { username, password })
    if (await hasSecondFactor(ctx.db, admin.id)) fail(errors.secondFactorNeeded)
    return signInAdmin(ctx, caller, admin, { method: 'password', account: username, isStillEnough: isOneFactorEnough(admin.id) })
  })
}

/** The administrator of these credentials. Counts the attempt. @throws forbidden for whatever is wrong */
export async function provePassword(ctx: Ctx, caller: Caller, { username, password }: Credentials) {
  // No account has a name that cannot be stored.
  const admin = username.includes('\0') ? undefined : await findAdmin(ctx.db, { username })
  await countAttempt(ctx, asKnownTo(caller, admin?.uuid), username)
  const isRight = await verifyPassword(ctx, admin?.passwordHash ?? UNUSABLE_HASH, password)
  if (!ctx.config.AUTH_PASSWORD_ENABLED) return refuseSignIn(ctx, caller, username, 'password login is not available')
  if (!admin) return refuseSignIn(ctx, caller, username, 'no such administrator')
  if (!isRight) return refuseSignIn(ctx, caller, username, 'wrong password')
  if (isImportedPassword(admin.passwordHash)) {
    const passwordHash = await hash(password)
    await replacePassword(ctx.db, { id: admin.id, checkedHash: admin.passwordHash, passwordHash, now: ctx.now() })
    return { ...admin, passwordHash }
  }
  return admin
}

interface Proof {
  method: string
  account: string
  /** Whether it signs in at the instant of the session too: factors may have changed since it was checked. */
  isStillEnough: (tx: Tx) => Promise<boolean>
}

/** Holds as long as the account has no second factor. */
export const isOneFactorEnough = (adminId: number) => async (tx: Tx) => !(await hasSecondFactor(tx, adminId))

/**
 * Signs in an administrator whose identity the caller has just proven. What was proven by a password or factor that changes in
 * the same moment opens no session: the change ends those there are, and would miss this one.
 */
export async function signInAdmin(
  ctx: Ctx,
  caller: Caller,
  admin: { id: number; uuid: string; username: string; passwordHash: string },
  { method, account, isStillEnough }: Proof,
): Promise<SignedIn> {
  await refuseForeignNetwork(ctx, caller, account)
  if (!caller.isDashboard) await refuseWithoutFactor(ctx, admin.id)
  const signedIn: Caller = { ...caller, kind: 'admin', uuid: admin.uuid, name: admin.username }
  const key = await signingKey(ctx)
  const session = await write(ctx, signedIn, async (tx, record) => {
    await lockAccount(tx, admin.id)
    const now = await findAdmin(tx, { id: admin.id })
    if (now?.passwordHash !== admin.passwordHash || !(await isStillEnough(tx))) fail(errors.forbidden)
    const isNew = isNewPlace(caller, await listKnownPlaces(tx, admin.id, KNOWN_PLACES))
    const newness = isNew ? { isNewPlace: true } : {}
    await emitEvent(tx, 'service.login_attempt_success', 'sign-in', {
      data: { ...attemptOf(caller, account || admin.username, method), ...newness },
    })
    const opened = await openSession(ctx, tx, key, signedIn, admin)
    record({ action: 'login', target: admin.uuid, details: { method, session: opened.sessionUuid, ...newness } })
    return opened
  })
  await forgetAttempts(ctx, account === NO_ACCOUNT ? caller : asKnownTo(caller, admin.uuid), account)
  ctx.log.info({ event: 'service.login_attempt_success', ...attemptOf(caller, account || admin.username, method) }, 'sign-in')
  return session
}

/** Refuses a change after which nothing signs in to the account. @throws lastWayIn */
export async function refuseLastWayIn({ config }: Ctx, tx: Tx, admin: { id: number; passwordHash: string }): Promise<void> {
  if (config.AUTH_PASSWORD_ENABLED && admin.passwordHash !== UNUSABLE_HASH) return
  if (!(await hasOtherWayIn(tx, admin.id))) fail(errors.lastWayIn)
}

/** A program could do nothing with a session that may only set up a second factor. */
async function refuseWithoutFactor(ctx: Ctx, adminId: number): Promise<void> {
  const { isSecondFactorRequired } = await readInstallation(ctx.db)
  if (isSecondFactorRequired && !(await hasSecondFactor(ctx.db, adminId))) fail(errors.secondFactorDue)
}

/** Only networks of the list may sign in, where there is one. The log says why, the answer does not. */
export async function refuseForeignNetwork(ctx: Ctx, caller: Caller, account: string): Promise<void> {
  const { signInNetworks } = await readInstallation(ctx.db)
  if (isWithin(signInNetworks, caller.address)) return
  await refuseSignIn(ctx, caller, account, 'this address may not sign in')
}

/** Refuses with one and the same answer; only the log says why. What was typed as password is never part of it. */
export async function refuseSignIn(ctx: Ctx, caller: Caller, username: string, reason: string): Promise<never> {
  const attempt = attemptOf(caller, username, reason)
  ctx.log.info({ event: 'service.login_attempt_failed', ...attempt }, 'sign-in')
  await emitEvent(ctx.db, 'service.login_attempt_failed', 'sign-in', { data: attempt })
  return fail(errors.forbidden)
}

/** Whatever unexpected happens while signing in is `loginError`; that the database is away is said as everywhere. */
export async function signingIn<T>(signIn: () => Promise<T>): Promise<T> {
  try {
    return await signIn()
  } catch (error) {
    if (error instanceof ApiError || error instanceof ValidationError || isPassing(error)) throw error
    return fail(errors.loginError, { cause: error })
  }
}

function attemptOf({ address, userAgent }: Caller, username: string, description: string) {
  return { loginAttempt: { username, ip: address, userAgent, description } }
}
