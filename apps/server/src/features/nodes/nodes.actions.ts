import * as api from '@causeway/contract'
import { COUNTRY_CODES, errors, isHostAddress, UNKNOWN_COUNTRY, type KnownError, type Input } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { fail, refuseFields } from '../../http/errors.ts'
import { startJob } from '../../jobs/jobs.queries.ts'
import { DAY_MS } from '../../lib/days.ts'
import { mintAgentPayload, readFleetKeys } from '../../ground/fleet-keys.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import { disableNodes, requestStarts } from '../../ground/delivery.queries.ts'
import {
  countEnabledNodes,
  findNode,
  findNodeId,
  findProfileInbounds,
  findProviderId,
  hasInbounds,
  listNodes,
  lockNode,
  lockTakenNames,
  nodeColumns,
  setNodeInbounds,
  setNodePositions,
} from './nodes.queries.ts'
import { findUsageDays } from './node-usage.queries.ts'
import { FORGET_AFTER_MS, forgetNodeUsage } from './nodes.jobs.ts'
import { tellNodes } from '../node-plugins/node-plugins.actions.ts'
import { lockPlugin } from '../node-plugins/node-plugins.queries.ts'
import { leaveAddress, retireNode, type Left } from '../fleet/retirement.actions.ts'
import { releaseLeases } from '../../ground/leases.queries.ts'

const MAX_PORT = 65_535
const MIN_NAME = 3
const MIN_ADDRESS = 2
/** The wire sets no bound; beyond this the bytes charged would not fit into the counters, and nothing be booked at all. */
const MAX_MULTIPLIER = 1000

type ConfigProfile = Input<typeof api.createNode>['configProfile']

/**
 * The fleet starts it after the commit.
 * @throws nodeNameAlreadyExists, nodeAddressAlreadyExists, inboundMissingOnNewNode, configProfileNotFound,
 * configProfileInboundNotFoundInSpecifiedProfile, infraProviderNotFound
 */
export function createNode(
  ctx: Ctx,
  caller: Caller,
  { configProfile, providerUuid, activePluginUuid, ...fields }: Input<typeof api.createNode>,
) {
  refuseImpossible(fields)
  return write(ctx, caller, async (tx, record) => {
    const columns = nodeColumns(fields)
    await assertNamesAreFree(tx, columns, null)
    const { profileId, inboundIds } = await resolveInbounds(tx, configProfile, errors.inboundMissingOnNewNode)
    const node = await tx
      .insertInto('nodes')
      .values({
        ...columns,
        activeConfigProfileId: profileId,
        providerId: await resolveProvider(tx, providerUuid),
        pluginId: await resolvePlugin(tx, activePluginUuid),
      })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow()
    await tx.insertInto('nodeStates').values({ nodeId: node.id }).execute()
    await setNodeInbounds(tx, node.id, inboundIds)
    await requestStarts(tx, { nodeIds: [node.id] })
    const after = (await findNode(tx, node.uuid)) ?? fail(errors.createNodeError)
    record({ action: 'createNode', target: node.uuid, rows: madeRows('wholeNode', [node.id]) })
    return after
  })
}

/**
 * Asks for a start only where the agent is concerned. At another address or port the node's core is stopped at the
 * old one first, as far as its agent answers within seconds. The audit entry and the node say if it could not be
 * stopped.
 * @throws nodeNotFound, and the errors of `createNode`
 */
export async function editNode(ctx: Ctx, caller: Caller, edit: Input<typeof api.updateNode>) {
  refuseImpossible(edit)
  const left = await leaveIfMoving(ctx, edit)
  try {
    return await changeNode(ctx, caller, edit, left)
  } finally {
    if (left) await releaseLeases(ctx.db, [left.lease])
  }
}

type Leaving = Left & { from: string }

/** Nothing is ended for a change that will be refused. */
async function leaveIfMoving(
  ctx: Ctx,
  { uuid, configProfile, providerUuid, activePluginUuid, ...fields }: Input<typeof api.updateNode>,
): Promise<Leaving | undefined> {
  const columns = nodeColumns(fields)
  const { address, port } = columns
  if (address === undefined && port === undefined) return undefined
  const node = (await findNode(ctx.db, uuid)) ?? fail(errors.nodeNotFound)
  await ctx.db.transaction().execute(async (tx) => {
    await assertNamesAreFree(tx, columns, uuid)
    if (configProfile) await resolveInbounds(tx, configProfile, errors.inboundMissingOnNode)
    if (providerUuid !== undefined) await resolveProvider(tx, providerUuid)
    if (activePluginUuid !== undefined) await resolvePlugin(tx, activePluginUuid)
  })
  const nodeId = (await findNodeId(ctx.db, uuid)) ?? fail(errors.nodeNotFound)
  const next = { address: address ?? node.address, port: port ?? node.port }
  const left = await leaveAddress(ctx, nodeId, next)
  return left && { ...left, from: `${node.address}:${node.port ?? 443}` }
}

