import { rmSync } from 'node:fs'
import path from 'node:path'
import { endWithUs } from '../postgres/database-lock.ts'
import { connectLocally } from '../postgres/disk-room.ts'
import type { Account } from '../postgres/embedded-folder.ts'
import { DATABASE } from '../postgres/embedded-postgres.ts'
import { launchPostmaster, shutDown } from '../postgres/embedded-postmaster.ts'

export interface Proof {
  users: number
  /** The time of the newest change. */
  newestChangeAt: Date | null
}

export interface ProofOptions {
  bin: string
  root: string
  data: string
  account: Account
  settings: Record<string, string>
}

/** Little memory is taken, nothing is done on the copy by itself, and what was needed to bring it up to date goes. */
const SETTINGS = { shared_buffers: '32MB', autovacuum: 'off', wal_recycle: 'off', min_wal_size: '32MB' }
/** Made by this start, and of no use to the next one. */
const OF_THIS_START = ['run', 'socket-folder', 'postgres.log', 'postgres.log.old']
const OF_THE_COPY = ['postmaster.opts', 'backup_label.old', 'tablespace_map.old']

/**
 * Starts the database on an isolated copy, runs a few checks and stops it. The copy is left recovered and cleanly
 * shut down.
 * @throws Error with a sentence when the copy is damaged
 */
export async function prove({ bin, root, data, account, settings }: ProofOptions): Promise<Proof> {
  // Ends with us, however that is: a backup that was killed leaves no database running.
  const lock = { inherited: () => [], guard: endWithUs }
  const all = { ...SETTINGS, ...settings }
  const postmaster = await launchPostmaster({ bin, data, folder: { root }, account, settings: all, lock })
  try {
    const proof = await ask(postmaster.socketDir)
    await shutDown(postmaster)
    if (postmaster.child?.exitCode !== 0) throw new Error('The database on the copy did not stop as it should.')
    return proof
  } finally {
    await shutDown(postmaster)
    rmSync(postmaster.socketDir, { recursive: true, force: true })
    for (const name of OF_THIS_START) rmSync(path.join(root, name), { recursive: true, force: true })
    for (const name of OF_THE_COPY) rmSync(path.join(data, name), { force: true })
  }
}

async function ask(socketDir: string): Promise<Proof> {
  const client = await connectLocally(socketDir, DATABASE)
  try {
    const { rows } = await client.query<Proof>(`
      select (select count(*) from "users")::integer as "users", (select max("at") from "auditLog") as "newestChangeAt"`)
    const [proof] = rows
    if (!proof) throw new Error('The database on the copy does not answer.')
    return proof
  } finally {
    await client.end()
  }
}
