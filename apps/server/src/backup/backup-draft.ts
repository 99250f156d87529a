import {
  chmodSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  type Stats,
} from 'node:fs'
import path from 'node:path'
import { BACKUPS } from '../config.ts'
import { giveAs, syncBelow, syncFile } from './backup-copy.ts'
import { DRAFT_LOCK, isHeld } from './kept-backups.ts'
import { canEnter, INSIDE, type Account } from '../postgres/embedded-folder.ts'
import { lockFile } from '../postgres/file-lock.ts'

/** A backup that is being made: under another name until it is whole. */
export interface Draft {
  target: string
  folder: string
  /** Drafts beside it whose backups were cut off. */
  leftovers: string[]
  /** Makes a folder in it with owner and mode of another one. */
  folderLike(other: string, name: string): string
  /** Gives it its name. */
  keep(): void
  discard(): void
}

/** @throws Error with a sentence when the folder cannot be made there */
export function openDraft(wanted: string, source: { folder: string; root: string }, account: Account): Draft {
  const target = checkedTarget(wanted, [source.folder, source.root])
  const folder = `${target}.part`
  const isLeft = existsSync(path.join(folder, DRAFT_LOCK))
  if (!isLeft && existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is there and was not made by a backup. Remove it, or name another folder.`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = lockFile(path.join(folder, DRAFT_LOCK))
  // Without locks the two cases cannot be told apart.
  if (lock.state === 'held' || (isLeft && lock.state !== 'taken')) {
    lock.close()
    throw new Error(`Another backup is being made in ${folder}.`)
  }
  const discard = (): void => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    lock.close()
  }
  try {
    for (const name of readdirSync(folder)) if (name !== DRAFT_LOCK) rmSync(path.join(folder, name), { recursive: true })
    chmodSync(folder, account.ids.uid === undefined ? 0o700 : 0o711)
    const root = path.join(folder, INSIDE)
    mkdirSync(root)
    chmodSync(root, account.ids.uid === undefined ? 0o700 : 0o711)
    if (!canEnter(root, account))
      throw new Error(
        `The system account that PostgreSQL runs as may not enter ${path.dirname(target)}, so the backup could not be proven there. Name a folder elsewhere, such as one in /var/backups; BACKUP_DIR names it for the dashboard.`,
      )
  } catch (error) {
    discard()
    throw error
  }
  return {
    target,
    folder,
    leftovers: globSync(`*.part/${DRAFT_LOCK}`, { cwd: path.dirname(target) })
      .map((name) => path.join(path.dirname(target), path.dirname(name)))
      .filter((each) => each !== folder && !isHeld(path.join(each, DRAFT_LOCK))),
    folderLike: (other, name) => {
      const made = path.join(folder, name)
      mkdirSync(made, { mode: 0o700 })
      const like = statSync(other)
      if (!isGivenAs(made, like))
        throw new Error(
          `The disk of ${target} keeps no owners and modes of files, which PostgreSQL needs. Name a folder elsewhere.`,
        )
      return made
    },
    keep: () => {
      rmSync(path.join(folder, DRAFT_LOCK))
      // Those of the database the proof has brought to the disk.
      syncBelow(folder, (name) => name.startsWith(INSIDE + path.sep))
      renameSync(folder, target)
      syncFile(path.dirname(target))
      lock.close()
    },
    discard,
  }
}

function checkedTarget(wanted: string, sources: string[]): string {
  const parent = path.dirname(wanted)
  if (!existsSync(parent))
    throw new Error(`There is no folder ${parent}. Make it, or mount the disk it is on, and back up again.`)
  const target = path.join(realpathSync(parent), path.basename(wanted))
  for (const source of sources)
    if ((target === source || target.startsWith(`${source}${path.sep}`)) && path.dirname(target) !== path.join(source, BACKUPS))
      throw new Error(`${target} lies in ${source}, which is what is backed up. Name a folder elsewhere, best on another disk.`)
  if (lstatSync(target, { throwIfNoEntry: false }))
    throw new Error(
      `${target} is there already. Each backup has a folder of its own: name another one, such as one with the date.`,
    )
  return target
}

/** Disks of cameras and other systems refuse, or do nothing. */
function isGivenAs(made: string, like: Stats): boolean {
  try {
    giveAs(made, like)
    const { mode, uid } = statSync(made)
    return mode === like.mode && uid === like.uid
  } catch {
    return false
  }
}
