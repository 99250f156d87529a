import { accountAlertActions, errors, MAX_LISTED_SESSIONS, openToResellers } from '@causeway/contract'
import { hash } from '@node-rs/argon2'
import type { Caller, Ctx } from '../../ctx.ts'
import { everyone } from '../../lib/scope.ts'
import { DAY_MS } from '../../lib/days.ts'
import { measurePromised } from '../../ground/scope/scope.queries.ts'
import { fail, refuseField } from '../../http/errors.ts'
import type { Raw } from '../../http/mount.ts'
import { write } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { countAttempt, forgetAttempts, NO_ACCOUNT } from './attempts.actions.ts'
import { countOpenSessions, findAdmin, listAlerts, listOpenSessions, replacePassword, revokeSessions } from './auth.queries.ts'
import { passwordProblem } from './auth.rules.ts'
import { verifyPassword } from './imported-password.actions.ts'

const ALERT_DAYS = 30
const MOST_ALERTS = 20

/** The account that this session signed in to. */
export async function findAccount(ctx: Ctx, { caller, permissions }: Pick<Raw, 'caller' | 'permissions'>) {
  const { uuid, username } = await ownAdmin(ctx, caller)
  return {
    uuid,
    username,
    isPasswordLoginAllowed: ctx.config.AUTH_PASSWORD_ENABLED,
    permissions: [...permissions],
    reseller: await roomOf(ctx, caller),
    isSecondFactorDue: caller.isSecondFactorDue === true,
    alerts: await alertsOf(ctx, caller),
  }
}

/** What a person might not know of the own account: this session has not done it. */
async function alertsOf({ db, now }: Ctx, { uuid, sessionUuid }: Caller) {
  if (uuid === null || sessionUuid === undefined) return []
  const since = new Date(now().getTime() - ALERT_DAYS * DAY_MS)
  return (await listAlerts(db, { uuid, sessionUuid, since, limit: MOST_ALERTS })).flatMap(({ action, ...alert }) => {
    const known = accountAlertActions.find((name) => name === action)
    return known ? [{ ...alert, action: known }] : []
  })
}

async function roomOf({ db, now }: Ctx, { scope }: Caller) {
  if (scope === everyone) return null
  const { name, maxUsers, maxBytes, maxDays } = scope
  const { users, bytes } = await measurePromised(db, scope, now())
  return { name, maxUsers, maxBytes, maxDays, users, promisedBytes: bytes, opens: [...openToResellers] }
}

/** Sets the password of this account and ends its other sessions. API tokens stay. Returns how many sessions ended. */
export async function changeOwnPassword(
  ctx: Ctx,
  caller: Caller,
  { currentPassword, password }: { currentPassword: string; password: string },
): Promise<number> {
  const admin = await ownAdmin(ctx, caller)
  const proving = { address: caller.address, provingSession: caller.sessionUuid ?? admin.uuid }
  await countAttempt(ctx, proving, NO_ACCOUNT)
  if (!(await verifyPassword(ctx, admin.passwordHash, currentPassword)))
    refuseField('currentPassword', 'This is not the current password')
  await forgetAttempts(ctx, proving, NO_ACCOUNT)
  const problem =
    password === currentPassword ? 'The password must differ from the current one' : passwordProblem(admin.username, password)
  if (problem) refuseField('password', problem)
  const passwordHash = await hash(password)
  return write(ctx, caller, async (tx, record) => {
    const rows = await watchRows(tx, 'admin', [admin.id])
    const change = { id: admin.id, checkedHash: admin.passwordHash, passwordHash, now: ctx.now() }
    // Changed by another session meanwhile, which has ended this one.
    if (!(await replacePassword(tx, change))) fail(errors.unauthorized)
    const ended = await revokeSessions(tx, admin.uuid, { allBut: caller.sessionUuid }, ctx.now())
    record({ action: 'changePassword', target: admin.uuid, rows, details: { total: ended } })
    return ended
  })
}

/** The open sessions of this account. */
export async function sessionsOf(ctx: Ctx, { uuid, sessionUuid }: Caller) {
  if (uuid === null) return { total: 0, sessions: [] }
  const now = ctx.now()
  const [total, sessions] = await Promise.all([
    countOpenSessions(ctx.db, uuid, now),
    listOpenSessions(ctx.db, uuid, now, MAX_LISTED_SESSIONS),
  ])
  return { total, sessions: sessions.map((session) => ({ ...session, isCurrent: session.uuid === sessionUuid })) }
}

/** Ends a session of this account; one that has ended already is no error. */
export async function endOneSession(ctx: Ctx, caller: Caller, uuid: string): Promise<number> {
  return write(ctx, caller, async (tx, record) => {
    const ended = await revokeSessions(tx, caller.uuid ?? '', { only: uuid }, ctx.now())
    if (ended > 0) record({ action: 'endSession', target: uuid })
    return ended
  })
}

export async function endSessionsBut(ctx: Ctx, caller: Caller): Promise<number> {
  return write(ctx, caller, async (tx, record) => {
    const ended = await revokeSessions(tx, caller.uuid ?? '', { allBut: caller.sessionUuid }, ctx.now())
    if (ended > 0) record({ action: 'endOtherSessions', target: caller.uuid ?? '', details: { total: ended } })
    return ended
  })
}

/** The administrator of this session. */
export async function ownAdmin(ctx: Ctx, { uuid }: Caller) {
  return (uuid === null ? undefined : await findAdmin(ctx.db, { uuid })) ?? fail(errors.unauthorized)
}