function changeNode(
  ctx: Ctx,
  caller: Caller,
  { uuid, configProfile, providerUuid, activePluginUuid, ...fields }: Input<typeof api.updateNode>,
  left: Leaving | undefined,
) {
  return write(ctx, caller, async (tx, record) => {
    const node = (await lockNode(tx, uuid)) ?? fail(errors.nodeNotFound)
    const rows = await watchRows(tx, 'node', [node.id])
    const columns = nodeColumns(fields)
    await assertNamesAreFree(tx, columns, uuid)
    const inbounds = configProfile && (await resolveInbounds(tx, configProfile, errors.inboundMissingOnNode))
    await tx
      .updateTable('nodes')
      .set({
        ...columns,
        ...(inbounds ? { activeConfigProfileId: inbounds.profileId } : {}),
        ...(providerUuid === undefined ? {} : { providerId: await resolveProvider(tx, providerUuid) }),
        ...(activePluginUuid === undefined ? {} : { pluginId: await resolvePlugin(tx, activePluginUuid) }),
        updatedAt: ctx.now(),
      })
      .where('id', '=', node.id)
      .execute()
    if (inbounds) await setNodeInbounds(tx, node.id, inbounds.inboundIds)
    const isAgentConcerned = inbounds !== undefined || columns.address !== undefined || columns.port !== undefined
    if (isAgentConcerned && !node.isDisabled) await requestStarts(tx, { nodeIds: [node.id] })
    // With another plugin the torrent rule may come or go; a core that has the same configuration goes on.
    if (activePluginUuid !== undefined && !node.isDisabled) await tellNodes(tx, [node.id], { isRuleChanged: true })
    if (left) await noteLeft(tx, node.id, left)
    const after = (await findNode(tx, uuid)) ?? fail(errors.nodeNotFound)
    const details = left && { details: { leftAddress: left.from, coreThere: whatOf(left) } }
    record({ action: 'updateNode', target: uuid, rows, ...details })
    return after
  })
}

/** The core at the old address is not the one at the new address; a core that was left running is a warning on the node. */
async function noteLeft(tx: Tx, nodeId: number, left: Leaving): Promise<void> {
  if (left.core === 'kept') return
  const warning =
    left.core === 'stopped'
      ? {}
      : {
          warning: `The core at the old address ${left.from} could not be stopped and may go on serving. Stop it there. ${left.core.awayBecause}`,
        }
  await tx
    .updateTable('nodeStates')
    .set({ runningConfigHash: null, ...warning })
    .where('nodeId', '=', nodeId)
    .execute()
}

function whatOf({ core }: Left): string {
  return typeof core === 'string' ? core : core.awayBecause
}

/** Without profile or inbounds there is nothing to run: such a node stays, or becomes, disabled. */
export function enableNode(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const node = (await lockNode(tx, uuid)) ?? fail(errors.nodeNotFound)
    const rows = await watchRows(tx, 'node', [node.id])
    if (node.activeConfigProfileId === null || !(await hasInbounds(tx, node.id))) {
      await disableNodes(tx, [node.id], { withoutProfile: true })
    } else {
      await tx.updateTable('nodes').set({ isDisabled: false, updatedAt: ctx.now() }).where('id', '=', node.id).execute()
      await tx.updateTable('nodeStates').set({ stopRequestedAt: null }).where('nodeId', '=', node.id).execute()
      await requestStarts(tx, { nodeIds: [node.id] })
    }
    record({ action: 'enableNode', target: uuid, rows })
    return (await findNode(tx, uuid)) ?? fail(errors.nodeNotFound)
  })
}

export function disableNode(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const node = (await lockNode(tx, uuid)) ?? fail(errors.nodeNotFound)
    const rows = await watchRows(tx, 'node', [node.id])
    await disableNodes(tx, [node.id])
    record({ action: 'disableNode', target: uuid, rows })
    return (await findNode(tx, uuid)) ?? fail(errors.nodeNotFound)
  })
}

/**
 * The node's counters are booked and its core is ended first, as far as its agent can be reached in a few seconds. What it was
 * used for over the years goes by a job.
 */
export async function removeNode(ctx: Ctx, caller: Caller, uuid: string) {
  await retireNode(ctx, (await findNodeId(ctx.db, uuid)) ?? fail(errors.nodeNotFound))
  return write(ctx, caller, async (tx, record) => {
    const { id } = (await lockNode(tx, uuid)) ?? fail(errors.nodeNotFound)
    const rows = await watchRows(tx, 'wholeNode', [id])
    await tx.deleteFrom('nodes').where('id', '=', id).execute()
    await forgetUsage(tx, id, ctx.now())
    record({ action: 'deleteNode', target: uuid, rows })
    return { isDeleted: true }
  })
}

