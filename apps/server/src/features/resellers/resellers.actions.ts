import { errors, MAX_RESELLERS, type createReseller, type Input, type updateReseller } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { listSquadsByUuid } from '../../ground/members.queries.ts'
import { findReseller } from '../../ground/scope/scope.queries.ts'
import { fail } from '../../http/errors.ts'
import { refuseUnstorable } from '../../http/unstorable.ts'
import { write } from '../audit/audit.actions.ts'
import { lockRights } from '../admins/admins.queries.ts'
import {
  countResellers,
  deleteResellerRow,
  insertReseller,
  isResellerHeld,
  isResellerNameTaken,
  listResellers,
  updateResellerRow,
} from './resellers.queries.ts'

/** Makes a reseller. Administrators and tokens are bound to it afterwards. */
export async function addReseller(ctx: Ctx, caller: Caller, { squads, ...fields }: Input<typeof createReseller>) {
  refuseUnstorable(fields)
  const name = fields.name.trim()
  const { uuid } = await write(ctx, caller, async (tx, record) => {
    await lockRights(tx)
    if ((await countResellers(tx)) >= MAX_RESELLERS) fail(errors.tooManyResellers)
    if (await isResellerNameTaken(tx, name, null)) fail(errors.resellerNameTaken)
    const made = await insertReseller(tx, { ...fields, name, squadUuids: await knownSquads(tx, squads) })
    record({ action: 'createReseller', target: made.uuid, name })
    return made
  })
  return findShown(ctx.db, uuid, ctx.now())
}

/** New squads and bounds count from the next request of its members. Bounds below the promised sums undo nothing. */
export async function editReseller(ctx: Ctx, caller: Caller, { uuid, squads, ...edit }: Input<typeof updateReseller>) {
  refuseUnstorable(edit)
  const name = edit.name?.trim()
  await write(ctx, caller, async (tx, record) => {
    await lockRights(tx)
    const found = (await findReseller(tx, uuid)) ?? fail(errors.resellerNotFound)
    if (name !== undefined && (await isResellerNameTaken(tx, name, found.id))) fail(errors.resellerNameTaken)
    const fields = {
      ...edit,
      ...(name === undefined ? {} : { name }),
      ...(squads === undefined ? {} : { squadUuids: await knownSquads(tx, squads) }),
    }
    await updateResellerRow(tx, found.id, fields, ctx.now())
    record({ action: 'updateReseller', target: uuid, name: name ?? found.name })
  })
  return findShown(ctx.db, uuid, ctx.now())
}

/** Its users stay, and only unscoped callers see them. @throws resellerHeld */
export async function removeReseller(ctx: Ctx, caller: Caller, uuid: string): Promise<void> {
  await write(ctx, caller, async (tx, record) => {
    await lockRights(tx)
    const found = (await findReseller(tx, uuid)) ?? fail(errors.resellerNotFound)
    if (await isResellerHeld(tx, found.id, ctx.now())) fail(errors.resellerHeld)
    await deleteResellerRow(tx, found.id)
    record({ action: 'deleteReseller', target: uuid, name: found.name })
  })
}

async function findShown(db: Db, uuid: string, now: Date) {
  return (await listResellers(db, now)).find((each) => each.uuid === uuid) ?? fail(errors.resellerNotFound)
}

async function knownSquads(tx: Tx, uuids: string[]): Promise<string[]> {
  const wanted = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))]
  if ((await listSquadsByUuid(tx, wanted)).length < wanted.length) fail(errors.resellerSquadUnknown)
  return wanted
}
