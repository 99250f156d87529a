import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { onRaw, type Route } from '../../http/mount.ts'
import { planUndo, planUndoOfActor, undo, undoOfActor } from './undo.actions.ts'

export function undoRoutes(ctx: Ctx): Route[] {
  return [
    onRaw(api.planUndo, ({ id, ...asked }, raw) => planUndo(ctx, raw, id, asked)),
    onRaw(api.undoEntry, (asked, raw) => undo(ctx, raw, asked)),
    onRaw(api.planUndoOfActor, (which, raw) => planUndoOfActor(ctx, raw, which)),
    onRaw(api.undoOfActor, (which, raw) => undoOfActor(ctx, raw, which)),
  ]
}
