// npm run backup -- <folder>: makes a backup of the data folder while the server runs, or while it does not.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../apps/server/src/config.ts'
import { backUp, megabytes, type Backup } from '../apps/server/src/backup/backup.ts'

const begun = performance.now()
let shown = ''

try {
  const target = wantedFolder()
  const config = readConfig()
  if (config.DATABASE_URL)
    throw new Error(
      `The database of DATABASE_URL is backed up by its own tools, such as pg_dump. Keep ${config.MASTER_KEY ? 'your MASTER_KEY' : path.join(config.dataDir, 'master.key')} apart from it: without the key the secrets in the database are lost.`,
    )
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stopping.abort(new Error('Stopped. Nothing of the backup is kept.')))
  const backup = await backUp({
    dataDir: config.dataDir,
    target,
    signal: stopping.signal,
    onNotice: console.error,
    onProgress: process.stdout.isTTY ? showProgress : () => {},
  })
  clearProgress()
  console.log(inWords(backup))
  const [damaged] = backup.damaged
  if (damaged !== undefined)
    throw new Error(
      `The disk has spoilt the database: ${backup.damaged.length} of its pages are not as they were written (${damaged}). They are so in this backup too. Keep older ones, and look after the disk.`,
    )
  if (!backup.hasMasterKey) console.log('It has no master key, as that is in MASTER_KEY. Keep it apart.')
} catch (error) {
  // Sentences for the person at the terminal, or in the mail of cron; a stack trace would hide them.
  clearProgress()
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function wantedFolder(): string {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [folder] = positionals
  if (folder === undefined || positionals.length > 1)
    throw new Error(`Name the folder to make: npm run backup -- /var/backups/causeway-${new Date().toISOString().slice(0, 10)}`)
  return path.resolve(process.env['CAUSEWAY_CWD'] ?? '.', folder)
}

function showProgress(copiedBytes: number, allBytes: number): void {
  const percent = Math.min(100, Math.floor((100 * copiedBytes) / Math.max(1, allBytes)))
  const text =
    percent < 100 ? `${percent} % of ${megabytes(allBytes)} copied ...` : 'All is copied; the database on the copy is started ...'
  if (text === shown) return
  shown = text
  process.stdout.write(`\r\u001B[K${text}`)
}

function clearProgress(): void {
  if (process.stdout.isTTY) process.stdout.write('\r\u001B[K')
}

function inWords({ folder, bytes, takenAt, users, newestChangeAt }: Backup): string {
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  const newest = newestChangeAt ? `, newest change of ${instant(newestChangeAt)}` : ''
  return `Backed up to ${folder}: ${megabytes(bytes)} in ${seconds} s, with everything until ${instant(takenAt)}. Its database was started and holds: ${users.toLocaleString('en')} users${newest}.`
}

function instant(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
