import type { Ctx } from '../../ctx.ts'
import { saveRequests } from '../request-history/request-history.queries.ts'
import { recordDevices, refreshDevices, saveOpenings, type Opening, type SeenDevice } from './subscriptions.queries.ts'

const FLUSH_MS = 1000
/** Kept while the database cannot be written to; beyond that the oldest notes are lost, never the answers. */
const MAX_KEPT = 100_000
const BATCH = 5000
/** Nobody counts these devices, so a client that invents a new one each time must be stopped somewhere. */
const MAX_UNCOUNTED_DEVICES = 200

/** Notes of fetched subscriptions, written together and after the answers, so that no answer waits for a write. */
export interface Accesses {
  opened(opening: Opening): void
  /** A device that is known to be the user's. */
  seenAgain(device: SeenDevice): void
  /** A device of a user whose devices are not limited. */
  seen(device: SeenDevice): void
  flush(): Promise<void>
  close(): Promise<void>
}

export function recordAccesses(ctx: Ctx): Accesses {
  const openings = new Map<number, Opening>()
  const requests = new Map<number, Opening>()
  const known = new Map<string, SeenDevice>()
  const uncounted = new Map<string, SeenDevice>()
  let requestCount = 0
  let flushing: Promise<void> = Promise.resolve()

  const flushAll = async (): Promise<void> => {
    await writeOut(openings, (batch) => saveOpenings(ctx.db, batch))
    await writeOut(requests, (batch) => saveRequests(ctx.db, batch))
    await writeOut(known, (batch) => refreshDevices(ctx.db, batch))
    await writeOut(uncounted, (batch) => recordDevices(ctx.db, batch, MAX_UNCOUNTED_DEVICES))
  }
  /** One after the other; notes that could not be written stay for the next time. */
  const flush = (): Promise<void> => {
    flushing = flushing.then(flushAll).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'openings of subscriptions could not be noted; will try again')
    })
    return flushing
  }
  const timer = setInterval(() => {
    if (openings.size + requests.size + known.size + uncounted.size > 0) void flush()
  }, FLUSH_MS)
  timer.unref()

  return {
    opened: (opening) => {
      keep(openings, opening.userId, opening)
      keep(requests, ++requestCount, opening)
    },
    seenAgain: (device) => keep(known, deviceKey(device), device),
    seen: (device) => keep(uncounted, deviceKey(device), device),
    flush,
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}

async function writeOut<K, V>(notes: Map<K, V>, write: (batch: V[]) => Promise<void>): Promise<void> {
  while (notes.size > 0) {
    const batch = [...notes.entries()].slice(0, BATCH)
    await write(batch.map(([, note]) => note))
    // A note that was replaced meanwhile is newer than what was written.
    for (const [key, note] of batch) if (notes.get(key) === note) notes.delete(key)
  }
}

function keep<K, V>(notes: Map<K, V>, key: K, note: V): void {
  notes.set(key, note)
  if (notes.size <= MAX_KEPT) return
  for (const oldest of notes.keys()) {
    notes.delete(oldest)
    return
  }
}

function deviceKey(device: SeenDevice): string {
  return `${device.userId} ${device.hwid}`
}
