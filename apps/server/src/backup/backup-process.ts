import { once } from 'node:events'
import path from 'node:path'
import { z } from 'zod'
import { findMasterKey } from '../lib/keys/master-key.ts'
import { backUpDatabase } from './archive-backup.ts'
import { backUp, type BackupOptions } from './backup.ts'
import { makeBackupDir, nameOfBackup, removeLeftovers, sentenceOfDamage, sentenceOfEmptied } from './kept-backups.ts'
import { sentenceOfShipping, shipBackup, shipping } from './shipping.ts'
import { openStore } from './stores/open-store.ts'
import { target } from './stores/store.ts'
import { tryStore } from './stores/try-store.ts'

// Makes one backup for a server, which starts this file: the copy blocks its process, and lowers its priority. Ends with
// the server, however that ends.

/** Its task: the first message, as that may hold secrets. */
const backupTask = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('make'),
    dataDir: z.string(),
    backupDir: z.string(),
    isScheduled: z.boolean(),
    shipping: shipping.optional(),
  }),
  z.object({ do: z.literal('try'), target, allowedPrivateHosts: z.array(z.string()) }),
])
export type BackupTask = z.input<typeof backupTask>
type Make = Extract<z.output<typeof backupTask>, { do: 'make' }>

/** What the server is told. */
export const backupMessage = z.union([
  z.object({ copiedBytes: z.number(), allBytes: z.number() }),
  z.object({ isMade: z.literal(true), failure: z.string().optional() }),
  z.object({ failure: z.string() }),
])
export type BackupMessage = z.output<typeof backupMessage>

const TOLD_MS = 250

/** The folder of the embedded database, or an archive of the one that DATABASE_URL names. */
function makeOne(options: BackupOptions) {
  const { DATABASE_URL: url, MASTER_KEY = null } = process.env
  if (!url) return backUp(options)
  return backUpDatabase({ ...options, url, masterKey: findMasterKey(MASTER_KEY, options.dataDir) })
}

async function work(): Promise<void> {
  const stopping = new AbortController()
  const stop = () => stopping.abort(new Error('Stopped. Nothing of the backup is kept.'))
  process.once('disconnect', stop)
  process.once('SIGTERM', stop)
  // A signal to the whole group, as from a terminal, is for the server, which says when to stop.
  process.on('SIGINT', () => {})
  try {
    const [message] = (await once(process, 'message', { signal: stopping.signal })) as [unknown] // parsed next
    const task = backupTask.parse(message)
    if (task.do === 'make') await make(task, stopping.signal)
    else await tryStore(openStore(task.target, task.allowedPrivateHosts)).then(() => tell({ isMade: true }))
  } catch (error) {
    await tell({ failure: error instanceof Error ? error.message : String(error) })
  }
  if (process.connected) process.disconnect()
  // Connections to stores that are kept for later would keep the process.
  process.exit()
}

async function make({ dataDir, backupDir, isScheduled, shipping: how }: Make, signal: AbortSignal): Promise<void> {
  makeBackupDir(backupDir)
  removeLeftovers(backupDir)
  let toldAt = 0
  const { folder, ...backup } = await makeOne({
    dataDir,
    target: path.join(backupDir, nameOfBackup(new Date())),
    signal,
    isScheduled,
    onProgress: (copiedBytes, allBytes) => {
      if (performance.now() - toldAt < TOLD_MS) return
      toldAt = performance.now()
      void tell({ copiedBytes, allBytes })
    },
  })
  // From here on it is kept, and stopping ends the sending alone.
  const end = () => process.exit()
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  const failures = how ? await shipBackup(dataDir, folder, { ...backup, isScheduled }, how) : []
  const failure =
    sentenceOfDamage(backup.damaged) ??
    sentenceOfEmptied(backup.emptied) ??
    sentenceOfShipping(failures, how?.targets.length ?? 0)
  await tell({ isMade: true, ...(failure === undefined ? {} : { failure }) })
}

/** Resolves once it is sent; a server that has gone is told nothing. */
function tell(message: BackupMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected || !process.send) return resolve()
    process.send(message, () => resolve())
  })
}

if (import.meta.main) await work()
