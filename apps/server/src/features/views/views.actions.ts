import { errors, MOST_VIEWS, type Input } from '@causeway/contract'
import type * as api from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { failingAs } from '../../http/violations.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import { countViews, deleteView, insertView, lockView, updateView } from './views.queries.ts'

const taken = { savedViewsName: errors.viewNameTaken }

/** @throws viewNameTaken, tooManyViews */
export function saveView(ctx: Ctx, caller: Caller, view: Input<typeof api.createView>) {
  const saving = write(ctx, caller, async (tx, record) => {
    if ((await countViews(tx, view.page)) >= MOST_VIEWS) fail(errors.tooManyViews)
    const saved = await insertView(tx, { ...view, now: ctx.now() })
    record({ action: 'createView', target: saved.uuid, rows: madeRows('view', [saved.uuid]) })
    return saved
  })
  return failingAs(taken, saving)
}

/** @throws viewNotFound, viewNameTaken */
export function changeView(ctx: Ctx, caller: Caller, { uuid, name, search }: Input<typeof api.updateView>) {
  const changing = write(ctx, caller, async (tx, record) => {
    if (!(await lockView(tx, uuid))) fail(errors.viewNotFound)
    const rows = await watchRows(tx, 'view', [uuid])
    const changed = await updateView(tx, uuid, { name, search, now: ctx.now() })
    record({ action: 'updateView', target: uuid, rows })
    return changed
  })
  return failingAs(taken, changing)
}

/** @throws viewNotFound */
export function removeView(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    if (!(await lockView(tx, uuid))) fail(errors.viewNotFound)
    const rows = await watchRows(tx, 'view', [uuid])
    await deleteView(tx, uuid)
    record({ action: 'deleteView', target: uuid, rows })
    return { isDeleted: true }
  })
}
