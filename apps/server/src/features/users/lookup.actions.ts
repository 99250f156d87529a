import { errors, type Input } from '@causeway/contract'
import type * as api from '@causeway/contract'
import type { Scope } from '../../lib/scope.ts'
import type { Db } from '../../db/driver/connect.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { findUserKeys, listIdsAfter, type UserNames } from './lookup.queries.ts'
import { listUsersById } from './users.queries.ts'

const STREAMED = 250

/** A page of all users by number, from behind the cursor; the cursor is the number of the last one. */
export async function streamUsers(db: Db, scope: Scope, query: Input<typeof api.streamUsers>) {
  const { cursor = '0', size = STREAMED, telegramId, ...wanted } = query
  const after = Number(cursor)
  if (!Number.isSafeInteger(after)) refuseField('cursor', 'is no cursor of this route')
  if (wanted.tag?.includes('\0')) refuseField('tag', 'names nobody')
  const limit = Number(size)
  const id = telegramId === undefined ? undefined : Number(telegramId)
  const found = await listIdsAfter(db, scope, after, limit + 1, { ...wanted, telegramId: id })
  const ids = found.slice(0, limit)
  return { rows: await listUsersById(db, ids), nextCursor: found.length > limit ? String(ids.at(-1)) : null }
}

/** @throws userNotFound; ValidationError where no name is given */
export async function resolveUser(db: Db, names: UserNames) {
  if (names.uuid === undefined && names.shortUuid === undefined && names.username === undefined)
    refuseField('id', 'is required, or uuid, shortUuid or username')
  for (const [name, text] of Object.entries(names)) if (String(text).includes('\0')) refuseField(name, 'names nobody')
  return (await findUserKeys(db, names)) ?? fail(errors.userNotFound)
}
