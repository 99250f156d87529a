import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { onRaw, type Route } from '../../http/mount.ts'
import { planUndo, planUndoOfActor, undo, undoOfActor } from './undo.actions.ts'

export function undoRoutes(ctx: Ctx): Route[] {
  return [
    onRaw(api.planUndo, ({ id, ...asked }, { permissions }) => planUndo(ctx, permissions, id, asked)),
    onRaw(api.undoEntry, (asked, { caller, permissions }) => undo(ctx, caller, permissions, asked)),
    onRaw(api.planUndoOfActor, (which, { permissions }) => planUndoOfActor(ctx, permissions, which)),
    onRaw(api.undoOfActor, (which, { caller, permissions }) => undoOfActor(ctx, caller, permissions, which)),
  ]
}
