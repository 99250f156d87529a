import type { MoveInPanel, MoveInReport } from '@causeway/contract'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { FOREIGN_CONFIG } from '../fleet/connection.rules.ts'
import { readOccupancy } from './load.queries.ts'
import type { Occupancy } from './occupancy.rules.ts'

// Where moving in is: the row of its page, and the nodes that it leaves alone.

export function readMoveIn(db: Db) {
  return db.selectFrom('moveIn').selectAll().executeTakeFirstOrThrow()
}

/** Of this installation, on a connection of the pool. */
export async function findOccupancy(pool: pg.Pool): Promise<Occupancy> {
  const client = await pool.connect()
  try {
    return await readOccupancy(client)
  } finally {
    client.release()
  }
}

export interface Begun {
  panel: MoveInPanel
  /** Without credentials. */
  source: string
  /** The failure to tell unless it ends: the server that does it may be killed. */
  failure: string
}

export async function beginRun(tx: Tx, begun: Begun): Promise<void> {
  await tx.updateTable('moveIn').set(begun).execute()
}

export async function saveReport(db: Db, report: MoveInReport, at: Date): Promise<void> {
  await db
    .updateTable('moveIn')
    .set({ report: JSON.stringify(report), reportedAt: at, failure: null })
    .execute()
}

export async function saveFailure(db: Db, failure: string): Promise<void> {
  await db.updateTable('moveIn').set({ failure }).execute()
}

export async function markStopped(tx: Tx, at: Date): Promise<void> {
  await tx.updateTable('moveIn').set({ stoppedAt: at }).execute()
}

export async function markEnded(tx: Tx, at: Date): Promise<void> {
  await tx.updateTable('moveIn').set({ endedAt: at }).execute()
}

/** `reason`: why nodes were left alone, which they no longer are. */
export async function takeNodesOver(tx: Tx, at: Date, reason: string): Promise<void> {
  await tx.updateTable('nodeStates').set({ lastStatusMessage: null }).where('lastStatusMessage', '=', reason).execute()
  const nodes = await listMovedNodes(tx)
  await tx
    .updateTable('moveIn')
    .set({
      isHeld: false,
      startedAt: at,
      endedAt: null,
      bytesAtStart: JSON.stringify(Object.fromEntries(nodes.map(({ uuid, bytes }) => [uuid, bytes]))),
    })
    .execute()
}

/** Leaves the nodes to another panel. Their cores go on; what they run then is no longer known here. */
export async function leaveNodes(tx: Tx, reason: string): Promise<void> {
  await tx
    .updateTable('moveIn')
    .set({ isHeld: true, stoppedAt: null, startedAt: null, bytesAtStart: null, endedAt: null })
    .execute()
  // Workers that have a lease may still write the state of their nodes; a new generation refuses that.
  await tx
    .updateTable('nodeLeases')
    .set(({ eb }) => ({ owner: '', generation: eb('generation', '+', 1), expiresAt: sql<Date>`now() - interval '1 second'` }))
    .execute()
  await tx
    .updateTable('nodeStates')
    .set({
      isConnected: false,
      isConnecting: false,
      isNodeOnline: false,
      isXrayRunning: false,
      lastStatusMessage: reason,
      runningConfigHash: sql<string | null>`case when "runningConfigHash" is null then null else ${FOREIGN_CONFIG} end`,
    })
    .execute()
}

/** Every node with its connection and all bytes that it ever moved. */
export async function listMovedNodes(db: Db) {
  return db
    .selectFrom('nodes')
    .innerJoin('nodeStates as state', 'state.nodeId', 'nodes.id')
    .select((eb) => [
      'nodes.uuid',
      'nodes.name',
      'nodes.countryCode',
      'nodes.isDisabled',
      'state.isConnected',
      'state.isConnecting',
      'state.isNodeOnline',
      'state.xrayVersion',
      'state.nodeVersion',
      'state.lastStatusMessage as message',
      eb
        .selectFrom('nodeUsageDays as usage')
        .whereRef('usage.nodeId', '=', 'nodes.id')
        .select(sql<number>`coalesce(sum("uploadBytes" + "downloadBytes"), 0)::bigint`.as('bytes'))
        .as('bytes'),
    ])
    .orderBy('nodes.viewPosition')
    .orderBy('nodes.id')
    .execute()
}