/** The usage of a deleted node goes by a job, when an undo is no longer likely. */
export async function forgetUsage(tx: Tx, nodeId: number, now: Date): Promise<void> {
  const { firstDay, lastDay } = await findUsageDays(tx)
  if (firstDay === null || lastDay === null) return
  const days = (Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS + 1
  const dueAt = new Date(now.getTime() + FORGET_AFTER_MS)
  await startJob(tx, forgetNodeUsage, { payload: { nodeId, firstDay, days }, total: days, dueAt }, now)
}

export function restartNode(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const node = (await lockNode(tx, uuid)) ?? fail(errors.nodeNotFound)
    if (node.isDisabled) fail(errors.nodeIsDisabled, { message: 'The node is disabled. Enable it instead of restarting it.' })
    await requestStarts(tx, { nodeIds: [node.id] })
    record({ action: 'restartNode', target: uuid })
    return { eventSent: true }
  })
}

export function restartAllNodes(ctx: Ctx, caller: Caller, isForced: boolean) {
  return write(ctx, caller, async (tx, record) => {
    const count = await countEnabledNodes(tx)
    if (count === 0) fail(errors.enabledNodesNotFound)
    await requestStarts(tx, 'all', { isForced })
    record({ action: 'restartAllNodes', target: `${count} nodes`, details: { isForced } })
    return { eventSent: true }
  })
}

export function reorderNodes(ctx: Ctx, caller: Caller, positions: Input<typeof api.reorderNodes>['nodes']) {
  return write(ctx, caller, async (tx, record) => {
    const uuids = positions.map((position) => position.uuid)
    const rows = await watchRows(tx, 'nodePlace', uuids)
    await setNodePositions(tx, positions)
    record({ action: 'reorderNodes', target: `${positions.length} nodes`, rows })
    return listNodes(tx)
  })
}

/** The line that an administrator copies to a node. Each call makes a new certificate; earlier ones stay valid. */
export async function makeNodePublicKey(ctx: Ctx): Promise<{ pubKey: string; secretKey: string }> {
  const payload = await mintAgentPayload(await readFleetKeys(ctx.secrets), ctx.now())
  const pubKey = Buffer.from(JSON.stringify(payload)).toString('base64')
  return { pubKey, secretKey: pubKey }
}

const isCountry = (code: string) => code === UNKNOWN_COUNTRY || COUNTRY_CODES.includes(code)

type Impossible = Pick<Input<typeof api.updateNode>, 'name' | 'address' | 'port' | 'countryCode' | 'consumptionMultiplier'>

function addressProblem(address: string): string | undefined {
  if (address.length < MIN_ADDRESS) return `must have at least ${MIN_ADDRESS} characters`
  return isHostAddress(address) ? undefined : 'must be a domain or an IP address, without scheme, port or path'
}

/** Values that pass the wire's schema and suit no node: lengths are checked after trimming. */
function refuseImpossible({ name, address, port, countryCode, consumptionMultiplier = 1 }: Impossible): void {
  refuseFields({
    name: name !== undefined && name.trim().length < MIN_NAME ? `must have at least ${MIN_NAME} characters` : undefined,
    address: address === undefined ? undefined : addressProblem(address.trim()),
    countryCode: countryCode && !isCountry(countryCode.toUpperCase()) ? 'must be a country of ISO 3166-1, or XX' : undefined,
    port: port !== undefined && (port < 1 || port > MAX_PORT) ? `must be from 1 to ${MAX_PORT}` : undefined,
    consumptionMultiplier: consumptionMultiplier > MAX_MULTIPLIER ? `must be at most ${MAX_MULTIPLIER}` : undefined,
  })
}

async function assertNamesAreFree(
  tx: Tx,
  names: { name?: string | undefined; address?: string | undefined },
  exceptUuid: string | null,
): Promise<void> {
  const taken = await lockTakenNames(tx, names, exceptUuid)
  if (taken.name)
    fail(errors.nodeNameAlreadyExists, { message: `A node named "${names.name}" exists already. Choose another name.` })
  if (taken.address)
    fail(errors.nodeAddressAlreadyExists, { message: `A node with the address ${names.address} exists already.` })
}

async function resolveInbounds(tx: Tx, wanted: ConfigProfile, empty: KnownError) {
  if (wanted.activeInbounds.length === 0) fail(empty)
  const uuids = [...new Set(wanted.activeInbounds.map((uuid) => uuid.toLowerCase()))]
  const found = (await findProfileInbounds(tx, wanted.activeConfigProfileUuid, uuids)) ?? fail(errors.configProfileNotFound)
  if (found.inboundIds.length < uuids.length) fail(errors.configProfileInboundNotFoundInSpecifiedProfile)
  return found
}

async function resolveProvider(tx: Tx, uuid: string | null | undefined): Promise<number | null> {
  if (uuid === undefined || uuid === null) return null
  return (await findProviderId(tx, uuid)) ?? fail(errors.infraProviderNotFound)
}

async function resolvePlugin(tx: Tx, uuid: string | null | undefined): Promise<number | null> {
  if (uuid === undefined || uuid === null) return null
  return (await lockPlugin(tx, uuid))?.id ?? fail(errors.nodePluginNotFound)
}
