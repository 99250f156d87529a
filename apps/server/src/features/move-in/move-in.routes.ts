import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { write } from '../audit/audit.actions.ts'
import type { MoveInRuns } from './runs.actions.ts'
import { deleteUpload, receivePiece } from './upload.actions.ts'

export function moveInRoutes(ctx: Ctx, runs: MoveInRuns): Route[] {
  const { dataDir } = ctx.config
  return [
    on(api.getMoveIn, () => runs.state()),
    on(api.runMoveIn, (wanted, caller) => runs.start(caller, wanted)),
    on(api.markMoveIn, (wanted, caller) => runs.mark(caller, wanted)),
    on(api.uploadMoveInFile, async (piece, caller) => {
      runs.refuseWhileRunning()
      const received = await receivePiece(dataDir, piece)
      if (piece.offset === 0)
        await write(ctx, caller, async (_tx, record) =>
          record({ action: 'uploadMoveInFile', target: piece.name, name: piece.name }),
        )
      return received
    }),
    on(api.deleteMoveInFile, async (_, caller) => {
      runs.refuseWhileRunning()
      deleteUpload(dataDir)
      await write(ctx, caller, async (_tx, record) => record({ action: 'deleteMoveInFile', target: 'source' }))
      return { isDeleted: true }
    }),
  ]
}
