import { closeSync, fsyncSync, openSync, statSync, writeSync } from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import { copyFolder, type CopyOptions } from './backup-copy.ts'

/** The WAL that a copy needs: its segments, and where in the last of them it ends. */
interface Wal {
  firstSegment: string
  lastSegment: string
  endOffset: number
}

const ZEROS = Buffer.alloc(2 ** 18)

export async function findWal(client: pg.Client, firstSegment: string, lsn: string): Promise<Wal> {
  const { rows } = await client.query<Omit<Wal, 'firstSegment'>>(
    'select "file_name" as "lastSegment", "file_offset" as "endOffset" from pg_walfile_name_offset($1::pg_lsn)',
    [lsn],
  )
  if (!rows[0]) throw new Error('PostgreSQL has not said where its log ends for the copy.')
  return { firstSegment, ...rows[0] }
}

export async function copyWal(
  from: string,
  to: string,
  { firstSegment, lastSegment }: Wal,
  copying: Omit<CopyOptions, 'isLeftOut'>,
): Promise<void> {
  const isOfCopy = (name: string) => /^[0-9A-F]{24}$/.test(name) && name >= firstSegment && name <= lastSegment
  await copyFolder(path.join(from, 'pg_wal'), path.join(to, 'pg_wal'), { ...copying, isLeftOut: (name) => !isOfCopy(name) })
}

/** Takes away what was logged after the moment of the copy, so that its recovery ends there. */
export function cutWal(to: string, { lastSegment, endOffset }: Wal): void {
  if (endOffset === 0) return // the position ends the segment before
  const file = path.join(to, 'pg_wal', lastSegment)
  const { size } = statSync(file)
  const fd = openSync(file, 'r+')
  for (let at = endOffset; at < size; at += ZEROS.length) writeSync(fd, ZEROS, 0, Math.min(ZEROS.length, size - at), at)
  fsyncSync(fd)
  closeSync(fd)
}
