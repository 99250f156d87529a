import { errors } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { audited, type AuditedTable } from '../../db/audited.ts'
import { asText, type KeptRows, type Row } from '../../db/audited-rows.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { disableNodes, queueAllForNodes, queueForNodes, requestStarts } from '../../ground/delivery.queries.ts'
import { statusAfterEdit, statusByItself, statusWhenBack } from '../../ground/user-status.rules.ts'
import { deleteUsers, forgetThresholds, lockUsers, setStatuses } from '../../ground/user-writes.queries.ts'
import { fail } from '../../http/errors.ts'
import { hasOpenRollout } from '../config-profiles/config-profiles.queries.ts'
import { profileText, snippetText, templateText } from '../history/texts.rules.ts'
import { forgetUsage } from '../nodes/nodes.actions.ts'
import { tellNodes } from '../node-plugins/node-plugins.actions.ts'
import { listNodeIdsOfPlugins, listPluginIds } from '../node-plugins/node-plugins.queries.ts'
import { keepRevision } from '../revisions/revisions.queries.ts'
import { isRollingOut, listLostSnippets, listProfilesOfSnippets } from '../snippets/snippets.queries.ts'
import type { Step } from '../../db/undo/steps.ts'
import {
  clearStops,
  deleteRows,
  insertRows,
  listNodesOfProfiles,
  listProfileIds,
  listRunnable,
  updateRows,
} from './undo.queries.ts'

// What follows from rows that change, as for any other write: nodes are told, statuses judged, cores started, revisions kept.

const tables = Object.keys(audited) as AuditedTable[] // parents first; the type of keys() does not tell
const USER_TABLES: ReadonlySet<string> = new Set(['users', 'userUsage', 'internalSquadMembers'])
/** Columns of a user that nodes know. */
const OF_NODES = ['status', 'username', 'vlessUuid', 'trojanPassword', 'ssPassword']
/** Columns that a node's agent has to know of. */
const OF_AGENT = ['address', 'port', 'isDisabled', 'activeConfigProfileId', 'pluginId']

export async function withConsequences(
  ctx: Ctx,
  caller: Caller,
  tx: Tx,
  steps: readonly Step[],
  before: KeptRows,
): Promise<void> {
  const of = (table: AuditedTable, ...changes: Step['change'][]) =>
    steps.filter((step) => step.table === table && (changes.length === 0 || changes.includes(step.change)))
  const numbers = (list: readonly Step[], column: string) => [...new Set(list.map(({ row }) => Number(row[column])))]

  await refuseDuringRollouts(tx, numbers(of('configProfiles'), 'id'), numbers(of('snippets'), 'id'))
  const userIds = [
    ...new Set(steps.flatMap(({ table, row }) => (USER_TABLES.has(table) ? [Number(row['userId'] ?? row['id'])] : []))),
  ]
  const was = await lockUsers(tx, userIds, { withUsage: true })
  const inbounds = numbers(of('internalSquadInbounds'), 'inboundId')
  const leftProfiles = await listProfileIds(tx, inbounds)
  const withoutProfile = await listNodesOfProfiles(tx, numbers(of('configProfiles', 'delete'), 'id'))
  await disableNodes(tx, withoutProfile, { withoutProfile: true })

  await write(ctx, tx, steps)
  await refuseLostSnippets(tx, of)

  await judge(ctx, tx, of, userIds)
  const is = await lockUsers(tx, userIds)
  const told = new Set(
    [...of('internalSquadMembers'), ...of('users')]
      .filter(({ table, change, row }) => change !== 'update' || table !== 'users' || OF_NODES.some((name) => name in row))
      .map(({ row }) => Number(row['userId'] ?? row['id'])),
  )
  const [formerly, now] = [new Map(was.map((user) => [user.id, user.status])), new Map(is.map((user) => [user.id, user.status]))]
  const isTold = (id: number) => told.has(id) || formerly.get(id) !== now.get(id)
  const active = [...was, ...is].filter(({ id, status }) => status === 'ACTIVE' && isTold(id)).map(({ username }) => username)
  await queueForNodes(tx, [...new Set(active)])
  const squadProfiles = [...new Set([...leftProfiles, ...(await listProfileIds(tx, inbounds))])]
  if (squadProfiles.length > 0) await queueAllForNodes(tx, { profileIds: squadProfiles })
  await startNodes(tx, of)
  await tellPlugins(tx, of)
  const configured = numbers(
    of('configProfiles', 'update', 'insert').filter(({ row }) => row['config'] !== undefined),
    'id',
  )
  const shared = await listProfilesOfSnippets(tx, numbers(of('snippets', 'update'), 'id'))
  const started = [...new Set([...configured, ...shared])]
  if (started.length > 0) await requestStarts(tx, { profileIds: started })
  await keepRevisions(ctx, caller, tx, of, before)
}

