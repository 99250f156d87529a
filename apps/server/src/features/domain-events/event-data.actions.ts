import { domainEvents, xrayMatch, type EventName } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { countOnline, withOnline, type OnlineCount } from '../../ground/online.queries.ts'
import { replyWriter } from '../../http/serializer.ts'
import { Cache } from '../../lib/cache.ts'
import { toReport } from '../node-plugins/torrents.rules.ts'
import { listNodesOfSnapshots } from '../nodes/nodes.queries.ts'
import { toUser } from '../users/links.rules.ts'
import { listUsersOfSnapshots, type StoredUser } from '../users/users.queries.ts'
import type { OutboxRow } from './outbox.queries.ts'

// The member `data` of bodies: users and nodes as the API answers them, by the API's own statements over rows as they were.

const writers = new Cache<(data: unknown) => string>({ most: Object.keys(domainEvents).length })

/** Writes `data` by the contract, which drops everything that it does not name. */
export function writeData(event: EventName, data: unknown): string {
  return writers.find(event, () => replyWriter(domainEvents[event]))(data)
}

/** Gives the data of each of these rows by its id. */
export async function eventDataOf(ctx: Ctx, tx: Tx, rows: OutboxRow[]): Promise<Map<number, unknown>> {
  const users = await usersOf(ctx, tx, rows)
  // Counting reads every user: once for all of them, and only where a node is told of.
  const online = rows.some(({ snapshot }) => snapshot?.nodes) ? await countOnline(tx, ctx.now()) : { onNodes: {} }
  const data = new Map<number, unknown>()
  for (const row of rows) data.set(row.id, await dataOf(tx, row, { user: users.get(row.id), online }))
  return data
}

async function usersOf(ctx: Ctx, tx: Tx, rows: OutboxRow[]) {
  const snapshots = rows.flatMap(({ id, snapshot }) => (snapshot?.users ? [{ id, snapshot, userId: snapshot.users.id }] : []))
  const stored = snapshots.length === 0 ? [] : await listUsersOfSnapshots(tx, snapshots)
  const realId = new Map(snapshots.map(({ id, userId }) => [id, userId]))
  return new Map(stored.map((row) => [row.id, toSent(ctx, { ...row, id: realId.get(row.id) ?? row.id })]))
}

const toSent = (ctx: Ctx, row: StoredUser) => toUser(ctx.config, null, row)

interface Around {
  user: object | undefined
  online: Pick<OnlineCount, 'onNodes'>
}

async function dataOf(tx: Tx, { event, snapshot, facts }: OutboxRow, { user, online }: Around): Promise<unknown> {
  if (facts.data) return facts.data
  if (facts.token) return tokenData(facts.token)
  if (facts.device && user) return { user, hwidUserDevice: deviceData(facts.device, snapshot?.users?.uuid) }
  if (facts.torrent) return { node: await nodeData(tx, snapshot ?? {}, online), user, report: torrentData(facts.torrent) }
  if (snapshot?.nodes) return nodeData(tx, snapshot, online)
  if (event === 'service.subpage_config_changed')
    return { subpageConfig: { action: PAGE_ACTIONS[facts.action ?? ''], uuid: facts.uuid } }
  return user
}

const PAGE_ACTIONS: Record<string, string> = { INSERT: 'CREATED', UPDATE: 'UPDATED', DELETE: 'DELETED' }

function tokenData({ uuid, tokenName, expiresAt, permissions }: NonNullable<OutboxRow['facts']['token']>) {
  return { apiToken: { name: tokenName, uuid, expireAt: expiresAt && new Date(expiresAt), scopes: permissions ?? ['*'] } }
}

function deviceData(device: Record<string, unknown>, userUuid: string | undefined) {
  const at = (name: string) => new Date(String(device[name]))
  return { requestIp: null, ...device, userUuid, createdAt: at('createdAt'), updatedAt: at('updatedAt') }
}

function torrentData({ userId, ip, isBlocked, blockSeconds, match, at }: Record<string, unknown>) {
  return toReport({
    userId: Number(userId),
    ip: String(ip),
    isBlocked: isBlocked === true,
    blockSeconds: Number(blockSeconds),
    at: new Date(String(at)),
    match: xrayMatch.parse(match),
  })
}

/** Inbounds come without their text: it may hold private keys, and receivers refuse large bodies. */
async function nodeData(tx: Tx, snapshot: object, online: Around['online']) {
  const [node] = await listNodesOfSnapshots(tx, [snapshot])
  if (!node) return undefined
  const activeInbounds = node.configProfile.activeInbounds.map((inbound) => ({ ...inbound, rawInbound: null }))
  return withOnline({ ...node, configProfile: { ...node.configProfile, activeInbounds } }, online)
}
