import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

/** Without their contents. */
export function listGeoFiles(db: Db) {
  return db
    .selectFrom('geoFiles')
    .select(['name', 'kind', 'bytes', 'digest', 'lists', 'revision', 'uploadedAt', 'uploadedBy'])
    .orderBy('name')
    .execute()
}

/** Their version is made from these. */
export function listGeoDigests(db: Db) {
  return db.selectFrom('geoFiles').select(['name', 'digest', 'uploadedAt']).orderBy('name').execute()
}

export async function readGeoContent(db: Db, name: string): Promise<Buffer> {
  const { content } = await db.selectFrom('geoFiles').select('content').where('name', '=', name).executeTakeFirstOrThrow()
  return content
}

/** Until the end of the transaction no other one changes geo files, or starts an update of them. */
export async function lockGeoFiles(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('geo files'))`.execute(tx)
}

/** Forgets what has arrived of a file, and of others that stopped arriving. */
export async function deletePieces(tx: Tx, name: string, before?: Date): Promise<void> {
  await tx
    .deleteFrom('geoFilePieces')
    .where((row) => row.or([row('name', '=', name), ...(before ? [row('receivedAt', '<', before)] : [])]))
    .execute()
}

export async function countReceived(tx: Tx, name: string): Promise<number> {
  const { bytes } = await tx
    .selectFrom('geoFilePieces')
    .select(sql<number>`coalesce(sum(length("content")), 0)::integer`.as('bytes'))
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return bytes
}

export async function insertPiece(
  tx: Tx,
  row: { name: string; offset: number; content: Buffer; receivedAt: Date },
): Promise<void> {
  await tx.insertInto('geoFilePieces').values(row).execute()
}

export async function readPieces(tx: Tx, name: string): Promise<Buffer> {
  const rows = await tx.selectFrom('geoFilePieces').select('content').where('name', '=', name).orderBy('offset').execute()
  return Buffer.concat(rows.map(({ content }) => content))
}

export interface NewGeoFile {
  name: string
  kind: 'geoip' | 'geosite'
  bytes: number
  digest: string
  lists: string[]
  content: Buffer
  uploadedAt: Date
  uploadedBy: string | null
}

/** Gives its revision. */
export async function upsertGeoFile(tx: Tx, { name, ...row }: NewGeoFile): Promise<number> {
  const { revision } = await tx
    .insertInto('geoFiles')
    .values({ name, ...row, revision: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((from) => ({ ...row, revision: sql<number>`${from.ref('geoFiles.revision')} + 1` })),
    )
    .returning('revision')
    .executeTakeFirstOrThrow()
  return revision
}

export async function deleteGeoFileRow(tx: Tx, name: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('geoFiles').where('name', '=', name).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Whether nodes are being updated to the geo files as they are now. */
export async function isGeoUpdateOpen(tx: Tx): Promise<boolean> {
  const open = tx.selectFrom('configProfileRollouts').select('id').where('part', '=', 'geo').where('endedAt', 'is', null)
  return (await open.executeTakeFirst()) !== undefined
}
