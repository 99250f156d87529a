import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { readVersion } from '../lib/product.ts'
import { noLongerKept } from './keeping.rules.ts'
import { details, TARGET_STATES, type Details } from './kept-backups.ts'
import { seal, SEALED } from './sealed.ts'
import { openStore } from './stores/open-store.ts'
import { streamOf, target, textOf, type Store } from './stores/store.ts'
import { piecesAmong, piecesNoLongerKept } from './wal/wal-pieces.rules.ts'

// Backups go to targets as one encrypted file, and beside it a plain one that says what is in it. The latter is written last: a
// file without it is not whole.

const MANIFEST = '.json'
const MOST_MANIFEST_BYTES = 200_000
/** A store that holds more is listed as far. */
const MOST_LISTED = 500

/** How backups are sent, with every secret that takes. */
export const shipping = z.object({
  installation: z.string(),
  recipient: z.string(),
  lockedKey: z.string().nullable(),
  targets: z.array(target),
  allowedPrivateHosts: z.array(z.string()),
  timeZone: z.string(),
  keepDailyBackups: z.number(),
  keepWeeklyBackups: z.number(),
  keepMonthlyBackups: z.number(),
})
export type Shipping = z.output<typeof shipping>

/** It came from another machine, and leads nowhere else than into one folder. */
const fileName = z.string().regex(/^\w[\w.-]*$/)
const manifest = details.omit({ rehearsal: true }).extend({
  format: z.literal(1),
  name: fileName,
  /** The encrypted file beside it. */
  file: fileName,
  /** Of the encrypted file. */
  storedBytes: z.number(),
  sha256: z.string(),
  rehearsedAt: z.coerce.date().nullable(),
  installation: z.string(),
  recipient: z.string(),
  version: z.string(),
})
export type Manifest = z.output<typeof manifest>

const state = z.object({ place: z.string(), at: z.coerce.date(), failure: z.string().nullable(), backups: z.array(manifest) })
const states = z.record(z.string(), state)
export type TargetState = z.output<typeof state>

/** Name of the locked key beside the backups that it opens. */
export function keyFileOf(recipient: string): string {
  return `causeway-key-${createHash('sha256').update(recipient).digest('hex').slice(0, 12)}.age`
}

/** Sends a backup to each target in turn, and deletes there what is no longer kept. Gives a sentence about each that failed. */
export async function shipBackup(
  dataDir: string,
  folder: string,
  backup: Details,
  { targets, allowedPrivateHosts, ...how }: Shipping,
): Promise<string[]> {
  const failures: string[] = []
  const name = path.basename(folder)
  const content = { name, file: `${name}${SEALED}`, open: () => seal(path.dirname(folder), name, how.recipient) }
  for (const each of targets) {
    const store = openStore(each, allowedPrivateHosts)
    const failure = await sendTo(store, content, backup, how).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    const found = await listStored(store).catch(() => undefined)
    noteState(dataDir, each.id, { place: store.place, at: new Date(), failure, ...(found && { backups: found }) })
    if (failure !== null) failures.push(failure)
    await store.close().catch(() => {}) // it may have failed before
  }
  return failures
}

/** The content that is sent: an encrypted stream, made anew for each target. */
interface Content {
  name: string
  file: string
  open: () => Promise<ReadableStream<Uint8Array>>
}

async function sendTo(
  store: Store,
  { name, file, open }: Content,
  backup: Details,
  { recipient, lockedKey, installation, timeZone, ...keeping }: Omit<Shipping, 'targets' | 'allowedPrivateHosts'>,
): Promise<void> {
  await store.removeLeftovers()
  if (lockedKey !== null) await store.write(keyFileOf(recipient), streamOf(lockedKey), lockedKey.length)
  const { bytes: storedBytes, sha256 } = await store.write(file, await open(), backup.bytes)
  const { rehearsal, ...kept } = backup
  const said: Manifest = {
    format: 1,
    ...kept,
    name,
    file,
    storedBytes,
    sha256,
    rehearsedAt: rehearsal?.at ?? null,
    installation,
    recipient,
    version: readVersion(),
  }
  const text = `${JSON.stringify(said)}\n`
  await store.write(`${name}${MANIFEST}`, streamOf(text), text.length)
  const own = (await listStored(store)).filter((each) => each.installation === installation)
  const gone = new Set(noLongerKept(own, timeZone, keeping))
  for (const old of gone) {
    // Without the words about it, it is none; the rest goes after.
    await store.remove(`${old.name}${MANIFEST}`)
    await store.remove(old.file)
  }
  const pieces = piecesAmong(await store.list())
  const times = own.filter((each) => !gone.has(each)).map(({ takenAt }) => takenAt)
  for (const piece of piecesNoLongerKept(pieces, installation, times, new Date())) await store.remove(piece.file)
}

/** Whole backups in a store, of whatever installation, the newest first. */
export async function listStored(store: Store): Promise<Manifest[]> {
  const files = new Map((await store.list()).map(({ name, bytes }) => [name, bytes]))
  const names = [...files.keys()].filter((name) => name.startsWith('causeway-') && name.endsWith(MANIFEST))
  const found: Manifest[] = []
  for (const name of names.toSorted().toReversed().slice(0, MOST_LISTED)) {
    const read = manifest.safeParse(parsed(await textOf(await store.read(name), MOST_MANIFEST_BYTES)))
    // One whose file is missing, or was cut short, restores nothing.
    if (read.success && files.get(read.data.file) === read.data.storedBytes) found.push(read.data)
  }
  return found.toSorted((one, other) => other.takenAt.getTime() - one.takenAt.getTime())
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Contents of targets when they were last listed, by their ids. */
export function readStates(dataDir: string): Record<string, TargetState> {
  try {
    return states.parse(JSON.parse(readFileSync(path.join(dataDir, TARGET_STATES), 'utf8')))
  } catch {
    return {}
  }
}

/** A target that could not be listed is shown as it was. */
function noteState(dataDir: string, id: string, now: Omit<TargetState, 'backups'> & { backups?: Manifest[] }): void {
  const before = readStates(dataDir)
  const backups = now.backups ?? (before[id]?.place === now.place ? before[id].backups : [])
  const file = path.join(dataDir, TARGET_STATES)
  writeFileSync(`${file}.part`, `${JSON.stringify({ ...before, [id]: { ...now, backups } })}\n`, { mode: 0o600 })
  renameSync(`${file}.part`, file)
}

export function sentenceOfShipping(failures: readonly string[], targets: number): string | undefined {
  if (failures.length === 0) return undefined
  const where = failures.length < targets ? 'The backup is not at every target.' : 'The backup is kept on this server only.'
  return `${where} ${failures.join(' ')}`
}
