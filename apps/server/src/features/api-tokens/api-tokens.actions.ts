import { errors } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import { signingKey, signToken } from '../auth/sessions.actions.ts'
import { deleteApiToken, insertApiToken, listApiTokens } from './api-tokens.queries.ts'

const DAY_MS = 86_400_000
const LIFETIME_DAYS = 99_999

/** The tokens with their text, which is not stored: signing the same record again gives the same text. */
export async function apiTokensWithText(ctx: Ctx) {
  const key = await signingKey(ctx)
  const records = await listApiTokens(ctx.db)
  return Promise.all(records.map(async (record) => ({ ...record, token: await tokenText(key, record) })))
}

/** The text of the token is given here and with the list (docs/wire.md 8). */
export async function createApiToken(ctx: Ctx, caller: Caller, tokenName: string): Promise<{ uuid: string; token: string }> {
  const created = await write(ctx, caller, async (tx, record) => {
    const token = await insertApiToken(tx, { tokenName, createdAt: ctx.now() })
    record({ action: 'createApiToken', target: token.uuid, rows: madeRows('apiToken', [token.uuid]) })
    return token
  })
  return { uuid: created.uuid, token: await tokenText(await signingKey(ctx), created) }
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

function tokenText(key: Uint8Array, { uuid, createdAt }: { uuid: string; createdAt: Date }): Promise<string> {
  const expiresAt = new Date(createdAt.getTime() + LIFETIME_DAYS * DAY_MS)
  return signToken(key, { uuid, username: null, role: 'API' }, createdAt, expiresAt)
}
