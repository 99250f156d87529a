import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { endWithUs } from '../../postgres/database-lock.ts'
import { connectLocally } from '../../postgres/disk-room.ts'
import { canEnter, type Account } from '../../postgres/embedded-folder.ts'
import { DATABASE } from '../../postgres/embedded-postgres.ts'
import { launchPostmaster, shutDown } from '../../postgres/embedded-postmaster.ts'
import { giveAs, syncFile } from '../backup-copy.ts'
import { decryptWith } from '../sealed.ts'
import type { Store } from '../stores/store.ts'
import { lsnOf, segmentOf, type WalPiece } from './wal-pieces.rules.ts'

const decompress = promisify(zstdDecompress)
const SEGMENT = /^[0-9A-F]{24}$/

/** An unpacked database, and what starts it. */
export interface Copy {
  bin: string
  root: string
  data: string
  account: Account
}

/** Puts pieces of the log behind that of an unpacked backup, so that the next start of its database goes on to their end. */
export async function addPieces(
  data: string,
  pieces: readonly WalPiece[],
  store: Store,
  identity: string,
  onPiece: (done: number) => void = () => {},
): Promise<void> {
  const folder = path.join(data, 'pg_wal')
  const [first] = readdirSync(folder).filter((name) => SEGMENT.test(name))
  if (first === undefined) throw new Error('The backup has no log that could be gone on with. Take another backup.')
  const segmentBytes = statSync(path.join(folder, first)).size
  const timeline = Number.parseInt(first.slice(0, 8), 16)
  for (const [index, piece] of pieces.entries()) {
    const bytes = await open(piece, store, identity)
    for (let done = 0; done < bytes.length;) {
      const lsn = piece.from + BigInt(done)
      const offset = Number(lsn % BigInt(segmentBytes))
      const length = Math.min(bytes.length - done, segmentBytes - offset)
      write(path.join(folder, segmentOf(lsn, timeline, segmentBytes)), bytes.subarray(done, done + length), offset, segmentBytes)
      done += length
    }
    onPiece(index + 1)
  }
  syncFile(folder)
}

async function open({ file, from, to, at }: WalPiece, store: Store, identity: string): Promise<Buffer> {
  const plain = await decryptWith(identity, await store.read(file))
  const packed: Uint8Array[] = []
  try {
    for await (const chunk of plain) packed.push(chunk)
    const bytes = await decompress(Buffer.concat(packed))
    if (bytes.length === Number(to - from)) return bytes
    throw new Error(`It holds ${bytes.length} bytes.`)
  } catch (error) {
    throw new Error(
      `${file} at ${store.place} is not as it was written. Restore up to it: --until ${new Date(at.getTime() - 1).toISOString()}`,
      {
        cause: error,
      },
    )
  }
}

/** Segments are as long as PostgreSQL makes them, with nothing behind the end of the log. */
function write(file: string, bytes: Buffer, offset: number, segmentBytes: number): void {
  const isNew = !existsSync(file)
  const fd = openSync(file, isNew ? 'wx' : 'r+', 0o600)
  try {
    if (isNew) {
      ftruncateSync(fd, segmentBytes)
      const { uid, gid } = lstatSync(path.dirname(file))
      giveAs(file, { uid, gid, mode: 0o600 })
    }
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done, offset + done)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/**
 * Starts the database once, so that it goes through the added log, and gives how many users it has then; undefined where its
 * account cannot come to it yet.
 * @throws Error with a sentence where it has stopped before the last piece
 */
export async function proveAdded({ bin, root, data, account }: Copy, last: WalPiece): Promise<number | undefined> {
  if (!canEnter(root, account)) return undefined
  const lock = { inherited: () => [], guard: endWithUs }
  const postmaster = await launchPostmaster({ bin, data, folder: { root }, account, settings: {}, lock })
  try {
    const client = await connectLocally(postmaster.socketDir, DATABASE)
    try {
      const { rows } = await client.query<{ replayed: string | null; users: number }>(
        `select pg_last_wal_replay_lsn()::text as "replayed", (select count(*)::integer from "users") as "users"`,
      )
      // The last piece may end inside of a record, which is not counted.
      if (lsnOf(rows[0]?.replayed ?? '0/0') < last.from)
        throw new Error(`The log of changes ends at ${rows[0]?.replayed ?? 'its beginning'} and not where its last piece does.`)
      return rows[0]?.users
    } finally {
      await client.end()
    }
  } finally {
    await shutDown(postmaster)
    rmSync(postmaster.socketDir, { recursive: true, force: true })
  }
}
