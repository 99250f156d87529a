import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { armor, Decrypter } from 'age-encryption'
import { EASE_BYTES, freeBytes } from '../postgres/disk-room.ts'
import { installBinaries } from '../postgres/embedded-binaries.ts'
import { accountForPostgres, canEnter, INSIDE, mendOwner } from '../postgres/embedded-folder.ts'
import { refuseOtherMajor } from '../postgres/embedded-postgres.ts'
import { lockFolder } from '../postgres/folder-lock.ts'
import { ARCHIVE_FILE } from './archive-backup.ts'
import { megabytes } from './backup.ts'
import { prove } from './backup-proof.ts'
import { DETAILS, listBackups, readDetails } from './kept-backups.ts'
import { finishSwap, isHalfRestored, STAGE, swapIn } from './restore-swap.ts'
import { SEALED, unseal } from './sealed.ts'
import { keyFileOf, listStored, type Manifest } from './shipping.ts'
import { textOf, type Store } from './stores/store.ts'
import { lsnOf, pieceBehindGap, piecesAfter, piecesAmong, type WalPiece } from './wal/wal-pieces.rules.ts'
import { addPieces, proveAdded, type Copy } from './wal/wal-restore.ts'

// A backup becomes a data folder again. It is unpacked and proven beside what is there, which is moved away only then.

const MOST_KEY_BYTES = 10_000

/** A backup that can be restored: a folder as it was made, or an encrypted file. */
export type Restorable = {
  name: string
  takenAt: Date
  bytes: number
  users: number
  newestChangeAt: Date | null
  /** The log of changes that leads on from it, the oldest first. */
  pieces: WalPiece[]
  /** Sent after one that is missing, and so of no use; null where the log has no gap. */
  gapBefore: Date | null
  rehearsedAt: Date | null
  hasMasterKey: boolean
  isDamaged: boolean
} & ({ folder: string } | { sealed: Manifest })

/** The newest first. `folder` is one of this machine that may hold backups as they were made, too. */
export async function listRestorable(store: Store, folder: string | undefined): Promise<Restorable[]> {
  const plain = folder === undefined ? [] : listBackups(folder)
  const sealed = (await listStored(store)).filter(({ file }) => file.endsWith(SEALED))
  const pieces = piecesAmong(await store.list())
  return [
    ...plain.map(({ rehearsal, damaged, emptied = [], ...backup }) => ({
      ...backup,
      pieces: [],
      gapBefore: null,
      rehearsedAt: rehearsal?.at ?? null,
      isDamaged: damaged.length + emptied.length > 0,
      folder: path.join(folder ?? '', backup.name),
    })),
    ...sealed.map((manifest) => ({
      ...manifest,
      ...logAfter(pieces, manifest),
      isDamaged: manifest.damaged.length + (manifest.emptied ?? []).length > 0,
      sealed: manifest,
    })),
  ].toSorted((one, other) => other.takenAt.getTime() - one.takenAt.getTime())
}

function logAfter(all: readonly WalPiece[], { wal }: Manifest): Pick<Restorable, 'pieces' | 'gapBefore'> {
  if (!wal) return { pieces: [], gapBefore: null }
  const place = { chain: wal.chain, lsn: lsnOf(wal.lsn) }
  return { pieces: piecesAfter(all, place), gapBefore: pieceBehindGap(all, place)?.at ?? null }
}

/** The key that opens a backup: itself, or the passphrase of the locked one beside it. @throws Error with a sentence */
export async function findIdentity(given: string, { recipient }: Manifest, store: Store): Promise<string> {
  const text = given.trim()
  const key = text.split(/\s+/).find((word) => word.toUpperCase().startsWith('AGE-SECRET-KEY-'))
  if (key !== undefined) return key.toUpperCase()
  const file = keyFileOf(recipient)
  if (!(await store.list()).some(({ name }) => name === file))
    throw new Error('These backups were made for a key, not for a passphrase. Give the key that begins with AGE-SECRET-KEY-1.')
  const locked = await textOf(await store.read(file), MOST_KEY_BYTES)
  const decrypter = new Decrypter()
  decrypter.addPassphrase(text)
  try {
    return (await decrypter.decrypt(armor.decode(locked), 'text')).trim()
  } catch (error) {
    throw new Error('This passphrase does not open the backups. Look for spaces, and for the case of letters.', { cause: error })
  }
}

export interface Restoring {
  dataDir: string
  backup: Restorable
  /** Of its log, what is added: the first ones. */
  pieces?: readonly WalPiece[]
  store: Store
  /** Of an encrypted one. */
  identity?: string | undefined
  onStep: (sentence: string) => void
}

export interface Restored {
  /** The folder that was there before; undefined where there was none. */
  replaced: string | undefined
  users: number
  takenAt: Date
  /** Of a database that was elsewhere: the archive, which is yet to be imported. */
  archive?: string
}

