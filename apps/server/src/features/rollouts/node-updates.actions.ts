import { errors, type NodePart } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { lockGeoFiles } from '../../ground/node-files/geo-files.queries.ts'
import { findGeoVersion } from '../../ground/node-files/geo-package.ts'
import { listCarriedProcessors } from '../../ground/node-files/node-files.ts'
import { countOnline, withOnline } from '../../ground/online.queries.ts'
import { fail } from '../../http/errors.ts'
import { failingAs } from '../../http/violations.ts'
import { lockJob, startJob } from '../../jobs/jobs.queries.ts'
import { endJob } from '../../jobs/run.ts'
import { readVersion, readXrayVersion } from '../../lib/product.ts'
import { write } from '../audit/audit.actions.ts'
import { rollOutProfile } from './rollouts.jobs.ts'
import {
  findLastNodeUpdate,
  findNodeUpdate,
  findRolloutJob,
  insertNodeUpdate,
  insertTurns,
  listUpdateCandidates,
  lockOpenRollout,
  setPaused,
  setRolloutJob,
} from './rollouts.queries.ts'
import { inTurn, waveOf } from './rollouts.rules.ts'
import { listNodeVersions } from './node-updates.queries.ts'
import { listOlder, type PartVersions } from './node-updates.rules.ts'

// An update of nodes is a roll-out whose nodes get a part instead of a configuration: same turns, same watch, same way back.

/** In the history. */
const PART_NAMES: Record<NodePart, string> = { agent: 'Agent', core: 'Xray', geo: 'Geo files' }

async function carriedVersions(db: Db): Promise<PartVersions> {
  return { agent: readVersion(), core: readXrayVersion(), geo: await findGeoVersion(db) }
}

export async function describeNodeUpdates({ db, config, now }: Ctx) {
  const [carried, nodes, online, last, processors] = await Promise.all([
    carriedVersions(db),
    listNodeVersions(db),
    countOnline(db, now()),
    findLastNodeUpdate(db),
    listCarriedProcessors(config.nodeFilesDirs),
  ])
  return {
    carried: { ...carried, processors },
    nodes: nodes
      .map((node) => withOnline(node, online))
      .map(({ nodeVersion, xrayVersion, geoVersion, ...node }) => ({
        ...node,
        agentVersion: nodeVersion,
        coreVersion: xrayVersion,
        geoVersion,
        older: listOlder({ nodeVersion, xrayVersion, geoVersion }, carried),
      })),
    last: last ?? null,
  }
}

interface Wanted {
  part: NodePart
  nodeUuids?: readonly string[] | undefined
  beginsAt?: string | undefined
}

/** @throws nodeUpdateUnderWay, nodeUpdateWithoutNode */
export async function startNodeUpdate(ctx: Ctx, caller: Caller, { part, nodeUuids, beginsAt }: Wanted) {
  return write(ctx, caller, async (tx, record) => {
    const at = ctx.now()
    if (part === 'geo') await lockGeoFiles(tx)
    const carried = await carriedVersions(tx)
    const version = carried[part]
    const candidates = await listUpdateCandidates(tx, at)
    const wanted = candidates.filter(
      (node) => listOlder(node, carried).includes(part) && (nodeUuids?.includes(node.uuid) ?? true),
    )
    if (wanted.length === 0 || version === null) return fail(errors.nodeUpdateWithoutNode)
    const row = {
      part,
      version,
      beginsAt: beginsAt === undefined ? null : new Date(beginsAt),
      actorKind: caller.kind,
      actorName: caller.name,
      startedAt: at,
    }
    const made = await failingAs({ configProfileRollouts_openUpdate_key: errors.nodeUpdateUnderWay }, insertNodeUpdate(tx, row))
    const turns = inTurn(wanted).map(({ id }, turn) => ({ nodeId: id, wave: waveOf(turn) }))
    await insertTurns(tx, made.id, turns, at)
    const kind = { ...rollOutProfile, group: 'update of nodes' }
    const jobId = await startJob(tx, kind, { payload: { rolloutId: made.id }, total: turns.length }, at)
    if (jobId !== undefined) await setRolloutJob(tx, made.id, jobId)
    record({ action: 'startNodeUpdate', target: made.uuid, count: turns.length, name: `${PART_NAMES[part]} ${row.version}` })
    return findUpdate(tx, made.uuid)
  })
}

/** @throws rolloutNotFound, rolloutOver */
export function pauseNodeUpdate(ctx: Ctx, caller: Caller, uuid: string, isPaused: boolean) {
  return write(ctx, caller, async (tx, record) => {
    const update = (await lockOpenRollout(tx, { uuid, isUpdate: true })) ?? (await failClosed(tx, uuid))
    await setPaused(tx, update.id, isPaused)
    record({ action: isPaused ? 'pauseNodeUpdate' : 'continueNodeUpdate', target: uuid })
    return findUpdate(tx, uuid)
  })
}

/** Ends it now; its nodes get back what they had before. @throws rolloutNotFound, rolloutOver */
export function takeBackNodeUpdate(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    // The job first, in the order of its runner.
    const { jobId } = (await findRolloutJob(tx, uuid, true)) ?? fail(errors.rolloutNotFound)
    const job = (jobId === null ? undefined : await lockJob(tx, jobId)) ?? fail(errors.rolloutOver)
    await endJob(ctx, tx, rollOutProfile, job, { status: 'cancelled', error: null })
    record({ action: 'takeBackNodeUpdate', target: uuid })
    return findUpdate(tx, uuid)
  })
}

async function findUpdate(tx: Tx, uuid: string) {
  return (await findNodeUpdate(tx, uuid)) ?? fail(errors.rolloutNotFound)
}

async function failClosed(tx: Tx, uuid: string): Promise<never> {
  return fail((await findNodeUpdate(tx, uuid)) ? errors.rolloutOver : errors.rolloutNotFound)
}
