import type { Ctx } from '../../ctx.ts'
import { asText } from '../../db/audited-rows.ts'
import { openRows } from '../audit/opened.actions.ts'
import { leaveAddress, retireNode } from '../fleet/retirement.actions.ts'
import type { Lease } from '../../ground/leases.queries.ts'
import { findEntryRows, findNodePlaces } from './undo.queries.ts'

/**
 * Before nodes go or move: their counters are booked and their cores ended, as far as their agents answer within seconds. Gives
 * the leases to be released when the undo is over.
 */
export async function leaveNodes(ctx: Ctx, entryId: number): Promise<Lease[]> {
  const entry = await findEntryRows(ctx.db, entryId)
  const [to, from] = [openRows(ctx.secrets, entry?.before), openRows(ctx.secrets, entry?.after)]
  const leases: Lease[] = []
  for (const row of from.nodes ?? []) {
    const [id, back] = [Number(row['id']), to.nodes?.find((other) => other['id'] === row['id'])]
    const [place] = await findNodePlaces(ctx.db, [id])
    if (!place) continue
    if (!back) {
      await retireNode(ctx, id)
      continue
    }
    const isMoved = place.address === (row['address'] ?? place.address) && place.port === (row['port'] ?? place.port)
    if (!isMoved) continue // changed since
    const { address = place.address, port = place.port } = back
    const left = await leaveAddress(ctx, id, { address: asText(address), port: port === null ? null : Number(port) })
    if (left) leases.push(left.lease)
  }
  return leases
}
