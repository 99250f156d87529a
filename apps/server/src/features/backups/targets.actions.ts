import path from 'node:path'
import { errors, type BackupTargets, type Input, type tryBackupTarget, type updateBackupTargets } from '@causeway/contract'
import { z } from 'zod'
import { readStates, type Shipping } from '../../backup/shipping.ts'
import { target, type Target } from '../../backup/stores/store.ts'
import { lsnOf } from '../../backup/wal/wal-pieces.rules.ts'
import type { WalProgress } from '../../backup/wal/wal-process.ts'
import type { Caller, Ctx } from '../../ctx.ts'
import { readInstallation } from '../../ground/installation.queries.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { ownNetworkProblem } from '../../lib/outgoing.ts'
import { write } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { restoreLine } from './backups.rules.ts'
import { updateTargets } from './backups.queries.ts'

const PURPOSE = 'backup store'

type Installation = Awaited<ReturnType<typeof readInstallation>>
type StoreInput = NonNullable<Input<typeof updateBackupTargets>['store']>
const heldStore = target.options[1].omit({ id: true, kind: true })
type HeldStore = z.output<typeof heldStore>

function storeOf(ctx: Pick<Ctx, 'secrets'>, { backupStore }: Installation): HeldStore | null {
  return backupStore === null ? null : heldStore.parse(JSON.parse(ctx.secrets.unwrap(PURPOSE, backupStore)))
}

function targetsOf(ctx: Pick<Ctx, 'secrets'>, installation: Installation): Target[] {
  const store = storeOf(ctx, installation)
  return [
    ...(installation.backupFolder === null ? [] : [{ id: 'folder', kind: 'folder', path: installation.backupFolder } as const]),
    ...(store === null ? [] : [{ id: 's3', kind: 's3', ...store } as const]),
  ]
}

/** Without the secret of the store. */
export async function readTargets(ctx: Ctx): Promise<BackupTargets> {
  const installation = await readInstallation(ctx.db)
  const { backupRecipient: recipient, backupLockedKey: lockedKey, backupFolder: folder } = installation
  const store = storeOf(ctx, installation)
  const states = readStates(ctx.backups.dataDir)
  const { wal } = ctx.backups
  return {
    recipient,
    lockedKey,
    folder,
    store,
    isLogSent: installation.isBackupLogSent,
    states: targetsOf(ctx, installation).flatMap(({ id, kind }) => {
      const state = states[id]
      const log = wal.progress().find(({ target: of }) => of === id)
      return state ? [{ target: kind, ...dated(state), log: log ? logOf(log, state, wal.failure()) : null }] : []
    }),
    restoreCommand: restoreLine(folder, store),
  }
}

type State = ReturnType<typeof readStates>[string]

function dated({ place, at, failure, backups }: State) {
  return {
    place,
    at: at.toISOString(),
    failure,
    backups: backups.map(({ takenAt, rehearsedAt, isScheduled = false, wal: _wal, ...backup }) => ({
      ...backup,
      isScheduled,
      takenAt: takenAt.toISOString(),
      rehearsedAt: rehearsedAt?.toISOString() ?? null,
    })),
  }
}

/** A log is worth something behind a backup that it leads on from. */
function logOf({ chain, lsn, sentUntil, failure }: WalProgress, { backups }: State, ended: string | null) {
  const isRestorable = backups.some(({ wal }) => wal?.chain === chain && lsnOf(wal.lsn) >= lsnOf(lsn))
  return { sentUntil: sentUntil?.toISOString() ?? null, isRestorable, failure: failure ?? ended }
}

