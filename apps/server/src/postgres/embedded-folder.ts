import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/**
 * The account that PostgreSQL runs as: that of this process, or a system account when this process is root, as
 * PostgreSQL refuses root.
 */
export interface Account {
  ids: { uid?: number; gid?: number }
}

export interface Folder {
  root: string
}

const ACCOUNT = 'causeway-db'
/** Of a data folder: its database, and the name of another place for that. */
export const INSIDE = 'postgres'
export const RECORD = 'postgres-folder'
const SYSTEM_FOLDER = '/var/lib/causeway'
const MAX_SOCKET_PATH_BYTES = 107

export function accountForPostgres(): Account {
  if (process.getuid?.() !== 0) return { ids: {} }
  try {
    if (!hasAccount()) {
      const args = [
        '--system',
        '--user-group',
        '--no-create-home',
        '--home-dir',
        '/nonexistent',
        '--shell',
        '/usr/sbin/nologin',
        ACCOUNT,
      ]
      execFileSync('useradd', args, { stdio: ['ignore', 'ignore', 'pipe'] })
    }
    return { ids: { uid: idOf('-u'), gid: idOf('-g') } }
  } catch (error) {
    // Two first starts at once: the other one has made it meanwhile.
    if (hasAccount()) return { ids: { uid: idOf('-u'), gid: idOf('-g') } }
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new Error(
      `PostgreSQL refuses to run as root, and the system account "${ACCOUNT}" for it could not be made (${reason}). Run Causeway as an ordinary user, make that account yourself, or set DATABASE_URL.`,
      { cause: error },
    )
  }
}

/** The folder for the database: `<dataDir>/postgres`, or one under /var/lib where the account may not enter that. */
export function openFolder(dataDir: string, account: Account, onNotice: (sentence: string) => void): Folder {
  const realDataDir = realpathSync(dataDir)
  const near = rootOf(realDataDir)
  const made = makeRoot(near, account)
  if (near !== path.join(realDataDir, INSIDE) || canEnter(near, account)) return made
  const place = path.join(SYSTEM_FOLDER, shortHash(near))
  const far = databasesIn(near).length === 0 ? place : freePlace(place)
  onNotice(`The account "${ACCOUNT}" may not enter ${realDataDir}, so the database is kept in ${far}.`)
  const root = makeRoot(far, account)
  moveIn(near, far)
  writeFileSync(path.join(realDataDir, RECORD), `${far}\n`)
  for (const name of databasesIn(near)) rmSync(path.join(near, name), { recursive: true })
  return root
}

/** Where the database of a data folder lies. */
export function rootOf(realDataDir: string): string {
  const record = path.join(realDataDir, RECORD)
  return existsSync(record) ? readFileSync(record, 'utf8').trim() : path.join(realDataDir, INSIDE)
}

/** The data of each version of PostgreSQL is in a folder of its own. */
function databasesIn(root: string): string[] {
  return existsSync(root) ? readdirSync(root).filter((name) => /^pg\d+$/.test(name)) : []
}

/** A backup that takes the place of a data folder is another database than the one that this held. */
function freePlace(place: string): string {
  for (let n = 2, free = place; ; free = `${place}-${n++}`) if (databasesIn(free).length === 0) return free
}

/** A backup has its database inside, wherever it is put. Copied first: a start that is cut off here begins anew. */
function moveIn(near: string, far: string): void {
  for (const name of databasesIn(near)) {
    const draft = path.join(far, `${name}.new-moved`)
    rmSync(draft, { recursive: true, force: true })
    execFileSync('cp', ['-a', '--reflink=auto', path.join(near, name), draft], { stdio: ['ignore', 'ignore', 'pipe'] })
    renameSync(draft, path.join(far, name))
  }
}

/** Files that came from another machine, or were copied without their modes, are made such as PostgreSQL demands. */
export function mendOwner(data: string, account: Account): void {
  const { uid, gid } = account.ids
  const found = statSync(data)
  if (uid !== undefined && found.uid !== uid) execFileSync('chown', ['-hR', `${uid}:${gid}`, data], { stdio: 'pipe' })
  if ((found.mode & 0o077) !== 0) chmodSync(data, 0o700)
}

/** Where the socket lies: beside the data, or in a short folder of its own where that path is too long for a socket. */
export function socketFolder(root: string, account: Account): string {
  const near = path.join(root, 'run')
  const isShort = Buffer.byteLength(path.join(near, '.s.PGSQL.5432')) <= MAX_SOCKET_PATH_BYTES
  const folder = isShort ? near : shortFolder(root)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  giveTo(account, folder)
  // Access to this folder means superuser access to the database: it must belong to this account alone, even if
  // another one created it.
  const found = lstatSync(folder)
  const owner = account.ids.uid ?? process.getuid?.()
  if (!found.isDirectory() || found.uid !== owner)
    throw new Error(`${folder} belongs to another user. Remove it and start again.`)
  chmodSync(folder, 0o700)
  return folder
}

/** The same at every start, under a name that no other account on this machine can take first. */
function shortFolder(root: string): string {
  const record = path.join(root, 'socket-folder')
  const known = existsSync(record) ? readFileSync(record, 'utf8').trim() : ''
  if (known !== '' && existsSync(known)) return known
  const made = mkdtempSync(path.join(os.tmpdir(), 'causeway-'))
  writeFileSync(record, `${made}\n`, { mode: 0o600 })
  return made
}

export function giveTo(account: Account, folder: string): void {
  if (account.ids.uid !== undefined && account.ids.gid !== undefined) chownSync(folder, account.ids.uid, account.ids.gid)
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

function makeRoot(root: string, account: Account): Folder {
  mkdirSync(root, { recursive: true })
  const owner = lstatSync(root).uid
  if (owner !== process.getuid?.())
    throw new Error(`${root} belongs to another user (id ${owner}). Start Causeway as that user, or give it another DATA_DIR.`)
  // Owned by this process, not by PostgreSQL's account, which only passes through to its own files.
  chmodSync(root, account.ids.uid === undefined ? 0o700 : 0o711)
  return { root }
}

export function canEnter(folder: string, account: Account): boolean {
  if (account.ids.uid === undefined) return true
  try {
    execFileSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...account.ids, cwd: '/', stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function hasAccount(): boolean {
  try {
    idOf('-u')
    return true
  } catch {
    return false
  }
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, ACCOUNT], { stdio: ['ignore', 'pipe', 'ignore'] }))
}
