import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import { lsnOf, segmentOf, SLOT, textOfLsn, type Lsn, type WalPlace } from './wal-pieces.rules.ts'

// Reads the log of the embedded database where it lies. A replication slot keeps PostgreSQL from deleting what is not yet sent.

/** Bytes of the log up to a moment at which all of them were on disk. */
export interface WalRead {
  from: Lsn
  to: Lsn
  at: Date
  bytes: Buffer
  /** More is there already. */
  hasMore: boolean
}

export interface WalReader {
  chain: string
  /** What is before it need not be read again. */
  begin: Lsn
  read(from: Lsn): Promise<WalRead>
  /** Up to where the log is on disk. */
  end(): Promise<Lsn>
  /** PostgreSQL may delete what is before. */
  release(before: Lsn): Promise<void>
}

/** In one piece, which is held in memory. */
const MOST_BYTES = 16 * 2 ** 20
const RANDOM_BYTES = 2

/** `client` is a session of its own on the database in `data`, whose chain begins as `owner` says; one of another owner ends. */
export async function openWalReader(client: pg.Client, data: string, owner: string): Promise<WalReader> {
  const found = await findPlace(client)
  const { chain, lsn: begin } = found?.chain.startsWith(owner) ? found : await beginChain(client, owner)
  const { rows } = await client.query<{ segmentBytes: number; timeline: number }>(
    `select pg_size_bytes(current_setting('wal_segment_size'))::integer as "segmentBytes",
      ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer as "timeline"`,
  )
  const { segmentBytes = 0, timeline = 0 } = rows[0] ?? {}
  return {
    chain,
    begin,
    read: async (from) => {
      const at = new Date()
      const end = await flushed(client)
      const to = end - from > BigInt(MOST_BYTES) ? from + BigInt(MOST_BYTES) : end
      const bytes = Buffer.alloc(Number(to - from))
      for (let done = 0; done < bytes.length;) {
        const lsn = from + BigInt(done)
        const offset = Number(lsn % BigInt(segmentBytes))
        const length = Math.min(bytes.length - done, segmentBytes - offset)
        readExactly(
          path.join(data, 'pg_wal', segmentOf(lsn, timeline, segmentBytes)),
          bytes.subarray(done, done + length),
          offset,
        )
        done += length
      }
      return { from, to, at, bytes, hasMore: to < end }
    },
    end: () => flushed(client),
    release: async (before) => {
      await client.query('select pg_replication_slot_advance($1, $2::pg_lsn)', [`${SLOT}${chain}`, textOfLsn(before)])
    },
  }
}

/** How far the log of a database was sent; undefined where it is not followed. */
export async function findPlace(client: pg.Client): Promise<WalPlace | undefined> {
  const { rows } = await client.query<{ name: string; lsn: string | null }>(
    `select "slot_name" as "name", "restart_lsn"::text as "lsn" from pg_replication_slots
      where starts_with("slot_name"::text, $1) and "wal_status" <> 'lost'`,
    [SLOT],
  )
  const [found] = rows
  return found?.lsn ? { chain: found.name.slice(SLOT.length), lsn: lsnOf(found.lsn) } : undefined
}

async function beginChain(client: pg.Client, owner: string): Promise<WalPlace> {
  await client.query(
    `select pg_drop_replication_slot("slot_name") from pg_replication_slots where starts_with("slot_name"::text, $1)`,
    [SLOT],
  )
  const chain = `${owner}${randomBytes(RANDOM_BYTES).toString('hex')}`
  const { rows } = await client.query<{ lsn: string }>('select "lsn"::text from pg_create_physical_replication_slot($1, true)', [
    `${SLOT}${chain}`,
  ])
  if (!rows[0]) throw new Error('PostgreSQL has not said where its log is.')
  return { chain, lsn: lsnOf(rows[0].lsn) }
}

async function flushed(client: pg.Client): Promise<Lsn> {
  const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as "lsn"')
  return lsnOf(rows[0]?.lsn ?? '0/0')
}

function readExactly(file: string, into: Buffer, offset: number): void {
  const fd = openSync(file, 'r')
  try {
    for (let done = 0; done < into.length;) {
      const read = readSync(fd, into, done, into.length - done, offset + done)
      if (read === 0) throw new Error(`${file} ends before the log does.`)
      done += read
    }
  } finally {
    closeSync(fd)
  }
}
