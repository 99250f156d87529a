import path from 'node:path'
import { z } from 'zod'
import { findMasterKey } from '../lib/master-key.ts'
import { backUpDatabase } from './archive-backup.ts'
import { backUp, type BackupOptions } from './backup.ts'
import { makeBackupDir, nameOfBackup, removeLeftovers, sentenceOfDamage } from './kept-backups.ts'

// Makes one backup for a server, which starts this file: the copy blocks its process, and lowers its priority. Ends with
// the server, however that ends.

/** What the server is told. */
export const backupMessage = z.union([
  z.object({ copiedBytes: z.number(), allBytes: z.number() }),
  z.object({ isMade: z.literal(true), failure: z.string().optional() }),
  z.object({ failure: z.string() }),
])
export type BackupMessage = z.output<typeof backupMessage>

/** Its last word, of one that the schedule asked for. */
export const SCHEDULED = 'scheduled'

const TOLD_MS = 250

/** The folder of the embedded database, or an archive of the one that DATABASE_URL names. */
function make(options: BackupOptions): Promise<{ damaged: string[] }> {
  const { DATABASE_URL: url, MASTER_KEY = null } = process.env
  if (!url) return backUp(options)
  return backUpDatabase({ ...options, url, masterKey: findMasterKey(MASTER_KEY, options.dataDir) })
}

async function makeBackup(dataDir: string, backupDir: string, isScheduled: boolean): Promise<void> {
  const stopping = new AbortController()
  const stop = () => stopping.abort(new Error('Stopped. Nothing of the backup is kept.'))
  process.once('disconnect', stop)
  process.once('SIGTERM', stop)
  // A signal to the whole group, as from a terminal, is for the server, which says when to stop.
  process.on('SIGINT', () => {})
  try {
    makeBackupDir(backupDir)
    removeLeftovers(backupDir)
    let toldAt = 0
    const { damaged } = await make({
      dataDir,
      target: path.join(backupDir, nameOfBackup(new Date())),
      signal: stopping.signal,
      isScheduled,
      onProgress: (copiedBytes, allBytes) => {
        if (performance.now() - toldAt < TOLD_MS) return
        toldAt = performance.now()
        void tell({ copiedBytes, allBytes })
      },
    })
    const damage = sentenceOfDamage(damaged)
    await tell({ isMade: true, ...(damage === undefined ? {} : { failure: damage }) })
  } catch (error) {
    await tell({ failure: error instanceof Error ? error.message : String(error) })
  }
  process.removeListener('disconnect', stop)
  if (process.connected) process.disconnect()
}

/** Resolves once it is sent; a server that has gone is told nothing. */
function tell(message: BackupMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected || !process.send) return resolve()
    process.send(message, () => resolve())
  })
}

if (import.meta.main) {
  const [dataDir = '', backupDir = '', how] = process.argv.slice(2)
  await makeBackup(dataDir, backupDir, how === SCHEDULED)
}
