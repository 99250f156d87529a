import type * as api from '@causeway/contract'
import {
  errors,
  isScope,
  permissionsOf,
  scopesOfPermissions,
  type Generation,
  type Input,
  type Permission,
} from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Db } from '../../db/driver/connect.ts'
import { findReseller } from '../../ground/scope/scope.queries.ts'
import { refuseUnstorable } from '../../http/unstorable.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import { signingKey, signToken } from '../auth/sessions.actions.ts'
import { deleteApiToken, findTokenDetails, insertApiToken, listApiTokens, updateApiToken } from './api-tokens.queries.ts'
import { DAY_MS } from '../../lib/days.ts'
import { everyone, type Scope } from '../../lib/scope.ts'

const LIFETIME_DAYS = 99_999

/**
 * The tokens with their text, which is not stored: signing the same record again gives the same text. Those that were to be
 * shown once come without, and all of them where a session has to prove its person first: it may be a stolen one.
 */
export async function apiTokensWithText(ctx: Ctx, { scope, isProven = true }: Caller) {
  const key = await signingKey(ctx)
  const records = await listApiTokens(ctx.db, scope)
  const apiKeys = await Promise.all(
    records.map(async (record) => ({ ...record, token: record.isShownOnce || !isProven ? '' : await tokenText(key, record) })),
  )
  return { apiKeys, tokens: records.map(toScopedToken), ...(isProven ? {} : { isTextWithheld: true }) }
}

interface NewToken {
  tokenName: string
  expiresAt?: string | null | undefined
  permissions?: readonly Permission[] | null | undefined
  isShownOnce?: boolean | undefined
  generation?: Generation | undefined
  scopes?: string[] | undefined
  /** Whose users it sees; absent: every user. */
  resellerUuid?: string | null | undefined
}

/** The text of the token is given here and, unless it is shown once, with the list (docs/wire.md 8). */
export async function createApiToken(ctx: Ctx, caller: Caller, token: NewToken) {
  const { tokenName, expiresAt = null, isShownOnce = false, generation = null, scopes = null, resellerUuid } = token
  refuseUnusable(ctx, { tokenName, expiresAt })
  const createdAt = ctx.now()
  const created = await write(ctx, caller, async (tx, record) => {
    const permissions = token.permissions ? [...token.permissions] : null
    const madeBy = caller.kind === 'admin' ? caller.uuid : null
    const fields = {
      tokenName,
      expiresAt,
      permissions,
      isShownOnce,
      generation,
      scopes,
      createdAt,
      madeBy,
      resellerId: await resellerOf(tx, caller.scope, resellerUuid),
    }
    const inserted = await insertApiToken(tx, fields)
    record({ action: 'createApiToken', target: inserted.uuid, rows: madeRows('apiToken', [inserted.uuid]) })
    return inserted
  })
  return { ...toScopedToken(created), token: await tokenText(await signingKey(ctx), created) }
}

/**
 * A program of 2.1 gives a name; later ones also for how long, and scopes. Those words say which generation it speaks. Limits of
 * `/api/x/tokens` hold here as well, so that a token never gets more than was asked for.
 */
export function createProgramToken(ctx: Ctx, caller: Caller, asked: Input<typeof api.createApiToken>) {
  const { name, expiresInDays, scopes, expiresAt, permissions, isShownOnce } = asked
  if (scopes && permissions !== undefined) refuseField('permissions', 'cannot be given beside scopes')
  if (expiresInDays !== undefined && expiresAt !== undefined) refuseField('expiresAt', 'cannot be given beside expiresInDays')
  const tokenName = asked.tokenName ?? name ?? refuseField('tokenName', 'Required')
  const isScoped = name !== undefined || expiresInDays !== undefined || scopes !== undefined
  const unknown = scopes?.find((scope) => !isScope(scope))
  if (unknown !== undefined) fail(errors.invalidTokenScope, { message: `There is no scope ${unknown}.` })
  return createApiToken(ctx, caller, {
    tokenName,
    generation: asked.generation ?? (isScoped ? '3.3' : undefined),
    isShownOnce,
    expiresAt: expiresInDays === undefined ? expiresAt : inDays(ctx.now(), expiresInDays).toISOString(),
    ...(scopes ? { scopes, permissions: permissionsOf(scopes) } : { permissions }),
  })
}

type StoredToken = Awaited<ReturnType<typeof listApiTokens>>[number]

/** As generations from 2.8 on list a token. */
function toScopedToken({ uuid, tokenName, expiresAt, permissions, scopes, createdAt, updatedAt }: StoredToken) {
  return {
    uuid,
    name: tokenName,
    expireAt: expiresAt ?? inDays(createdAt, LIFETIME_DAYS),
    scopes: scopes ?? scopesOfPermissions(permissions),
    createdAt,
    updatedAt,
  }
}

function inDays(from: Date, days: number): Date {
  return new Date(from.getTime() + days * DAY_MS)
}

/** Holds from the token's next request on, on every server process; its text stays. @throws requestedTokenNotFound */
export function editApiToken(ctx: Ctx, caller: Caller, { uuid, resellerUuid, ...edit }: Input<typeof api.updateApiToken>) {
  refuseUnusable(ctx, edit)
  return write(ctx, caller, async (tx, record) => {
    const rows = await watchRows(tx, 'apiToken', [uuid])
    const reseller = resellerUuid === undefined ? {} : { resellerId: await resellerOf(tx, caller.scope, resellerUuid) }
    if (!(await updateApiToken(tx, caller.scope, uuid, { ...edit, ...reseller }, ctx.now()))) fail(errors.requestedTokenNotFound)
    record({ action: 'updateApiToken', target: uuid, rows })
    return (await findTokenDetails(tx, caller.scope, uuid)) ?? fail(errors.requestedTokenNotFound)
  })
}

/** Ends a token at its next request, on every server process (docs/wire.md 8). @throws requestedTokenNotFound */
export async function removeApiToken(ctx: Ctx, caller: Caller, uuid: string): Promise<boolean> {
  return write(ctx, caller, async (tx, record) => {
    const rows = await watchRows(tx, 'apiToken', [uuid])
    if (!(await deleteApiToken(tx, caller.scope, uuid))) fail(errors.requestedTokenNotFound)
    record({ action: 'deleteApiToken', target: uuid, rows })
    return true
  })
}

/** The reseller of a token: that of the caller, or one that an unscoped caller names. @throws resellerNotFound */
async function resellerOf(db: Db, scope: Scope, uuid: string | null | undefined): Promise<number | null> {
  if (scope !== everyone) return uuid === null || uuid === undefined ? scope.id : fail(errors.resellerNotFound)
  if (uuid === null || uuid === undefined) return null
  return ((await findReseller(db, uuid)) ?? fail(errors.resellerNotFound)).id
}

function refuseUnusable(ctx: Ctx, fields: { tokenName?: string | undefined; expiresAt?: string | null | undefined }): void {
  refuseUnstorable(fields)
  if (fields.expiresAt && new Date(fields.expiresAt) <= ctx.now()) refuseField('expiresAt', 'must lie in the future')
}

/** Says nothing of what an administrator may change later: neither the end nor the permissions. */
function tokenText(key: Uint8Array, { uuid, createdAt }: { uuid: string; createdAt: Date }): Promise<string> {
  return signToken(key, { uuid, username: null, role: 'API' }, createdAt, inDays(createdAt, LIFETIME_DAYS))
}
