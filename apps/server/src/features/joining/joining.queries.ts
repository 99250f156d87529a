import type { JoinFailure } from '@causeway/contract'
import type { Db, Tx } from '../../db/driver/connect.ts'

/** Replaces the code that the node had, and what was known of its joining. */
export async function insertJoin(
  tx: Tx,
  join: { nodeId: number; codeHash: Buffer; madeAt: Date; expiresAt: Date; isCalling: boolean },
): Promise<void> {
  await tx.deleteFrom('nodeJoins').where('nodeId', '=', join.nodeId).execute()
  await tx.insertInto('nodeJoins').values(join).execute()
}

const STEPS = ['fetchedAt', 'downloadedAt', 'signedAt', 'installedAt', 'reachedAt', 'startedAt', 'servingAt'] as const

export function findJoin(db: Db, nodeId: number) {
  return db
    .selectFrom('nodeJoins')
    .select(['madeAt', 'expiresAt', ...STEPS, 'failure', 'failureDetail', 'failedAt', 'unreached', 'isCalling'])
    .where('nodeId', '=', nodeId)
    .executeTakeFirst()
}

/** The node that a code is for, while it counts; `isUsed` admits codes whose certificate is signed. */
export function findNodeOfCode(db: Db, codeHash: Buffer, now: Date, { isUsed = false } = {}) {
  return nodesOfCodes(db, codeHash, now, isUsed).executeTakeFirst()
}

/** The same, held until the transaction ends: of two machines with one code, one gets it. */
export function lockNodeOfCode(tx: Tx, codeHash: Buffer, now: Date) {
  return nodesOfCodes(tx, codeHash, now, false).forUpdate('nodeJoins').executeTakeFirst()
}

function nodesOfCodes(db: Db, codeHash: Buffer, now: Date, isUsed: boolean) {
  return db
    .selectFrom('nodeJoins')
    .innerJoin('nodes', 'nodes.id', 'nodeJoins.nodeId')
    .select(['nodes.id', 'nodes.uuid', 'nodes.name', 'nodes.port', 'nodeJoins.isCalling'])
    .where('nodeJoins.codeHash', '=', codeHash)
    .where('nodeJoins.expiresAt', '>', now)
    .$if(!isUsed, (query) => query.where('nodeJoins.signedAt', 'is', null))
}

type ToldStep = 'fetchedAt' | 'downloadedAt' | 'signedAt' | 'installedAt'

/** A step that is told again keeps its first time; a failure before it is over. */
export async function noteStep(db: Db, nodeId: number, step: ToldStep, now: Date): Promise<void> {
  await db
    .updateTable('nodeJoins')
    .set((eb) => ({
      [step]: eb.fn.coalesce(step, eb.val(now)),
      failure: null,
      failureDetail: null,
      failedAt: null,
    }))
    .where('nodeId', '=', nodeId)
    .execute()
}

export async function noteFailure(db: Db, nodeId: number, failure: JoinFailure, detail: string | null, now: Date): Promise<void> {
  await db.updateTable('nodeJoins').set({ failure, failureDetail: detail, failedAt: now }).where('nodeId', '=', nodeId).execute()
}