/** @throws Error with a sentence; what is there is as it was, then */
export async function restore({ dataDir, backup, pieces = [], store, identity, onStep }: Restoring): Promise<Restored> {
  const lock = await lockFolder(dataDir)
  const stage = path.join(lock.folder, STAGE)
  try {
    if (isHalfRestored(lock.folder)) finishSwap(lock.folder)
    rmSync(stage, { recursive: true, force: true })
    const needed = backup.bytes + EASE_BYTES
    if (freeBytes(lock.folder) < needed)
      throw new Error(
        `There is no room in ${lock.folder}: ${megabytes(needed)} are needed, and there are ${megabytes(freeBytes(lock.folder))}.`,
      )
    mkdirSync(stage, { mode: 0o711 })
    await unpack(backup, store, identity, stage)
    const archive = path.join(stage, backup.name, ARCHIVE_FILE)
    if (existsSync(archive)) {
      const kept = path.join(lock.folder, `${backup.name}.${ARCHIVE_FILE}`)
      renameSync(archive, kept)
      return { replaced: undefined, users: backup.users, takenAt: backup.takenAt, archive: kept }
    }
    onStep('Unpacked. Its database is started and compared with what was backed up ...')
    const proven = path.join(stage, backup.name)
    const copy = await proveRestored(proven)
    const last = pieces.at(-1)
    if (last === undefined || identity === undefined)
      return { replaced: swapIn(lock.folder, proven, new Date()), users: backup.users, takenAt: backup.takenAt }
    onStep(`It holds. ${pieces.length} pieces of the log of changes are added ...`)
    await addPieces(copy.data, pieces, store, identity)
    const users = await proveAdded(copy, last)
    return { replaced: swapIn(lock.folder, proven, new Date()), users: users ?? backup.users, takenAt: last.at }
  } finally {
    rmSync(stage, { recursive: true, force: true })
    lock.release()
  }
}

/** Ends a restore that was cut off while it moved folders. Gives what it replaced; false: there was none. */
export async function finishRestore(dataDir: string): Promise<{ replaced: string | undefined } | false> {
  if (!isHalfRestored(dataDir)) return false
  const lock = await lockFolder(dataDir)
  try {
    return { replaced: finishSwap(lock.folder) }
  } finally {
    lock.release()
  }
}

async function unpack(backup: Restorable, store: Store, identity: string | undefined, stage: string): Promise<void> {
  if ('folder' in backup)
    return cpSync(backup.folder, path.join(stage, backup.name), {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
    })
  if (identity === undefined) throw new Error('This backup is encrypted. Give the key, or the passphrase.')
  const { name, file, sha256 } = backup.sealed
  const hash = createHash('sha256')
  const content = (await store.read(file)).pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        hash.update(chunk)
        controller.enqueue(chunk)
      },
    }),
  )
  await unseal(content, identity, stage)
  if (hash.digest('hex') !== sha256)
    throw new Error(`${name} at ${store.place} is not what was written there: its digest is another one. Take another backup.`)
  if (!existsSync(path.join(stage, name))) throw new Error(`${name} at ${store.place} holds another backup than it says.`)
}

/** Starts the database of an unpacked backup, and compares it with the figures that the backup tells of its source. */
async function proveRestored(folder: string): Promise<Copy> {
  const details = readDetails(path.join(folder, DETAILS))
  if (!details) throw new Error(`There is no backup in ${folder}: it does not say what it holds.`)
  checkKey(folder, details.hasMasterKey)
  const root = path.join(folder, INSIDE)
  const account = accountForPostgres()
  const mode = account.ids.uid === undefined ? 0o700 : 0o711
  for (const each of [folder, root]) chmodSync(each, mode)
  const { bin, major } = installBinaries(root)
  refuseOtherMajor(root, major)
  const data = path.join(root, `pg${major}`)
  if (!lstatSync(data, { throwIfNoEntry: false })) throw new Error(`There is no database in ${folder}.`)
  mendOwner(data, account)
  // The account of PostgreSQL cannot go everywhere; the start makes a place for it then.
  const copy = { bin, root, data, account }
  if (!canEnter(root, account) || !details.rehearsal) return copy
  const { newestEntry, usersByStatus, keysDigest, trafficBytes, rowsByTable } = details.rehearsal
  const source = { newestEntry, usersByStatus, keysDigest, trafficBytes, rowsByTable, newestChangeAt: details.newestChangeAt }
  await prove({ bin, root, data, account, settings: {}, source, followedFrom: details.wal?.lsn })
  return copy
}

function checkKey(folder: string, hasMasterKey: boolean): void {
  if (hasMasterKey && !existsSync(path.join(folder, 'master.key')))
    throw new Error('The backup has lost its file master.key, so that its secrets cannot be read. Take another backup.')
  if (!hasMasterKey && !process.env['MASTER_KEY'])
    throw new Error('The master key is not in this backup: it was in MASTER_KEY. Set MASTER_KEY to it, and restore again.')
}
