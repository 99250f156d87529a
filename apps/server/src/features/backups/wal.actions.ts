import type { Ctx } from '../../ctx.ts'
import { readInstallation } from '../../ground/installation.queries.ts'
import { dropWalSlots } from './backups.queries.ts'
import { readShipping } from './targets.actions.ts'

/** Sends the log of the embedded database as the installation says, with the targets and the key that it has now. */
export async function followBackupLog(ctx: Ctx): Promise<void> {
  const { wal, dataDir, hasOwnDatabase } = ctx.backups
  if (hasOwnDatabase) return
  const { isBackupLogSent } = await readInstallation(ctx.db)
  const shipping = isBackupLogSent ? await readShipping(ctx) : undefined
  if (shipping) {
    const { installation, recipient, targets, allowedPrivateHosts } = shipping
    return wal.follow({ dataDir, installation, recipient, targets, allowedPrivateHosts })
  }
  await wal.follow(undefined)
  // Without a reader PostgreSQL would keep its log for ever.
  await dropWalSlots(ctx.db)
}
