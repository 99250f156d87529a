import type { TrafficLimitStrategy, UserStatus } from '@causeway/contract'
import { sql } from 'kysely'
import { everyone, type Scope } from '../../lib/scope.ts'
import type { Db } from '../../db/driver/connect.ts'
import { isVisible } from '../../ground/scope/scope.queries.ts'

export interface Wanted {
  status?: UserStatus | undefined
  trafficLimitStrategy?: TrafficLimitStrategy | undefined
  telegramId?: number | undefined
  email?: string | undefined
  tag?: string | undefined
  externalSquadUuid?: string | undefined
}

/** Users by number, from behind one of them. */
export async function listIdsAfter(db: Db, scope: Scope, after: number, limit: number, wanted: Wanted): Promise<number[]> {
  let query = db.selectFrom('users').select('id').where('id', '>', after)
  if (scope !== everyone) query = query.where(isVisible(scope, sql`"users"."id"`))
  if (wanted.status !== undefined) query = query.where('status', '=', wanted.status)
  if (wanted.trafficLimitStrategy !== undefined) query = query.where('trafficLimitStrategy', '=', wanted.trafficLimitStrategy)
  if (wanted.telegramId !== undefined) query = query.where('telegramId', '=', wanted.telegramId)
  if (wanted.email !== undefined) query = query.where('email', '=', wanted.email)
  if (wanted.tag !== undefined) query = query.where('tag', '=', wanted.tag)
  if (wanted.externalSquadUuid !== undefined) query = query.where('externalSquadUuid', '=', wanted.externalSquadUuid)
  return (await query.orderBy('id').limit(limit).execute()).map(({ id }) => id)
}

export interface UserNames {
  uuid?: string | undefined
  shortUuid?: string | undefined
  username?: string | undefined
}

/** Condition on a user by any of the names. */
export function findUserKeys(db: Db, { uuid, shortUuid, username }: UserNames) {
  let query = db.selectFrom('users').select(['id', 'uuid', 'username', 'shortUuid'])
  if (uuid !== undefined) query = query.where('uuid', '=', uuid)
  if (shortUuid !== undefined) query = query.where('shortUuid', '=', shortUuid)
  if (username !== undefined) query = query.where('username', '=', username)
  return query.executeTakeFirst()
}