/** As for a save: two contents on their way at once could not be told apart. @throws snippetRolloutUnderWay, rolloutUnderWay */
async function refuseDuringRollouts(tx: Tx, profileIds: readonly number[], snippetIds: readonly number[]): Promise<void> {
  for (const id of snippetIds) if (await isRollingOut(tx, id)) fail(errors.snippetRolloutUnderWay)
  const concerned = [...profileIds, ...(await listProfilesOfSnippets(tx, snippetIds))]
  if (concerned.length > 0 && (await hasOpenRollout(tx, concerned))) fail(errors.rolloutUnderWay)
}

/** A profile that comes back may name a snippet that is gone, and a snippet that goes may be named by now. */
async function refuseLostSnippets(tx: Tx, of: StepsOf): Promise<void> {
  const isConcerned = of('snippets').length > 0 || of('configProfiles').some(({ row }) => row['config'] !== undefined)
  if (!isConcerned) return
  const [lost] = await listLostSnippets(tx)
  if (lost)
    fail(errors.snippetInUse, {
      message: `The profile "${lost.profile}" names the snippet "${lost.snippet}". Take it out first.`,
    })
}

async function write(ctx: Ctx, tx: Tx, steps: readonly Step[]): Promise<void> {
  const rowsOf = (table: AuditedTable, change: Step['change']) =>
    steps.filter((step) => step.table === table && step.change === change).map(({ row }) => row)
  for (const table of tables.toReversed()) {
    const rows = rowsOf(table, 'delete')
    if (rows.length === 0) continue
    if (table === 'users')
      await deleteUsers(
        tx,
        rows.map((row) => Number(row['id'])),
      )
    else await deleteRows(tx, table, rows)
    if (table === 'nodes') for (const row of rows) await forgetUsage(tx, Number(row['id']), ctx.now())
  }
  for (const table of tables) {
    const [made, changed] = [rowsOf(table, 'insert'), rowsOf(table, 'update')]
    if (made.length > 0) await insertRows(tx, table, made)
    if (changed.length > 0) await updateRows(tx, table, touched(table, changed, ctx.now()))
  }
}

const DATED: ReadonlySet<AuditedTable> = new Set([
  'users',
  'configProfiles',
  'snippets',
  'internalSquads',
  'nodes',
  'infraProviders',
  'nodePlugins',
  'sharedLists',
  'infraBillingNodes',
  'apiTokens',
  'installation',
  'savedViews',
  'subscriptionPages',
  'subscriptionSettings',
  'subscriptionTemplates',
  'subscriptionPageConfigs',
  'externalSquads',
])

/** A row that is set back gets a new time of change, so that open forms notice it. */
function touched(table: AuditedTable, rows: Row[], now: Date): Row[] {
  return DATED.has(table) ? rows.map((row) => ({ ...row, updatedAt: now.toISOString() })) : rows
}

type StepsOf = (table: AuditedTable, ...changes: Step['change'][]) => Step[]

