import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { Command } from 'commander'
import { megabytes } from '../backup/backup.ts'
import { findIdentity, finishRestore, listRestorable, restore, type Restorable } from '../backup/restore.ts'
import { listReplaced } from '../backup/restore-swap.ts'
import { openStore } from '../backup/stores/open-store.ts'
import type { Store, Target } from '../backup/stores/store.ts'
import { readConfig } from '../config.ts'
import { instant } from './long-work.ts'
import { openTerminal, type Terminal } from './terminal.ts'

interface Options {
  backup?: string
  key?: string
  endpoint?: string
  region: string
  virtualStyle?: boolean
  ca?: string
  yes?: boolean
  json?: boolean
  deleteReplaced?: boolean
  until?: string
  log: boolean
}

/** `causeway restore [place]`: lists backups, and puts one in the place of the data folder. */
export function restoreCommand(): Command {
  return new Command('restore')
    .description('list backups in a folder or store, and restore one to this machine; the server must be stopped')
    .argument('[place]', 'a folder, or s3://<bucket>/<prefix>; without it BACKUP_DIR')
    .option('--backup <name>', 'the backup to restore, by its name, or "latest"; without it they are listed and one is asked for')
    .option(
      '--until <time>',
      'go on from the backup to this time, such as 2026-11-27T04:30Z; without it as far as its log of changes goes',
    )
    .option('--no-log', 'restore the backup alone, without the log of changes since')
    .option('--key <file>', 'file with the key of age; without it key or passphrase are asked for')
    .option('--endpoint <url>', 'address of the store; AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are asked for unless set')
    .option('--region <name>', 'region of the store', 'us-east-1')
    .option('--virtual-style', 'the bucket is in the name of the address, not in its path')
    .option('--ca <file>', 'certificate of the authority of the store, in PEM')
    .option('--yes', 'do not ask whether to go on')
    .option('--json', 'print the list as JSON, or with --backup the outcome; needs --yes to restore')
    .option('--delete-replaced', 'delete what earlier restores have replaced and kept, and do nothing else')
    .action(run)
}

async function run(place: string | undefined, options: Options): Promise<void> {
  const config = readConfig()
  const { dataDir } = config
  if (config.DATABASE_URL)
    throw new Error(
      'The database of DATABASE_URL is restored by its own tools. Without DATABASE_URL a backup is restored to DATA_DIR.',
    )
  refuseOtherOwner(dataDir)
  if (options.deleteReplaced) return deleteReplaced(dataDir, options.json === true)
  const finished = await finishRestore(dataDir)
  if (finished) return console.log(`A restore that was cut off is complete now. ${afterwards(finished.replaced)}`)
  const terminal = openTerminal()
  const store = await openPlace(place ?? config.backupDir, options, terminal)
  try {
    await choose({ store, dataDir, folder: place?.startsWith('s3://') ? undefined : store.place, options, terminal })
  } finally {
    terminal.close()
    await store.close()
  }
}

interface Choice {
  store: Store
  dataDir: string
  folder: string | undefined
  options: Options
  terminal: Terminal
}

