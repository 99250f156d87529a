import { sql } from 'kysely'
import type { UnreachedReason } from '@causeway/contract'
import type { Db, Tx } from '../db/driver/connect.ts'
import type { NodeIdentity, SignedCertificate } from './node-identity.rules.ts'

// Certificates of nodes that make their keys themselves, and what the fleet sees of a node that joins.

const DAYS_KEPT = 30

/** The certificates that the agent of a node may show; `uuid` is a column of the statement. */
export function identityOf(uuid: string) {
  return sql<NodeIdentity | null>`(
    select json_build_object(
      'fingerprints', coalesce(json_agg(held."fingerprint" order by held."signedAt") filter (where held."revokedAt" is null), '[]'::json),
      'isRequired', bool_or(held."seenAt" is not null or held."revokedAt" is not null),
      'isCalling', coalesce((array_agg(held."isCalling" order by held."signedAt" desc) filter (where held."revokedAt" is null))[1], false))
    from "nodeCertificates" held where held."nodeUuid" = ${sql.ref(uuid)} having count(*) > 0
  )`
}

/** Forgets those that ended long ago, of this node and of nodes that are gone. */
export async function insertCertificate(
  tx: Tx,
  node: { uuid: string; isCalling: boolean },
  { fingerprint, endsAt }: SignedCertificate,
  now: Date,
): Promise<void> {
  const { uuid: nodeUuid, isCalling } = node
  await tx.insertInto('nodeCertificates').values({ fingerprint, nodeUuid, endsAt, isCalling, signedAt: now }).execute()
  await sql`
    delete from "nodeCertificates" where "endsAt" < ${now}::timestamptz - ${DAYS_KEPT} * interval '1 day'
      and ("nodeUuid" = ${nodeUuid} or not exists (select from "nodes" where "uuid" = "nodeUuid"))
  `.execute(tx)
}

export function listCertificates(db: Db, nodeUuid: string) {
  return db
    .selectFrom('nodeCertificates')
    .select(['fingerprint', 'endsAt', 'seenAt', 'revokedAt', 'isCalling'])
    .where('nodeUuid', '=', nodeUuid)
    .orderBy('signedAt', 'desc')
    .execute()
}

export async function revokeCertificates(tx: Tx, nodeUuid: string, now: Date): Promise<number> {
  const rows = await tx
    .updateTable('nodeCertificates')
    .set({ revokedAt: now })
    .where('nodeUuid', '=', nodeUuid)
    .where('revokedAt', 'is', null)
    .returning('fingerprint')
    .execute()
  return rows.length
}

/** The agent shows it: from now on its secret key counts no more. */
export async function noteCertificateSeen(tx: Tx, fingerprint: string, now: Date): Promise<void> {
  await tx
    .updateTable('nodeCertificates')
    .set({ seenAt: now })
    .where('fingerprint', '=', fingerprint)
    .where('seenAt', 'is', null)
    .execute()
}

/** The core of a node that joins has started; `serving` once a user is acknowledged there. */
export async function noteJoined(tx: Tx, nodeId: number, now: Date): Promise<void> {
  await sql`
    update "nodeJoins" set "reachedAt" = coalesce("reachedAt", ${now}), "startedAt" = coalesce("startedAt", ${now}), "unreached" = null,
      "servingAt" = case when exists (select from "acknowledgedUsers" a where a."nodeId" = ${nodeId}) then ${now}::timestamptz end
    where "nodeId" = ${nodeId} and "signedAt" is not null and "servingAt" is null
  `.execute(tx)
}

export async function noteReached(tx: Tx, nodeId: number, now: Date): Promise<void> {
  await sql`
    update "nodeJoins" set "reachedAt" = ${now}, "unreached" = null
    where "nodeId" = ${nodeId} and "signedAt" is not null and "reachedAt" is null
  `.execute(tx)
}

export async function noteUnreached(tx: Tx, nodeId: number, reason: UnreachedReason): Promise<void> {
  await sql`
    update "nodeJoins" set "unreached" = ${reason} where "nodeId" = ${nodeId} and "reachedAt" is null
  `.execute(tx)
}
