import type * as api from '@causeway/contract'
import { errors, type Input, type KnownError } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { fail } from '../../http/errors.ts'
import { failingAs } from '../../http/violations.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import { queueAllForNodes } from '../../ground/delivery.queries.ts'
import { setPlaces, type Place } from '../../ground/places.queries.ts'
import {
  findInternalSquad,
  listInboundsByUuid,
  listInternalSquads,
  listSquadInbounds,
  lockInternalSquad,
  replaceSquadInbounds,
  squadColumns,
} from './internal-squads.queries.ts'

const RESERVED_NAME = 'Default-Squad'
const NAME_TAKEN: Record<string, KnownError> = { internalSquads_name_key: errors.internalSquadNameAlreadyExists }

/** Nodes are not told: it has no members yet. @throws reservedInternalSquadName, internalSquadNameAlreadyExists, inboundUnknownForNewSquad */
export function createInternalSquad(ctx: Ctx, caller: Caller, { inbounds, ...fields }: Input<typeof api.createInternalSquad>) {
  if (fields.name === RESERVED_NAME) fail(errors.reservedInternalSquadName)
  return write(ctx, caller, async (tx, record) => {
    const { id, uuid } = await failingAs(
      NAME_TAKEN,
      tx.insertInto('internalSquads').values(squadColumns(fields)).returning(['id', 'uuid']).executeTakeFirstOrThrow(),
    )
    const known = await knownInbounds(tx, inbounds, errors.inboundUnknownForNewSquad)
    await replaceSquadInbounds(
      tx,
      id,
      known.map((inbound) => inbound.id),
    )
    record({ action: 'createInternalSquad', target: uuid, rows: madeRows('squad', [id]) })
    return (await findInternalSquad(tx, caller.scope, uuid)) ?? fail(errors.createInternalSquadError)
  })
}

/** Renames a squad or replaces its inbounds; the nodes of every profile whose part of the set changed compare their users. */
export function editInternalSquad(
  ctx: Ctx,
  caller: Caller,
  { uuid, inbounds, ...fields }: Input<typeof api.updateInternalSquad>,
) {
  return write(ctx, caller, async (tx, record) => {
    const squad = (await lockInternalSquad(tx, uuid)) ?? fail(errors.internalSquadNotFound)
    const columns = squadColumns(fields)
    if (Object.keys(columns).length === 0 && inbounds === undefined) fail(errors.nameOrInboundsRequired)
    const rows = await watchRows(tx, 'squad', [squad.id])
    await failingAs(
      NAME_TAKEN,
      tx
        .updateTable('internalSquads')
        .set({ ...columns, updatedAt: ctx.now() })
        .where('id', '=', squad.id)
        .execute(),
    )
    if (inbounds !== undefined) {
      const old = await listSquadInbounds(tx, squad.id)
      const wanted = await knownInbounds(tx, inbounds, errors.inboundUnknownForSquad)
      await replaceSquadInbounds(
        tx,
        squad.id,
        wanted.map((inbound) => inbound.id),
      )
      const changed = [
        ...old.filter(({ id }) => !wanted.some((inbound) => inbound.id === id)),
        ...wanted.filter(({ id }) => !old.some((inbound) => inbound.id === id)),
      ]
      await queueAllForNodes(tx, { profileIds: [...new Set(changed.map((inbound) => inbound.profileId))] })
    }
    const after = (await findInternalSquad(tx, caller.scope, uuid)) ?? fail(errors.updateInternalSquadError)
    record({ action: 'updateInternalSquad', target: uuid, rows })
    return after
  })
}

/** Its members lose its inbounds; nodes of the profiles concerned compare their users. @throws internalSquadNotFound */
export function removeInternalSquad(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const squad = (await lockInternalSquad(tx, uuid)) ?? fail(errors.internalSquadNotFound)
    const rows = await watchRows(tx, 'wholeSquad', [squad.id])
    const inbounds = await listSquadInbounds(tx, squad.id)
    await tx.deleteFrom('internalSquads').where('id', '=', squad.id).execute()
    await queueAllForNodes(tx, { profileIds: [...new Set(inbounds.map((inbound) => inbound.profileId))] })
    record({ action: 'deleteInternalSquad', target: uuid, rows })
    return { isDeleted: true }
  })
}

/** Squads that are not named keep their place; unknown ones are passed over. */
export function reorderInternalSquads(ctx: Ctx, caller: Caller, items: Place[]) {
  return write(ctx, caller, async (tx, record) => {
    const rows = await watchRows(
      tx,
      'squadPlace',
      items.map(({ uuid }) => uuid),
    )
    await setPlaces(tx, 'internalSquads', items)
    record({ action: 'reorderInternalSquads', target: `${items.length} squads`, rows })
    return listInternalSquads(tx, caller.scope)
  })
}

async function knownInbounds(tx: Tx, uuids: string[], refusal: KnownError) {
  const distinct = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))]
  const known = await listInboundsByUuid(tx, distinct)
  if (known.length < distinct.length) {
    const unknown = distinct.filter((uuid) => !known.some((inbound) => inbound.uuid === uuid))
    fail(refusal, { message: `No such inbound: ${unknown.join(', ')}. Reload the list of inbounds and choose again.` })
  }
  return known
}