/** Time has passed and traffic was booked since: what is set back gets the status that it would have by now. */
async function judge(ctx: Ctx, tx: Tx, of: StepsOf, userIds: readonly number[]): Promise<void> {
  const judgedBy = ['status', 'expireAt', 'trafficLimitBytes']
  const limited = of('users', 'update').filter(({ row }) => row['trafficLimitBytes'] !== undefined)
  await forgetThresholds(
    tx,
    limited.map(({ row }) => Number(row['id'])),
  )
  const judged = new Set([
    ...of('users', 'insert', 'update').flatMap(({ row }) => (judgedBy.some((name) => name in row) ? [Number(row['id'])] : [])),
    ...of('userUsage', 'update').map(({ row }) => Number(row['userId'])),
  ])
  const now = ctx.now()
  const users = await lockUsers(
    tx,
    userIds.filter((id) => judged.has(id)),
  )
  const changes = users.flatMap((user) => {
    const back = { ...user, status: statusWhenBack(user, now) }
    const isCounted = back.status === 'ACTIVE' || back.status === 'LIMITED'
    const roomy = isCounted
      ? { ...back, status: statusAfterEdit(back, { trafficLimitBytes: back.trafficLimitBytes }, now) }
      : back
    const status = statusByItself(roomy, now)
    return status === user.status ? [] : [{ id: user.id, status }]
  })
  await setStatuses(tx, changes, now)
}

async function startNodes(tx: Tx, of: StepsOf): Promise<void> {
  const concerned = of('nodes', 'insert', 'update').filter(
    ({ change, row }) => change === 'insert' || OF_AGENT.some((name) => name in row),
  )
  const ids = new Set([
    ...concerned.map(({ row }) => Number(row['id'])),
    ...of('nodeInbounds').map(({ row }) => Number(row['nodeId'])),
  ])
  if (ids.size === 0) return
  const nodes = await listRunnable(tx, [...ids])
  const isOff = (node: { isDisabled: boolean; isRunnable: boolean }) => node.isDisabled || !node.isRunnable
  const off = nodes.filter(isOff)
  const switched = off.filter(({ id }) => concerned.some(({ row }) => Number(row['id']) === id))
  await disableNodes(
    tx,
    switched.map(({ id }) => id),
  )
  const on = nodes.filter((node) => !isOff(node)).map(({ id }) => id)
  if (on.length === 0) return
  await clearStops(tx, on)
  await requestStarts(tx, { nodeIds: on })
}

/** Lists may be named by any plugin. Nodes that know already what they are told go on as they are. */
async function tellPlugins(tx: Tx, of: StepsOf): Promise<void> {
  const ids =
    of('sharedLists', 'update').length > 0 ? await listPluginIds(tx) : of('nodePlugins').map(({ row }) => Number(row['id']))
  if (ids.length > 0) await tellNodes(tx, await listNodeIdsOfPlugins(tx, ids), { isRuleChanged: true })
}

async function keepRevisions(ctx: Ctx, caller: Caller, tx: Tx, of: StepsOf, before: KeptRows): Promise<void> {
  const at = ctx.now()
  for (const { row, change } of of('configProfiles', 'insert', 'update')) {
    if (typeof row['config'] !== 'string') continue
    const former = before.configProfiles?.find(({ id }) => id === row['id'])
    const uuid = asText(row['uuid'] ?? former?.['uuid'] ?? null)
    const known =
      change === 'update' && typeof former?.['config'] === 'string' ? { content: profileText(former['config']), at } : undefined
    await keepRevision(tx, { kind: 'profile', uuid, before: known, content: profileText(row['config']), at, caller })
  }
  for (const { row, change } of of('snippets', 'insert', 'update')) {
    if (typeof row['snippet'] !== 'string') continue
    const former = before.snippets?.find(({ id }) => id === row['id'])
    const uuid = asText(row['uuid'] ?? former?.['uuid'] ?? null)
    const known =
      change === 'update' && typeof former?.['snippet'] === 'string' ? { content: snippetText(former['snippet']), at } : undefined
    await keepRevision(tx, { kind: 'snippet', uuid, before: known, content: snippetText(row['snippet']), at, caller })
  }
  for (const { row } of of('subscriptionTemplates', 'update')) {
    const former = before.subscriptionTemplates?.find(({ uuid }) => uuid === row['uuid'])
    const [content, known] = [templateText(row), former && templateText(former)]
    if (content === undefined || known === undefined) continue
    await keepRevision(tx, {
      kind: 'template',
      uuid: asText(row['uuid'] ?? null),
      before: { content: known, at },
      content,
      at,
      caller,
    })
  }
}
