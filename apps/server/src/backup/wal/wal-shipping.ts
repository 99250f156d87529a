import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { encryptFor } from '../sealed.ts'
import { streamOf, type Store } from '../stores/store.ts'
import { nameOfPiece, piecesAmong, runUpTo, type Lsn, type WalPlace } from './wal-pieces.rules.ts'
import type { WalRead, WalReader } from './wal-reader.ts'

const compress = promisify(zstdCompress)
/** What is kept on this disk for a target that does not answer. */
const MOST_KEPT_BYTES = 1024n ** 3n
/** Rounds after which a target is listed again: pieces may have been deleted there. */
const LOOK_ROUNDS = 15

/** How far the log is at a target. */
export interface WalState extends WalPlace {
  target: string
  place: string
  /** Everything acknowledged before is there; null: nothing is yet. */
  sentUntil: Date | null
  failure: string | null
}

interface Following {
  id: string
  store: Store
  /** Sent up to here. */
  position: Lsn
  /** From here on nothing is missing there; undefined until the target was listed. */
  from: Lsn | undefined
  sentUntil: Date | null
  failure: string | null
}

export interface WalShipping {
  /**
   * Sends what is new to each target, and gives from where on each has the log without a gap. One that fails delays none of
   * the others, and is tried again by the next round.
   */
  round(): Promise<WalState[]>
}

const GAP = 'The log that waited for it was given up, to keep the disk of this server free. The next backup begins it again.'

export function openWalShipping(
  reader: WalReader,
  stores: readonly { id: string; store: Store }[],
  recipient: string,
  mostKeptBytes: bigint = MOST_KEPT_BYTES,
): WalShipping {
  const { chain, begin } = reader
  const targets: Following[] = stores.map((each) => ({
    ...each,
    position: begin,
    from: undefined,
    sentUntil: null,
    failure: null,
  }))
  let rounds = 0
  return {
    round: async () => {
      if (rounds++ % LOOK_ROUNDS === 0) for (const each of targets) each.from = undefined
      for (const each of targets) await follow(reader, each, recipient, mostKeptBytes)
      await reader.release(targets.map(({ position }) => position).reduce((one, other) => (one < other ? one : other)))
      return targets.map(({ id: target, store: { place }, position, from: lsn = position, sentUntil, failure }) => ({
        target,
        place,
        chain,
        lsn,
        sentUntil,
        failure,
      }))
    },
  }
}

async function follow(reader: WalReader, target: Following, recipient: string, mostKeptBytes: bigint): Promise<void> {
  const { store } = target
  try {
    target.from ??= runUpTo(piecesAmong(await store.list()), { chain: reader.chain, lsn: target.position })
    for (let hasMore = true; hasMore;) {
      const read = await reader.read(target.position)
      if (read.bytes.length > 0) await send(reader.chain, read, store, recipient)
      target.position = read.to
      hasMore = read.hasMore
      if (!hasMore) target.sentUntil = read.at
    }
    target.failure = null
  } catch (error) {
    target.failure = error instanceof Error ? error.message : String(error)
    const end = await reader.end()
    if (end - target.position <= mostKeptBytes) return
    Object.assign(target, { position: end, from: end, failure: `${target.failure} ${GAP}` })
  }
}

/** One piece, which only the holder of the recipient's key can open. */
async function send(chain: string, { bytes, ...place }: WalRead, store: Store, recipient: string): Promise<void> {
  const packed = await compress(bytes)
  const content = await encryptFor(recipient, streamOf(packed))
  await store.write(nameOfPiece({ chain, ...place }), content, packed.length)
}
