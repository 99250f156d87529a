import { rmSync } from 'node:fs'
import path from 'node:path'
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
}

/** Little memory is taken, nothing is done on the copy by itself, and what was needed to bring it up to date goes. */
const SETTINGS = { shared_buffers: '32MB', autovacuum: 'off', wal_recycle: 'off', min_wal_size: '32MB' }
/** Made by this start, and of no use to the next one. */
const OF_THIS_START = ['run', 'socket-folder', 'postgres.log', 'postgres.log.old']
const OF_THE_COPY = ['postmaster.opts', 'backup_label.old', 'tablespace_map.old']

/**
 * Starts the database on an isolated copy, compares it with its source and stops it. The copy is left recovered and cleanly
 * shut down.
 * @throws Error with a sentence when the copy is damaged, or is another database than the source was
 */
export async function prove({ bin, root, data, account, settings, source }: ProofOptions): Promise<void> {
  // Ends with us, however that is: a backup that was killed leaves no database running.
  const lock = { inherited: () => [], guard: endWithUs }
  const all = { ...SETTINGS, ...settings }
  const postmaster = await launchPostmaster({ bin, data, folder: { root }, account, settings: all, lock })
  try {
    await compare(postmaster.socketDir, source)
    await shutDown(postmaster)
    if (postmaster.child?.exitCode !== 0) throw new Error('The database on the copy did not stop as it should.')
  } finally {
    await shutDown(postmaster)
    rmSync(postmaster.socketDir, { recursive: true, force: true })
    for (const name of OF_THIS_START) rmSync(path.join(root, name), { recursive: true, force: true })
    for (const name of OF_THE_COPY) rmSync(path.join(data, name), { force: true })
  }
}

async function compare(socketDir: string, source: Figures): Promise<void> {
  const client = await connectLocally(socketDir, DATABASE)
  try {
    await client.query('begin')
    const differences = differencesOf(source, await readFigures(client, source))
    if (differences.length > 0) throw new Error(`It is not what was copied: ${differences.slice(0, 3).join('; ')}.`)
  } finally {
    await client.end()
  }
}
