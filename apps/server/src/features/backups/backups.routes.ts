import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, onRaw, type Route } from '../../http/mount.ts'
import { editSchedule, listKept, removeBackup, sendBackup, startBackup } from './backups.actions.ts'
import { editTargets, tryTarget } from './targets.actions.ts'

export function backupsRoutes(ctx: Ctx): Route[] {
  return [
    on(api.listBackups, () => listKept(ctx)),
    on(api.makeBackup, (_, caller) => startBackup(ctx, caller)),
    on(api.updateBackupSchedule, (edit, caller) => editSchedule(ctx, caller, edit)),
    on(api.updateBackupTargets, async (edit, caller) => {
      await editTargets(ctx, caller, edit)
      return listKept(ctx)
    }),
    on(api.tryBackupTarget, (given) => tryTarget(ctx, given)),
    on(api.deleteBackup, ({ name }, caller) => removeBackup(ctx, caller, name)),
    onRaw(api.downloadBackup, ({ name }, { caller, reply }) => sendBackup(ctx, caller, { name, reply })),
  ]
}
