import { sql } from 'kysely'
import type { Db } from '../../db/driver/connect.ts'
import { identityOf } from '../../ground/node-identity.queries.ts'

export type ReadingKind = 'user' | 'node'

interface NewReading {
  kind: ReadingKind
  subjectId: number
  /** Of the progress. */
  total: number
  now: Date
  expiresAt: Date
}

/** Starts a reading, or finds the one of the same subject that is under way: then it is not this caller's to carry out. */
export async function startReading(db: Db, { now, ...reading }: NewReading): Promise<{ id: string; isNew: boolean }> {
  await forgetReadings(db, now)
  const made = await db
    .insertInto('connectionReadings')
    .values(reading)
    .onConflict((conflict) => conflict.columns(['kind', 'subjectId']).where('finishedAt', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) return { id: made.id, isNew: true }
  const open = await db
    .selectFrom('connectionReadings')
    .select('id')
    .where('kind', '=', reading.kind)
    .where('subjectId', '=', reading.subjectId)
    .where('finishedAt', 'is', null)
    .executeTakeFirst()
  // It has ended between the two statements.
  return open ? { id: open.id, isNew: false } : startReading(db, { ...reading, now })
}

export function findReading(db: Db, kind: ReadingKind, id: string) {
  return db
    .selectFrom('connectionReadings')
    .select(['id', 'subjectId', 'done', 'total', 'result', 'finishedAt', 'expiresAt'])
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function advanceReading(db: Db, id: string): Promise<void> {
  await sql`update "connectionReadings" set "done" = "done" + 1 where "id" = ${id}`.execute(db)
}

export async function finishReading(db: Db, id: string, result: object, now: Date, expiresAt: Date): Promise<void> {
  await db
    .updateTable('connectionReadings')
    .set({ result: JSON.stringify(result), finishedAt: now, expiresAt })
    .where('id', '=', id)
    .execute()
}

/** Also those that a server began and did not finish. */
export async function forgetReadings(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('connectionReadings').where('expiresAt', '<', now).execute()
}

export type AskedNode = Awaited<ReturnType<typeof listAskedNodes>>[number]

/** Enabled nodes, or those of them named; how to reach them, and whether they are. */
export function listAskedNodes(db: Db, uuids?: string[]) {
  return db
    .selectFrom('nodes')
    .innerJoin('nodeStates as state', 'state.nodeId', 'nodes.id')
    .select(['nodes.id', 'nodes.uuid', 'nodes.name', 'nodes.countryCode', 'nodes.address', 'nodes.port'])
    .select(['nodes.isDisabled', 'state.isConnected', identityOf('nodes.uuid').as('identity')])
    .$if(uuids === undefined, (query) => query.where('nodes.isDisabled', '=', false))
    .$if(uuids !== undefined, (query) => query.where(sql<boolean>`nodes."uuid" = any(${uuids ?? []}::uuid[])`))
    .orderBy('nodes.id')
    .execute()
}

const named = (db: Db) => db.selectFrom('users').select(['id', 'uuid', 'username'])

export function findNamedUser(db: Db, uuid: string) {
  return named(db).where('uuid', '=', uuid).executeTakeFirst()
}

export function listNamedUsers(db: Db, by: { uuids: string[] } | { ids: number[] } | { usernames: string[] }) {
  const users = named(db).orderBy('id')
  if ('uuids' in by) return users.where(sql<boolean>`"uuid" = any(${by.uuids}::uuid[])`).execute()
  if ('ids' in by) return users.where(sql<boolean>`"id" = any(${by.ids}::bigint[])`).execute()
  return users.where(sql<boolean>`"username" = any(${by.usernames}::text[])`).execute()
}
