import type * as api from '@causeway/contract'
import { errors, type Input } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { refuseUnstorable } from '../../http/unstorable.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import { signingKey, signToken } from '../auth/sessions.actions.ts'
import { deleteApiToken, findTokenDetails, insertApiToken, listApiTokens, updateApiToken } from './api-tokens.queries.ts'
import { DAY_MS } from '../../lib/days.ts'

const LIFETIME_DAYS = 99_999

/**
 * The tokens with their text, which is not stored: signing the same record again gives the same text. Those that were to be
 * shown once come without.
 */
export async function apiTokensWithText(ctx: Ctx) {
  const key = await signingKey(ctx)
  const records = await listApiTokens(ctx.db)
  return Promise.all(
    records.map(async (record) => ({ ...record, token: record.isShownOnce ? '' : await tokenText(key, record) })),
  )
}

/** The text of the token is given here and, unless it is shown once, with the list (docs/wire.md 8). */
export async function createApiToken(
  ctx: Ctx,
  caller: Caller,
  { tokenName, expiresAt = null, permissions = null, isShownOnce = false }: Input<typeof api.createLimitedApiToken>,
): Promise<{ uuid: string; token: string }> {
  refuseUnusable(ctx, { tokenName, expiresAt })
  const created = await write(ctx, caller, async (tx, record) => {
    const token = await insertApiToken(tx, { tokenName, expiresAt, permissions, isShownOnce, createdAt: ctx.now() })
    record({ action: 'createApiToken', target: token.uuid, rows: madeRows('apiToken', [token.uuid]) })
    return token
  })
  return { uuid: created.uuid, token: await tokenText(await signingKey(ctx), created) }
}

/** Holds from the token's next request on, on every server process; its text stays. @throws requestedTokenNotFound */
export function editApiToken(ctx: Ctx, caller: Caller, { uuid, ...edit }: Input<typeof api.updateApiToken>) {
  refuseUnusable(ctx, edit)
  return write(ctx, caller, async (tx, record) => {
    const rows = await watchRows(tx, 'apiToken', [uuid])
    if (!(await updateApiToken(tx, uuid, { ...edit, updatedAt: ctx.now() }))) fail(errors.requestedTokenNotFound)
    record({ action: 'updateApiToken', target: uuid, rows })
    return (await findTokenDetails(tx, uuid)) ?? fail(errors.requestedTokenNotFound)
  })
}

/** Ends a token at its next request, on every server process (docs/wire.md 8). @throws requestedTokenNotFound */
export async function removeApiToken(ctx: Ctx, caller: Caller, uuid: string): Promise<boolean> {
  return write(ctx, caller, async (tx, record) => {
    const rows = await watchRows(tx, 'apiToken', [uuid])
    if (!(await deleteApiToken(tx, uuid))) fail(errors.requestedTokenNotFound)
    record({ action: 'deleteApiToken', target: uuid, rows })
    return true
  })
}

function refuseUnusable(ctx: Ctx, fields: { tokenName?: string | undefined; expiresAt?: string | null | undefined }): void {
  refuseUnstorable(fields)
  if (fields.expiresAt && new Date(fields.expiresAt) <= ctx.now()) refuseField('expiresAt', 'must lie in the future')
}

/** Says nothing of what an administrator may change later: neither the end nor the permissions. */
function tokenText(key: Uint8Array, { uuid, createdAt }: { uuid: string; createdAt: Date }): Promise<string> {
  const expiresAt = new Date(createdAt.getTime() + LIFETIME_DAYS * DAY_MS)
  return signToken(key, { uuid, username: null, role: 'API' }, createdAt, expiresAt)
}
