import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { connectLocally } from '../../postgres/disk-room.ts'
import { installBinaries } from '../../postgres/embedded-binaries.ts'
import { rootOf } from '../../postgres/embedded-folder.ts'
import { readPidFile } from '../../postgres/embedded-postmaster.ts'
import { openStore } from '../stores/open-store.ts'
import { target } from '../stores/store.ts'
import { ownerOf, textOfLsn } from './wal-pieces.rules.ts'
import { openWalReader } from './wal-reader.ts'
import { openWalShipping, type WalState } from './wal-shipping.ts'

// Sends the log of the embedded database to targets, for a server, which starts this file: stores take over the dispatcher of
// their process. Ends with the server, however that ends, and sends what is left when it is told to stop.

/** Its task: the first message, as that holds secrets. */
const walTask = z.object({
  dataDir: z.string(),
  installation: z.string(),
  recipient: z.string(),
  targets: z.array(target),
  allowedPrivateHosts: z.array(z.string()),
  intervalMs: z.number(),
})
export type WalTask = z.input<typeof walTask>

/** How far the log is at a target; `lsn` is where it begins there without a gap. */
const walProgress = z.object({
  target: z.string(),
  place: z.string(),
  chain: z.string(),
  lsn: z.string(),
  sentUntil: z.coerce.date().nullable(),
  failure: z.string().nullable(),
})
export type WalProgress = z.output<typeof walProgress>

/** What the server is told after each round, or before the end. */
export const walMessage = z.union([z.object({ states: z.array(walProgress) }), z.object({ failure: z.string() })])

async function work(): Promise<void> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('disconnect', stop)
  process.once('SIGTERM', stop)
  process.on('SIGINT', () => {}) // to the whole group, as from a terminal: the server says when to stop
  os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)
  try {
    const [message] = (await once(process, 'message', { signal: stopping.signal })) as [unknown] // parsed next
    const { dataDir, installation, recipient, targets, allowedPrivateHosts, intervalMs } = walTask.parse(message)
    const root = rootOf(realpathSync(dataDir))
    const data = path.join(root, `pg${installBinaries(root).major}`)
    const client = await connectLocally(readPidFile(data)?.socketDir ?? path.join(root, 'run'))
    // Behind a backup that another key opens, what this one opens is worth nothing.
    const key = createHash('sha256').update(recipient).digest('hex').slice(0, 4)
    const reader = await openWalReader(client, data, `${ownerOf(installation)}${key}`)
    const stores = targets.map((each) => ({ id: each.id, store: openStore(each, allowedPrivateHosts) }))
    const shipping = openWalShipping(reader, stores, recipient)
    for (let isLast = false; ;) {
      tell(await shipping.round())
      if (isLast) break
      await sleep(intervalMs, undefined, { signal: stopping.signal }).catch(() => (isLast = true))
    }
  } catch (error) {
    if (!stopping.signal.aborted && process.connected)
      process.send?.({ failure: error instanceof Error ? error.message : String(error) })
  }
  if (process.connected) process.disconnect()
  // Connections to stores that are kept for later would keep the process.
  process.exit()
}

function tell(states: readonly WalState[]): void {
  if (process.connected) process.send?.({ states: states.map((state) => ({ ...state, lsn: textOfLsn(state.lsn) })) })
}

if (import.meta.main) await work()
