import path from 'node:path'
import { Command } from 'commander'
import { backUpDatabase } from '../backup/archive-backup.ts'
import { backUp, findSource, megabytes, type Backup } from '../backup/backup.ts'
import { makeBackupDir, nameOfBackup, sentenceOfDamage, sentenceOfEmptied } from '../backup/kept-backups.ts'
import { readStates, sentenceOfShipping, shipBackup, type Shipping } from '../backup/shipping.ts'
import { readConfig, type Config } from '../config.ts'
import { findMasterKey } from '../lib/keys/master-key.ts'
import { CLEAR_LINE, instant, stoppedBySignals } from './long-work.ts'

/** `causeway backup [folder]`: a backup of the data folder while the server runs, or while it does not. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('copy the data folder, or export the database of DATABASE_URL, while the server runs, and prove that it holds')
    .argument('[folder]', 'the folder to make; without one it is made in BACKUP_DIR, where the dashboard lists it')
    .option('--json', 'print the outcome as JSON')
    .action(backUpTo)
}

async function backUpTo(folder: string | undefined, { json: isJson = false }: { json?: boolean }): Promise<void> {
  const begun = performance.now()
  const isShown = process.stdout.isTTY && !isJson
  const config = readConfig()
  const signal = stoppedBySignals('Stopped. Nothing of the backup is kept.')
  // A backup for a place of its own is for no other.
  const shipping = folder === undefined ? await readShippingOf(config) : undefined
  const { DATABASE_URL: url, MASTER_KEY, dataDir } = config
  // Before a folder for backups is made there.
  if (url === null) findSource(dataDir)
  let backup: Backup
  try {
    const options = {
      dataDir,
      target: folder === undefined ? inBackupDir(config.backupDir) : path.resolve(process.env['CAUSEWAY_CWD'] ?? '.', folder),
      signal,
      onNotice: console.error,
      onProgress: isShown ? progressLine(url === null ? megabytes : rows) : () => {},
    }
    backup =
      url === null
        ? await backUp(options)
        : await backUpDatabase({ ...options, url, masterKey: findMasterKey(MASTER_KEY, dataDir) })
  } finally {
    if (isShown) process.stdout.write(CLEAR_LINE)
  }
  const seconds = (performance.now() - begun) / 1000
  console.log(isJson ? JSON.stringify({ ...backup, seconds }) : inWords(backup, url !== null, seconds))
  const { folder: made, ...details } = backup
  const failures = shipping ? await shipBackup(dataDir, made, details, shipping) : []
  if (shipping && failures.length < shipping.targets.length && !isJson) console.log('It is encrypted at its targets, too.')
  const damage =
    sentenceOfDamage(backup.damaged) ??
    sentenceOfEmptied(backup.emptied) ??
    sentenceOfShipping(failures, shipping?.targets.length ?? 0)
  if (damage !== undefined) throw new Error(damage)
  if (!backup.hasMasterKey && !isJson) console.log('It has no master key, as that is in MASTER_KEY. Keep it apart.')
}

/** The targets of a server that runs; undefined where there are none. */
async function readShippingOf(config: Config): Promise<Shipping | undefined> {
  const { runningUrl } = await import('../postgres/embedded-postgres.ts')
  const url = config.DATABASE_URL ?? (await runningUrl(config.dataDir))
  if (url === undefined) {
    if (Object.keys(readStates(config.dataDir)).length > 0)
      console.error('The server does not run, so the backup is not sent to its targets.')
    return undefined
  }
  const { connect } = await import('../db/driver/connect.ts')
  const { openSecretStore } = await import('../ground/secret-store.ts')
  const { readShipping } = await import('../features/backups/targets.actions.ts')
  const connected = connect(url, { max: 1 })
  try {
    const secrets = await openSecretStore(connected.db, findMasterKey(config.MASTER_KEY, config.dataDir))
    return await readShipping({ db: connected.db, secrets, config })
  } finally {
    await connected.close()
  }
}

function inBackupDir(backupDir: string): string {
  makeBackupDir(backupDir)
  return path.join(backupDir, nameOfBackup(new Date()))
}

const rows = (count: number) => `${count.toLocaleString('en')} rows`

function progressLine(amount: (of: number) => string): (copiedBytes: number, allBytes: number) => void {
  let shown = ''
  return (copiedBytes, allBytes) => {
    const percent = Math.min(100, Math.floor((100 * copiedBytes) / Math.max(1, allBytes)))
    const text =
      percent < 100 ? `${percent} % of ${amount(allBytes)} copied ...` : 'All is copied; the database on the copy is started ...'
    if (text !== shown) process.stdout.write(`${CLEAR_LINE}${text}`)
    shown = text
  }
}

function inWords({ folder, bytes, takenAt, users, newestChangeAt }: Backup, isArchive: boolean, seconds: number): string {
  const newest = newestChangeAt ? `, newest change of ${instant(newestChangeAt)}` : ''
  const proof = isArchive ? 'Another database was filled with it, was the same' : 'Its database was started, is what was copied,'
  return `Backed up to ${folder}: ${megabytes(bytes)} in ${seconds.toFixed(1)} s, with everything until ${instant(takenAt)}. ${proof} and holds: ${users.toLocaleString('en')} users${newest}.`
}
