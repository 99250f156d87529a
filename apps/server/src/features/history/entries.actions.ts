import { createHash } from 'node:crypto'
import {
  historyActions,
  historyKinds,
  isHistoryAction,
  UNDO_ACTION,
  UNDO_MANY_ACTION,
  readPermission,
  type ChangedThing,
  type HistoryEntry,
  type HistoryKind,
  type Permission,
  type UndoObstacle,
} from '@causeway/contract'
import { audited, type AuditedTable } from '../../db/audited.ts'
import { asText as asKey, keyOf, type KeptRows, type Row } from '../../db/audited-rows.ts'
import type { Db } from '../../db/driver/connect.ts'
import { references } from '../../db/undo/references.ts'
import { nameColumns, nameOfRow } from '../../db/undo/things.ts'
import { findNames, type ListedEntry, type Pairs } from './history.queries.ts'
import { profileTextToShow, templateText } from './texts.rules.ts'

/** Jobs record the rows of up to this many users. */
const MAX_RECORDED = 10_000

/** Why an entry cannot be undone; null where it can. */
export function obstacleOf(entry: ListedEntry): UndoObstacle | null {
  const { action, undoneBy, jobId, count, hasRows } = entry
  if (undoneBy !== null) return 'undone'
  if (action !== UNDO_ACTION && action !== UNDO_MANY_ACTION) {
    if (!isHistoryAction(action)) return 'unknownAction'
    const { undo } = historyActions[action]
    if (undo !== 'rows') return undo
  }
  if (entry.isOmitted) return 'notKept'
  if (jobId !== null && entry.actorKind !== 'system') return count > MAX_RECORDED ? 'notKept' : null
  if (!hasRows) return 'notKept'
  return entry.isEmpty ? 'nothingChanged' : null
}

const ACTORS = ['admin', 'apiToken', 'anonymous', 'system'] as const

export function actorKindOf(kind: string): HistoryEntry['actor']['kind'] {
  return ACTORS.find((each) => each === kind) ?? 'system'
}

export function toHistoryEntry(entry: ListedEntry): HistoryEntry {
  const { id, at, action, target, name, count, jobId, undoes, undoneBy, undoneAction } = entry
  return {
    id,
    at: at.toISOString(),
    actor: { kind: actorKindOf(entry.actorKind), uuid: entry.actorUuid, name: entry.actorName },
    from: entry.address,
    action,
    kind: kindOf(entry.kind) ?? 'job',
    target,
    name,
    count,
    jobId,
    undoes,
    undoneBy,
    undoneAction,
    obstacle: obstacleOf(entry),
  }
}

export function kindOf(kind: string | null): HistoryKind | undefined {
  return historyKinds.find((each) => each === kind)
}

/** The actions that a reader may see, by kind. An undo is of the kind of what it undoes. */
export function visibleActions(
  permissions: ReadonlySet<Permission>,
  { kind, action }: { kind?: HistoryKind | undefined; action?: string | undefined },
): Pairs & { isAll: boolean } {
  const readable = historyKinds.filter((each) => permissions.has(readPermission(each)))
  const wanted = action?.split(',')
  const own = Object.entries(historyActions).map(([name, known]) => [name, known.kind] as const)
  const undos = historyKinds.map((each) => [UNDO_ACTION, each] as const)
  const pairs = [...own, ...undos, [UNDO_MANY_ACTION, 'job'] as const].filter(
    ([name, of]) =>
      readable.includes(of) && (kind === undefined || kind === of) && (wanted === undefined || wanted.includes(name)),
  )
  const isAll = readable.length === historyKinds.length && kind === undefined && action === undefined
  return { actions: pairs.map(([name]) => name), kinds: pairs.map(([, of]) => of), isAll }
}

