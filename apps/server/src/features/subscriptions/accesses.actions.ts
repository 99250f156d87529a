import type { Ctx } from '../../ctx.ts'
import { saveRequests, type SubscriptionRequestNote as RequestNote } from '../request-history/request-history.queries.ts'
import { recordDevices, refreshDevices, saveOpenings, type SeenDevice } from './subscriptions.queries.ts'

const FLUSH_MS = 1000
/** Kept while the database cannot be written to; beyond that the oldest notes are lost, never the answers. */
const MAX_KEPT = 100_000
const BATCH = 5000
/** These devices have no limit, so a client that invents a new one each time is stopped here. */
const MAX_UNCOUNTED_DEVICES = 200

/** Notes of fetched subscriptions, written together and after the answers, so that no answer waits for a write. */
export interface Accesses {
  opened(note: RequestNote): void
  /** A request that got no subscription. It stands in the history alone. */
  refused(note: RequestNote): void
  /** A device that is known to be the user's. */
  seenAgain(device: SeenDevice): void
  /** A device of a user whose devices are not limited. */
  seen(device: SeenDevice): void
  flush(): Promise<void>
  close(): Promise<void>
}

export function recordAccesses(ctx: Ctx): Accesses {
  let requests: (RequestNote & { isOpening: boolean })[] = []
  const known = new Map<string, SeenDevice>()
  const uncounted = new Map<string, SeenDevice>()
  let flushing: Promise<void> = Promise.resolve()

  const flushOpenings = async (): Promise<void> => {
    while (requests.length > 0) {
      const batch = requests.splice(0, BATCH)
      const latest = new Map(batch.filter(({ isOpening }) => isOpening).map((opening) => [opening.userId, opening]))
      try {
        await saveOpenings(ctx.db, [...latest.values()])
        await saveRequests(ctx.db, batch)
      } catch (error) {
        requests = [...batch, ...requests]
        throw error
      }
    }
  }
  const flushAll = async (): Promise<void> => {
    await flushOpenings()
    await writeOut(known, (batch) => refreshDevices(ctx.db, batch))
    await writeOut(uncounted, (batch) => recordDevices(ctx.db, batch, MAX_UNCOUNTED_DEVICES))
  }
  /** One after the other; notes that could not be written stay for the next time. */
  const flush = (): Promise<void> => {
    flushing = flushing.then(flushAll).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'failed to record openings of subscriptions; retrying')
    })
    return flushing
  }
  const keepRequest = (note: RequestNote & { isOpening: boolean }) => {
    requests.push(note)
    if (requests.length > MAX_KEPT) requests.splice(0, BATCH)
  }
  const timer = setInterval(() => {
    if (requests.length + known.size + uncounted.size > 0) void flush()
  }, FLUSH_MS)
  timer.unref()

  return {
    opened: (note) => keepRequest({ ...note, isOpening: true }),
    refused: (note) => keepRequest({ ...note, isOpening: false }),
    seenAgain: (device) => keep(known, deviceKey(device), device),
    seen: (device) => keep(uncounted, deviceKey(device), device),
    flush,
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}

async function writeOut(notes: Map<string, SeenDevice>, write: (batch: SeenDevice[]) => Promise<void>): Promise<void> {
  while (notes.size > 0) {
    const batch = [...notes.entries()].slice(0, BATCH)
    await write(batch.map(([, note]) => note))
    // A note that was replaced meanwhile is newer than what was written.
    for (const [key, note] of batch) if (notes.get(key) === note) notes.delete(key)
  }
}

function keep(notes: Map<string, SeenDevice>, key: string, note: SeenDevice): void {
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