async function choose({ store, dataDir, folder, options, terminal }: Choice): Promise<void> {
  const until = options.until === undefined ? undefined : timeOf(options.until)
  const found = (await listRestorable(store, folder)).filter(({ takenAt }) => until === undefined || takenAt <= until)
  if (options.json && options.backup === undefined) return console.log(JSON.stringify(found.map(asJson)))
  if (found.length === 0) throw new Error(`There is no backup in ${store.place}${until ? ` from before ${instant(until)}` : ''}.`)
  // With --json the outcome alone is for the program that reads it.
  const say = options.json ? console.error : console.log
  const now = new Date()
  if (options.backup === undefined) {
    say(`Backups in ${store.place}:`)
    for (const [index, each] of found.entries()) say(`${String(index + 1).padStart(3)}  ${inWords(each, now)}`)
  }
  const backup = options.backup === undefined ? await askWhich(found, terminal) : findNamed(found, options.backup)
  say(`${backup.name}: ${inWords(backup, now)}`)
  const pieces = options.log ? backup.pieces.filter(({ at }) => until === undefined || at <= until) : []
  const end = pieces.at(-1)?.at ?? backup.takenAt
  if (pieces.length > 0) say(`Its log of changes is added up to ${instant(end)} (${pieces.length} pieces).`)
  else if (until !== undefined) say('It has no log of changes that leads further, so it is restored alone.')
  const { gapBefore } = backup
  if (options.log && gapBefore !== null && (until === undefined || gapBefore <= until))
    say(
      `WARNING: a piece of its log is missing after ${instant(end)}. What was sent later, from ${instant(gapBefore)} on, cannot be added.`,
    )
  say(`It is restored to ${dataDir}. What is there now is kept beside it. What changed after ${instant(end)} is not in it.`)
  const identity = 'sealed' in backup ? await findIdentity(await readKey(options, terminal), backup.sealed, store) : undefined
  if (!options.yes && !/^y(es)?$/i.test((await terminal.ask('Restore it? (yes/no) ')).trim()))
    throw new Error('Nothing is restored.')
  const begun = performance.now()
  const { replaced, users, takenAt, archive } = await restore({
    dataDir,
    backup,
    pieces,
    store,
    identity,
    onStep: (sentence) => say(sentence),
  })
  if (options.json)
    return console.log(
      JSON.stringify({ backup: backup.name, takenAt, users, replaced: replaced ?? null, archive: archive ?? null }),
    )
  if (archive !== undefined) {
    const hint = 'Set DATABASE_URL to an empty database, or leave it out for the embedded one, and run'
    return say(`This is the archive of a database that was elsewhere: ${archive}. ${hint}: causeway import ${archive}`)
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  say(`Restored in ${seconds} s: ${users.toLocaleString('en')} users, as of ${instant(takenAt)}. ${afterwards(replaced)}`)
}

/** @throws Error with a sentence when it is no time */
function timeOf(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime()) || !/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/.test(text))
    throw new Error(`--until ${text} is no time with its zone. Write it as 2026-11-27T04:30Z or 2026-11-27T08:00+03:30.`)
  return time
}

/** What is said of the file beside an encrypted one is said of the backup already. */
function asJson({ pieces, ...backup }: Restorable) {
  const { sealed, ...each } = 'sealed' in backup ? backup : { ...backup, sealed: undefined }
  return { ...each, ...(sealed && { file: sealed.file, version: sealed.version }), logUntil: pieces.at(-1)?.at ?? null }
}

function afterwards(replaced: string | undefined): string {
  const kept =
    replaced === undefined ? '' : ` What it replaced is in ${replaced}; "causeway restore --delete-replaced" deletes it.`
  return `Start the server: nodes accept it by its old certificates, go on serving meanwhile, and are brought to what is restored. Users and links made since are gone. What moved since is counted once, by the first poll. Never run the old server beside it.${kept}`
}

async function openPlace(place: string, options: Options, terminal: Terminal): Promise<Store> {
  const inWork = (file: string) => path.resolve(process.env['CAUSEWAY_CWD'] ?? '.', file)
  if (!place.startsWith('s3://')) {
    if (!existsSync(inWork(place)))
      throw new Error(`There is no folder ${inWork(place)}. Name the one with the backups, or a store.`)
    return openStore({ id: 'folder', kind: 'folder', path: inWork(place) })
  }
  const [bucket = '', ...prefix] = place.slice('s3://'.length).split('/')
  const target: Target = {
    id: 's3',
    kind: 's3',
    endpoint: options.endpoint ?? `https://s3.${options.region}.amazonaws.com`,
    region: options.region,
    bucket,
    prefix: prefix.filter((part) => part !== '').join('/'),
    isPathStyle: !options.virtualStyle,
    authority: options.ca === undefined ? null : readGiven(inWork(options.ca), '--ca'),
    accessKeyId: process.env['AWS_ACCESS_KEY_ID'] ?? (await terminal.ask('Access key id of the store: ')).trim(),
    secretAccessKey: process.env['AWS_SECRET_ACCESS_KEY'] ?? (await terminal.askSecret('Secret access key: ')).trim(),
  }
  return openStore(target)
}

