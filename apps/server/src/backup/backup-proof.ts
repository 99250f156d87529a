import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { endWithUs } from '../postgres/database-lock.ts'
import { connectLocally } from '../postgres/disk-room.ts'
import type { Account } from '../postgres/embedded-folder.ts'
import { DATABASE } from '../postgres/embedded-postgres.ts'
import { launchPostmaster, shutDown } from '../postgres/embedded-postmaster.ts'
import { differencesOf, readFigures, type Figures } from './figures.ts'

export interface ProofOptions {
  bin: string
  root: string
  data: string
  account: Account
  settings: Record<string, string>
  /** The source at the moment of the copy. */
  source: Figures
  /** Where its log ends then, of a copy that is to stay one to which more of the log can be added. */
  followedFrom?: string | undefined
}

/**
 * Little memory and one core are taken, nothing is done on the copy by itself, and what was needed to bring it up to date
 * goes.
 */
const SETTINGS = {
  shared_buffers: '32MB',
  max_parallel_workers_per_gather: '0',
  autovacuum: 'off',
  wal_recycle: 'off',
  min_wal_size: '32MB',
}
/** Made by this start, and of no use to the next one. */
const OF_THIS_START = ['run', 'socket-folder', 'postgres.log', 'postgres.log.old']
const OF_THE_COPY = ['postmaster.opts', 'backup_label.old', 'tablespace_map.old']
/** With it PostgreSQL reads the log and writes none of its own: what the copy is started for leaves no trace in its pages. */
const STANDBY = 'standby.signal'
const REPLAY_LOOK_MS = 50

/**
 * Starts the database on an isolated copy, compares it with its source and stops it. The copy is left recovered and cleanly
 * shut down; one whose log is followed is left as it was recovered, with nothing of its own.
 * @throws Error with a sentence when the copy is damaged, or is another database than the source was
 */
export async function prove({ bin, root, data, account, settings, source, followedFrom }: ProofOptions): Promise<void> {
  // Ends with us, however that is: a backup that was killed leaves no database running.
  const lock = { inherited: () => [], guard: endWithUs }
  const all = { ...SETTINGS, ...settings }
  const standby = path.join(data, STANDBY)
  if (followedFrom !== undefined) writeFileSync(standby, '', { mode: 0o644 })
  const postmaster = await launchPostmaster({ bin, data, folder: { root }, account, settings: all, lock })
  try {
    await compare(postmaster.socketDir, source, followedFrom)
    await shutDown(postmaster)
    if (postmaster.child?.exitCode !== 0) throw new Error('The database on the copy did not stop as it should.')
  } finally {
    await shutDown(postmaster)
    rmSync(standby, { force: true })
    rmSync(postmaster.socketDir, { recursive: true, force: true })
    for (const name of OF_THIS_START) rmSync(path.join(root, name), { recursive: true, force: true })
    for (const name of OF_THE_COPY) rmSync(path.join(data, name), { force: true })
  }
}

async function compare(socketDir: string, source: Figures, followedFrom: string | undefined): Promise<void> {
  const client = await connectLocally(socketDir, DATABASE)
  try {
    if (followedFrom !== undefined) await awaitReplay(client, followedFrom)
    await client.query('begin')
    const differences = differencesOf(source, await readFigures(client, source))
    if (differences.length > 0) throw new Error(`It is not what was copied: ${differences.slice(0, 3).join('; ')}.`)
  } finally {
    await client.end()
  }
}

/** Such a database answers before it has read all of its log, and then waits for more of it. */
async function awaitReplay(client: pg.Client, lsn: string): Promise<void> {
  for (let before = ''; ; await sleep(REPLAY_LOOK_MS)) {
    const { rows } = await client.query<{ isThere: boolean; isWaiting: boolean; at: string }>(
      `select pg_last_wal_replay_lsn() >= $1::pg_lsn as "isThere", pg_last_wal_replay_lsn()::text as "at",
        exists (select from pg_stat_activity where "backend_type" = 'startup' and "wait_event" = 'RecoveryRetrieveRetryInterval') as "isWaiting"`,
      [lsn],
    )
    const [now] = rows
    if (now?.isThere) return
    if (now?.isWaiting && now.at === before) throw new Error(`Its log ends at ${now.at}, before the moment of the copy.`)
    before = now?.at ?? ''
  }
}