/** How a backup that is made now is sent; undefined without a target, or without a key to encrypt for. */
export async function readShipping(ctx: Pick<Ctx, 'db' | 'secrets' | 'config'>): Promise<Shipping | undefined> {
  const installation = await readInstallation(ctx.db)
  const targets = targetsOf(ctx, installation)
  const { backupRecipient: recipient, backupLockedKey: lockedKey, uuid, timeZone } = installation
  if (recipient === null || targets.length === 0) return undefined
  const { keepDailyBackups, keepWeeklyBackups, keepMonthlyBackups } = installation
  const allowedPrivateHosts = [...ctx.config.OUTGOING_PRIVATE_HOSTS]
  const keeping = { timeZone, keepDailyBackups, keepWeeklyBackups, keepMonthlyBackups }
  return { installation: uuid, recipient, lockedKey, targets, allowedPrivateHosts, ...keeping }
}

/** A target without a key is refused, since nothing leaves the machine unencrypted. @throws backupKeyMissing */
export async function editTargets(ctx: Ctx, caller: Caller, edit: Input<typeof updateBackupTargets>): Promise<void> {
  if (edit.folder) refuseInside(ctx, edit.folder)
  if (edit.isLogSent && ctx.backups.hasOwnDatabase)
    refuseField('isLogSent', 'is of the embedded database; the log of a database of your own is kept by its own tools')
  await write(ctx, caller, async (tx, record) => {
    const held = await readInstallation(tx)
    const rows = await watchRows(tx, 'installation', [held.uuid])
    const store = edit.store ? wholeStore(ctx, held, edit.store) : edit.store
    const next = {
      backupRecipient: edit.recipient === undefined ? held.backupRecipient : edit.recipient,
      // A locked key opens for its own recipient alone.
      backupLockedKey: edit.recipient === undefined ? held.backupLockedKey : (edit.lockedKey ?? null),
      isBackupLogSent: edit.isLogSent ?? held.isBackupLogSent,
      backupFolder: edit.folder === undefined ? held.backupFolder : edit.folder,
      backupStore: store === undefined ? held.backupStore : store && ctx.secrets.wrap(PURPOSE, JSON.stringify(store)),
    }
    const hasTarget = next.backupFolder !== null || next.backupStore !== null
    if (hasTarget && next.backupRecipient === null) fail(errors.backupKeyMissing)
    await updateTargets(tx, next, ctx.now())
    record({ action: 'updateBackupTargets', target: held.uuid, rows })
  })
}

/** Gives a sentence about what does not work. */
export async function tryTarget(ctx: Ctx, { folder, store }: Input<typeof tryBackupTarget>): Promise<{ failure: string | null }> {
  if (folder !== undefined) {
    refuseInside(ctx, folder)
    return { failure: await ctx.backups.tryTarget({ id: 'folder', kind: 'folder', path: folder }) }
  }
  if (store === undefined) return refuseField('store', 'or a folder must be named')
  const whole = wholeStore(ctx, await readInstallation(ctx.db), store)
  return { failure: await ctx.backups.tryTarget({ id: 's3', kind: 's3', ...whole }) }
}

function wholeStore(ctx: Ctx, held: Installation, given: StoreInput): HeldStore {
  const problem = ownNetworkProblem(given.endpoint, ctx.config.OUTGOING_PRIVATE_HOSTS)
  if (problem !== undefined) refuseField('store.endpoint', problem)
  if (!/^https?:$/.test(new URL(given.endpoint).protocol)) refuseField('store.endpoint', 'must begin with https:// or http://')
  const secretAccessKey = given.secretAccessKey ?? storeOf(ctx, held)?.secretAccessKey
  if (secretAccessKey === undefined) return refuseField('store.secretAccessKey', 'must be given')
  return { ...given, endpoint: given.endpoint.replace(/\/$/, ''), secretAccessKey }
}

/** A copy in what is backed up would be in every later backup, and would be lost with it. */
function refuseInside({ backups: { dataDir, backupDir } }: Ctx, folder: string): void {
  for (const own of [dataDir, backupDir])
    if (!path.relative(own, folder).startsWith('..')) refuseField('folder', `lies in ${own}, which would be lost with it`)
}