/** The kind of thing that a table belongs to, by which its rows are shown. */
const tableKinds: Record<AuditedTable, HistoryKind> = {
  admins: 'account',
  apiTokens: 'token',
  configProfiles: 'profile',
  configProfileInbounds: 'profile',
  configProfileRollouts: 'profile',
  internalSquads: 'squad',
  internalSquadInbounds: 'squad',
  infraProviders: 'billing',
  nodePlugins: 'node',
  sharedLists: 'node',
  nodes: 'node',
  nodeInbounds: 'node',
  nodeStates: 'node',
  nodeTrafficResets: 'node',
  nodeMetadata: 'node',
  nodeUsageDays: 'node',
  infraBillingNodes: 'billing',
  infraBillingRecords: 'billing',
  users: 'user',
  userUsage: 'user',
  userAccesses: 'user',
  userMetadata: 'user',
  userTrafficResets: 'user',
  userNodeUsage: 'user',
  internalSquadMembers: 'user',
  hwidDevices: 'user',
  savedViews: 'view',
  webhooks: 'webhook',
  webhookStates: 'webhook',
  noticeWays: 'notice',
  noticeRules: 'notice',
  hosts: 'host',
  hostNodes: 'host',
  installation: 'settings',
  subscriptionPages: 'settings',
  subscriptionSettings: 'settings',
  subscriptionTemplates: 'template',
  subscriptionPageConfigs: 'settings',
  externalSquads: 'squad',
  externalSquadTemplates: 'squad',
}

export function isKnownTable(table: string): table is AuditedTable {
  return Object.hasOwn(tableKinds, table)
}

/** The name of an entry's only thing, for its row. */
export function nameFor(table: AuditedTable, kind: HistoryKind, name: string | null): string | null {
  return tableKinds[table] === kind && table in nameColumns ? name : null
}

export function isTableVisible(table: AuditedTable, permissions: ReadonlySet<Permission>): boolean {
  return permissions.has(readPermission(tableKinds[table]))
}

/** Configurations and templates are wrapped like secrets, and shown as texts. */
const TEXTS: Partial<Record<AuditedTable, readonly string[]>> = {
  configProfiles: ['config'],
  configProfileRollouts: ['config'],
  subscriptionTemplates: ['templateYaml', 'templateJson'],
  subscriptionPages: ['config'],
  subscriptionPageConfigs: ['config'],
}
/** Of others no secret is shown, so that none needs to be opened. */
export const TABLES_WITH_TEXTS: ReadonlySet<string> = new Set(Object.keys(TEXTS))

/** Follows from others, or says nothing to people. */
const HIDDEN = new Set(
  (
    'id createdAt updatedAt label rawInbound userId nodeId hostId squadId profileId lastTriggeredThreshold trafficDay dayBytes sumsDay ' +
    'weekBytes thirtyDaysBytes monthBytes lastConnectedNodeId billingDay nextBillingOn billedOn'
  ).split(' '),
)

/** The first things that differ, field by field. */
export function changesOf(
  rows: { before: KeptRows; after: KeptRows },
  permissions: ReadonlySet<Permission>,
  most: number,
  names: ReadonlyMap<string, string> = new Map(),
): { changes: ChangedThing[]; total: number } {
  const changes: ChangedThing[] = []
  let total = 0
  for (const table of Object.keys(audited) as AuditedTable[]) {
    // the type of keys() does not tell
    if (!isTableVisible(table, permissions)) continue
    const [before, after] = [rows.before, rows.after].map(
      (side) => new Map((side[table] ?? []).map((row) => [keyOf(table, row), row])),
    )
    for (const key of new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])) {
      const [old, now] = [before?.get(key), after?.get(key)]
      const fields = fieldsOf(table, old, now, names)
      const change = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed'
      if (change === 'changed' && fields.length === 0) continue
      total++
      if (changes.length >= most) continue
      const row = { ...old, ...now }
      changes.push({ table, name: nameOfRow(table, row) ?? nameByReferences(table, row, names), change, fields })
    }
  }
  return { changes, total }
}

/** Where a column holds the number of something that has a name. */
function nameOfReferred(table: AuditedTable, column: string, value: Row[string], names: ReadonlyMap<string, string>) {
  const reference = typeof value === 'number' && references[table]?.find((each) => each.column === column)
  return reference ? names.get(`${reference.table} ${value}`) : undefined
}

