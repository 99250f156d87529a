import type { Insertable } from 'kysely'
import type { Tx } from '../../db/driver/connect.ts'
import type { Tables } from '../../db/tables.ts'
import { replaceUserSquads } from '../../ground/members.queries.ts'

type NewRow = Insertable<Tables['users']>

/** A user with usage and memberships; nothing where the name has been taken meanwhile. */
export async function insertImported(tx: Tx, row: NewRow, squadIds: number[]): Promise<number | undefined> {
  const made = await tx
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return undefined
  await tx.insertInto('userUsage').values({ userId: made.id }).execute()
  if (squadIds.length > 0) await replaceUserSquads(tx, made.id, squadIds)
  return made.id
}

/** Ids and uuids of squads by their names. */
export function listSquadNames(tx: Tx | Pick<Tx, 'selectFrom'>) {
  return tx.selectFrom('internalSquads').select(['id', 'uuid', 'name']).execute()
}

export function listExternalSquadNames(tx: Tx | Pick<Tx, 'selectFrom'>) {
  return tx.selectFrom('externalSquads').select(['uuid', 'name']).execute()
}
