import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

/** Whether a certificate counts for this node, and its agent is the one that calls. */
export async function isCertificateCalling(db: Db, nodeUuid: string, fingerprint: string): Promise<boolean> {
  const found = await db
    .selectFrom('nodeCertificates')
    .innerJoin('nodes', 'nodes.uuid', 'nodeCertificates.nodeUuid')
    .select('nodes.id')
    .where('nodeUuid', '=', nodeUuid)
    .where('fingerprint', '=', fingerprint)
    .where('isCalling', '=', true)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

export async function isNodeConnected(tx: Tx, nodeId: number): Promise<boolean> {
  const state = await tx.selectFrom('nodeStates').select('isConnected').where('nodeId', '=', nodeId).executeTakeFirst()
  return state?.isConnected ?? false
}

/** Stays until an administrator has looked, as the counters of the copy are nowhere. */
export async function noteCopy(db: Db, nodeUuid: string): Promise<void> {
  await sql`
    update "nodeStates" set "warning" = ${COPIED} from "nodes"
    where "nodes"."uuid" = ${nodeUuid} and "nodeStates"."nodeId" = "nodes"."id" and "warning" is distinct from ${COPIED}
  `.execute(db)
}

const COPIED =
  'A second machine calls with the identity of this node: a copy of its disk runs. It is not admitted. Let it join as a node of its own.'
