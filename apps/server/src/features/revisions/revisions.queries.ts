import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

export type RevisionKind = 'profile' | 'snippet' | 'template' | 'responseRules'

interface Save {
  kind: RevisionKind
  uuid: string
  /** The content before; the first revision of a text older than revisions. */
  before: { content: string; at: Date } | undefined
  content: string
  at: Date
  caller: { kind: string; name: string | null }
  reason?: string | undefined
}

/**
 * Keeps what was saved, in the transaction that saves it. The thing itself is held, so no two saves take one number. A save that
 * changes nothing is none.
 */
export async function keepRevision(tx: Tx, { kind, uuid, before, content, at, caller, reason }: Save): Promise<void> {
  let last = await findNewest(tx, kind, uuid)
  if (before !== undefined && last?.content !== before.content) {
    // Older than revisions, or changed by something that keeps none.
    last = { number: (last?.number ?? 0) + 1, content: before.content }
    await insert(tx, { kind, subjectUuid: uuid, ...last, at: before.at, actorKind: 'system', actorName: null, reason: null })
  }
  if (last?.content === content) return
  const number = (last?.number ?? 0) + 1
  const { kind: actorKind, name: actorName } = caller
  await insert(tx, { kind, subjectUuid: uuid, number, content, at, actorKind, actorName, reason: reason ?? null })
}

function findNewest(tx: Tx, kind: RevisionKind, uuid: string) {
  return tx
    .selectFrom('revisions')
    .select(['number', 'content'])
    .where('kind', '=', kind)
    .where('subjectUuid', '=', uuid)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

interface NewRevision {
  kind: RevisionKind
  subjectUuid: string
  number: number
  content: string
  at: Date
  actorKind: string
  actorName: string | null
  reason: string | null
}

async function insert(tx: Tx, row: NewRevision): Promise<void> {
  await tx.insertInto('revisions').values(row).execute()
}

const told = ['number', 'at', 'actorKind', 'actorName', 'reason'] as const

export function listRevisions(db: Db, kind: RevisionKind, uuid: string) {
  return db
    .selectFrom('revisions')
    .select(told)
    .where('kind', '=', kind)
    .where('subjectUuid', '=', uuid)
    .orderBy('number', 'desc')
    .execute()
}

export function findRevision(db: Db, kind: RevisionKind, uuid: string, number: number) {
  return db
    .selectFrom('revisions')
    .select([...told, 'content'])
    .where('kind', '=', kind)
    .where('subjectUuid', '=', uuid)
    .where('number', '=', number)
    .executeTakeFirst()
}

/** Forgets what is older than this, and beyond so many of one thing. What a thing holds now stays. */
export async function deleteOldRevisions(db: Db, before: Date, kept: number): Promise<void> {
  await sql`
    with ranked as (
      select "id", "at", row_number() over (partition by "kind", "subjectUuid" order by "number" desc) as "rank" from "revisions"
    )
    delete from "revisions" using ranked
    where "revisions"."id" = ranked."id" and ranked."rank" > 1 and (ranked."at" < ${before} or ranked."rank" > ${kept})
  `.execute(db)
}