/** Owners of rows without a name: a squad and a user of a membership. */
const BELONGS: Partial<Record<AuditedTable, readonly { column: string; table: AuditedTable }[]>> = {
  ...references,
  userNodeUsage: [...(references.userNodeUsage ?? []), { column: 'nodeId', table: 'nodes' }],
}

function nameByReferences(table: AuditedTable, row: Row, names: ReadonlyMap<string, string>): string | null {
  const own = names.get(`${table} ${asKey(row['id'] ?? null)}`)
  if (own !== undefined) return own
  const parts = (BELONGS[table] ?? []).flatMap((reference) => {
    const name = names.get(`${reference.table} ${asKey(row[reference.column] ?? null)}`)
    return name === undefined ? [] : [name]
  })
  return parts.length > 0 ? parts.join(' · ') : null
}

/** Names of what the first rows belong to: from the rows themselves, as deleted things have no other, else as they are now. */
export async function namesOf(
  db: Db,
  { before, after }: { before: KeptRows; after: KeptRows },
  permissions: ReadonlySet<Permission>,
  most: number,
): Promise<Map<string, string>> {
  const known = new Map<string, string>()
  const wanted = new Map<AuditedTable, Set<number>>()
  const want = (table: AuditedTable, id: number) => {
    const ids = wanted.get(table) ?? new Set()
    if (ids.size < most) wanted.set(table, ids.add(id))
  }
  for (const side of [before, after])
    for (const table of Object.keys(nameColumns) as AuditedTable[])
      // the type of keys() does not tell
      for (const row of side[table] ?? []) {
        const { id } = row
        if (typeof id !== 'number') continue
        const name = nameOfRow(table, row)
        // Rows that were changed hold the changed columns alone.
        if (name === null) want(table, id)
        else known.set(`${table} ${id}`, name)
      }
  for (const side of [before, after])
    for (const [table, list] of Object.entries(BELONGS))
      for (const row of (side[table as AuditedTable] ?? []).slice(0, most))
        for (const reference of list) {
          const id = row[reference.column]
          if (typeof id !== 'number' || known.has(`${reference.table} ${id}`)) continue
          if (nameColumns[reference.table] !== undefined && isTableVisible(reference.table, permissions))
            want(reference.table, id)
        }
  return new Map([...(await findNames(db, wanted)), ...known])
}

function fieldsOf(
  table: AuditedTable,
  old: Row | undefined,
  now: Row | undefined,
  others: ReadonlyMap<string, string>,
): ChangedThing['fields'] {
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])]
  return names.flatMap((name) => {
    if (HIDDEN.has(name)) return []
    const [before, after] = [old?.[name] ?? null, now?.[name] ?? null]
    if (JSON.stringify(before) === JSON.stringify(after)) return []
    const isText = TEXTS[table]?.includes(name) === true
    const isSecret = !isText && audited[table].secret?.includes(name) === true
    if (isSecret) return { name, isSecret, isText, before: null, after: null }
    const told = (value: Row[string]) => {
      if (table === 'webhooks' && name === 'url' && typeof value === 'string') return withoutAccess(value)
      return isText ? asText(name, value) : (nameOfReferred(table, name, value, others) ?? value)
    }
    return { name, isSecret, isText, before: told(before), after: told(after) }
  })
}

/** An address may hold a password or a token: what stands before the host and after the path is left out. */
function withoutAccess(address: string): string {
  const url = URL.parse(address)
  if (!url) return address
  return `${url.protocol}//${url.username === '' ? '' : '…@'}${url.host}${url.pathname}${url.search === '' ? '' : '?…'}`
}

const markOf = (secret: string) => createHash('sha256').update(secret).digest('hex').slice(0, 4)

function asText(name: string, value: Row[string]): string | null {
  if (value === null) return null
  if (typeof value !== 'string') return JSON.stringify(value, null, 2)
  return name.startsWith('template') ? (templateText({ [name]: value }) ?? value) : profileTextToShow(value, markOf)
}