function readGiven(file: string, option: string): string {
  if (!existsSync(file)) throw new Error(`${option}: there is no file ${file}.`)
  return readFileSync(file, 'utf8')
}

async function readKey({ key }: Options, terminal: Terminal): Promise<string> {
  if (key === undefined) return terminal.askSecret('Key (AGE-SECRET-KEY-1...) or passphrase of the backups: ')
  const file = path.resolve(process.env['CAUSEWAY_CWD'] ?? '.', key)
  const found = readGiven(file, '--key')
    .split('\n')
    .find((line) => line.trim() !== '' && !line.startsWith('#'))
  if (found === undefined) throw new Error(`There is no key in ${file}.`)
  return found
}

async function askWhich(found: readonly Restorable[], terminal: Terminal): Promise<Restorable> {
  const answer = (await terminal.ask('Number of the one to restore: ')).trim()
  const chosen = found[Number(answer) - 1]
  if (!chosen) throw new Error(`There is no backup with the number ${answer}, so nothing is done.`)
  return chosen
}

function findNamed(found: readonly Restorable[], name: string): Restorable {
  const newestGood = found.find(({ isDamaged }) => !isDamaged)
  const chosen = name === 'latest' ? (newestGood ?? found[0]) : found.find((each) => each.name === name)
  if (!chosen) throw new Error(`There is no backup ${name} there. Without --backup they are listed.`)
  return chosen
}

function inWords(backup: Restorable, now: Date): string {
  const { takenAt, users, bytes, newestChangeAt, rehearsedAt, hasMasterKey, isDamaged, pieces, gapBefore } = backup
  const logEnd = pieces.at(-1)?.at
  return [
    `${instant(takenAt)} (${age(takenAt, now)} old)`,
    `${users.toLocaleString('en')} users`,
    megabytes(bytes),
    ...(newestChangeAt ? [`newest change ${instant(newestChangeAt)}`] : []),
    'sealed' in backup ? `encrypted, of version ${backup.sealed.version}` : 'not encrypted',
    rehearsedAt ? `rehearsed ${instant(rehearsedAt)}` : 'not rehearsed',
    ...(logEnd ? [`log of changes up to ${instant(logEnd)}`] : []),
    ...(gapBefore ? ['A PIECE OF ITS LOG IS MISSING behind that'] : []),
    ...(hasMasterKey ? [] : ['without the master key']),
    ...(isDamaged ? ['DAMAGED: take another one'] : []),
  ].join(', ')
}

const MINUTE_MS = 60_000

function age(takenAt: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - takenAt.getTime()) / MINUTE_MS))
  if (minutes < 120) return `${minutes} min`
  return minutes < 2 * 1440 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`
}

/** Files that root would make here could not be read by the account of the server. */
function refuseOtherOwner(dataDir: string): void {
  const owner = lstatSync(dataDir, { throwIfNoEntry: false })?.uid
  if (owner !== undefined && owner !== process.getuid?.())
    throw new Error(
      `${dataDir} belongs to another account. Restore as that one, with the package: sudo -u causeway causeway restore ...`,
    )
}

function deleteReplaced(dataDir: string, isJson: boolean): void {
  const found = listReplaced(dataDir)
  for (const folder of found) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  if (isJson) return console.log(JSON.stringify({ deleted: found }))
  console.log(found.length === 0 ? 'No restore has replaced anything here.' : `Deleted: ${found.join(', ')}.`)
}
