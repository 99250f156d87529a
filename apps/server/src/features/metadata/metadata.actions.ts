import { errors } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { fail } from '../../http/errors.ts'
import { refuseUnstorable } from '../../http/unstorable.ts'
import { write } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'

type Subject = 'user' | 'node'
type Metadata = Record<string, unknown>

/** @throws userNotFound, nodeNotFound, metadataNotFound where nothing has been stored */
export async function findMetadata(db: Db, of: Subject, uuid: string): Promise<{ metadata: Metadata }> {
  const id = await idOf(db, of, uuid)
  const found =
    of === 'user'
      ? await db.selectFrom('userMetadata').select('metadata').where('userId', '=', id).executeTakeFirst()
      : await db.selectFrom('nodeMetadata').select('metadata').where('nodeId', '=', id).executeTakeFirst()
  return { metadata: asMetadata((found ?? fail(errors.metadataNotFound)).metadata) }
}

interface Stored {
  of: Subject
  uuid: string
  metadata: Metadata
}

/** Takes the place of what was stored before. @throws userNotFound, nodeNotFound */
export function setMetadata(ctx: Ctx, caller: Caller, { of, uuid, metadata }: Stored) {
  refuseUnstorable({ metadata })
  return write(ctx, caller, async (tx, record) => {
    const id = await idOf(tx, of, uuid)
    const rows = await watchRows(tx, of === 'user' ? 'userMetadata' : 'nodeMetadata', [id])
    await store(tx, of, id, JSON.stringify(metadata))
    record({ action: of === 'user' ? 'setUserMetadata' : 'setNodeMetadata', target: uuid, rows })
    return { metadata }
  })
}

async function store(tx: Tx, of: Subject, id: number, metadata: string): Promise<void> {
  if (of === 'user') {
    await tx
      .insertInto('userMetadata')
      .values({ userId: id, metadata })
      .onConflict((conflict) => conflict.column('userId').doUpdateSet({ metadata }))
      .execute()
    return
  }
  await tx
    .insertInto('nodeMetadata')
    .values({ nodeId: id, metadata })
    .onConflict((conflict) => conflict.column('nodeId').doUpdateSet({ metadata }))
    .execute()
}

async function idOf(db: Db, of: Subject, uuid: string): Promise<number> {
  const table = of === 'user' ? 'users' : 'nodes'
  const row = await db.selectFrom(table).select('id').where('uuid', '=', uuid).executeTakeFirst()
  return (row ?? fail(of === 'user' ? errors.userNotFound : errors.nodeNotFound)).id
}

/** Only objects are stored. */
function asMetadata(stored: unknown): Metadata {
  return typeof stored === 'object' && stored !== null ? { ...stored } : {}
}
