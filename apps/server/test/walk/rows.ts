import type pg from 'pg'
import { expect } from 'vitest'
import type { Tables } from '../../src/db/tables.ts'

// The whole database as rows that have names, and what two of such readings differ by.

type Table = keyof Tables
export type Row = Record<string, unknown>

/** Columns that tell the rows of a table apart, and so name them; after ids have been replaced by names. */
const nameOf: Record<Table, readonly string[]> = {
  admins: ['username'],
  sessions: ['userAgent'],
  roles: ['name'],
  invitations: ['note'],
  resellers: ['name'],
  authenticators: ['adminId'],
  recoveryCodes: ['adminId'],
  passkeys: ['name'],
  passkeyChallenges: ['purpose'],
  apiTokens: ['tokenName'],
  apiTokenUses: ['tokenUuid'],
  signInAttempts: ['account'],
  adminIdentities: ['label'],
  oauth2States: ['provider'],
  secrets: ['name'],
  auditLog: ['action', 'target'],
  configProfiles: ['name'],
  configProfileInbounds: ['tag'],
  snippets: ['name'],
  configProfileRollouts: ['profileId', 'reason'],
  configProfileRolloutInbounds: ['rolloutId', 'inboundId'],
  configProfileRolloutNodes: ['rolloutId', 'nodeId'],
  internalSquads: ['name'],
  internalSquadInbounds: ['squadId', 'inboundId'],
  internalSquadMembers: ['squadId', 'userId'],
  infraProviders: ['name'],
  infraBillingNodes: ['providerId', 'nodeId'],
  infraBillingRecords: ['providerId', 'amount'],
  nodePlugins: ['name'],
  sharedLists: ['name'],
  geoFiles: ['name'],
  geoFilePieces: ['name', 'offset'],
  torrentReports: ['nodeId', 'userId'],
  nodes: ['name'],
  nodeInbounds: ['nodeId', 'inboundId'],
  nodeStates: ['nodeId'],
  nodeLeases: ['nodeId'],
  nodeJoins: ['nodeId'],
  nodeCertificates: ['fingerprint'],
  nodeTrafficResets: ['nodeId', 'trafficBytes'],
  nodeMetadata: ['nodeId'],
  userMetadata: ['userId'],
  moveIn: ['id'],
  connectionReadings: ['kind', 'subjectId'],
  clock: ['isOnly'],
  idempotencyKeys: ['key'],
  users: ['username'],
  userUsage: ['userId'],
  trafficTurns: ['isOnly'],
  userTraffic: ['userId'],
  trafficOrder: ['isOnly'],
  userAccesses: ['userId'],
  userCounts: ['status', 'delta'],
  userTrafficResets: ['userId', 'usedBytes'],
  hwidDevices: ['userId', 'hwid'],
  userNodeUsage: ['day', 'nodeId', 'userId'],
  nodeUsageQuarters: ['nodeId', 'quarter'],
  nodeUsageDays: ['nodeId', 'day'],
  nodePhases: ['nodeId', 'phase'],
  nodeUserDays: ['nodeId', 'day'],
  nodeUserCounts: ['nodeId', 'days'],
  nodeTopUsers: ['nodeId', 'days', 'userId'],
  onlineQuarters: ['quarter'],
  nodeTagUsage: ['nodeId', 'direction', 'tag'],
  counterBaselines: ['nodeId', 'chunk'],
  deliveries: ['nodeId', 'username'],
  changedUsers: ['username'],
  untold: ['channel', 'payload'],
  hostChanges: ['at'],
  acknowledgedUsers: ['nodeId', 'username'],
  bookedCores: ['nodeId', 'coreId'],
  fleetServers: ['owner'],
  savedViews: ['name'],
  outbox: ['event', 'thing'],
  domainEvents: ['event', 'thing'],
  webhooks: ['name'],
  webhookStates: ['webhookId'],
  webhookDeliveries: ['webhookId', 'event', 'thing'],
  webhookAttempts: ['deliveryId', 'number'],
  eventLooks: ['name'],
  noticeWays: ['name'],
  noticeWayStates: ['wayId'],
  noticeRules: ['condition'],
  noticeReader: [],
  noticeTroubles: ['ruleId', 'thing'],
  noticeMessages: ['wayId', 'title'],
  notices: ['wayId', 'ruleId', 'occasion'],
  hosts: ['remark'],
  hostNodes: ['hostId', 'nodeId'],
  subscriptionRequests: ['userId', 'userAgent'],
  subscriptionSettings: [],
  installation: [],
  subscriptionPages: [],
  subscriptionTemplates: ['label'],
  subscriptionPageConfigs: ['name'],
  externalSquads: ['name'],
  externalSquadTemplates: ['squadUuid', 'templateType'],
  revisions: ['kind', 'subjectUuid', 'number'],
  jobs: ['kind'],
  jobTargets: ['jobId', 'userId'],
  serverCertificates: ['name'],
  serverProcesses: ['role'],
}

/** Numbers of other rows, by the column they stand in. */
const referred: Record<string, Table> = {
  adminId: 'admins',
  roleId: 'roles',
  profileId: 'configProfiles',
  snippetId: 'snippets',
  activeConfigProfileId: 'configProfiles',
  configProfileId: 'configProfiles',
  inboundId: 'configProfileInbounds',
  configProfileInboundId: 'configProfileInbounds',
  rolloutId: 'configProfileRollouts',
  squadId: 'internalSquads',
  providerId: 'infraProviders',
  pluginId: 'nodePlugins',
  nodeId: 'nodes',
  lastConnectedNodeId: 'nodes',
  userId: 'users',
  throughUserId: 'users',
  hostId: 'hosts',
  webhookId: 'webhooks',
  wayId: 'noticeWays',
  ruleId: 'noticeRules',
  madeWithWayId: 'noticeWays',
  messageId: 'noticeMessages',
}

/** Late notices, and numbers that a trigger keeps: the walk holds those against the users themselves. */
const UNDECLARED: readonly Table[] = ['untold', 'hostChanges', 'userCounts']
/** Of a row that has come: numbers and names of the database's own. */
const OWN_COLUMNS = ['id', 'uuid', 'number', 'token']
/** What an audit row holds is tested by taking it back (audit/opposite.test.ts), and how a job runs where jobs are. */
const UNREAD: { [T in Table]?: readonly string[] } = {
  auditLog: 'at actorKind actorUuid actorName address before after kind name count jobId undoes undoneBy touched'.split(' '), // of the last, features/history
  jobs: ['group', 'payload', 'cursor', 'startedAt', 'dueAt', 'createdAt', 'updatedAt', 'finishedAt'],
}

/** Rows by primary key, by table. */
export type Reading = ReadonlyMap<Table, ReadonlyMap<string, Row>>

/** Every row of every table. */
export async function readDatabase(pool: pg.Pool): Promise<Reading> {
  const tables = await pool.query<{ table: Table; key: string[] }>(`
    select c.relname as "table", (
      select array_agg(a.attname::text order by a.attname) from pg_index i
      join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey) where i.indrelid = c.oid and i.indisprimary
    ) as "key"
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname !~ '^kysely_'
  `)
  const selects = tables.rows.map(({ table }) => `select '${table}' as "table", row_to_json(t) as "row" from "${table}" t`)
  const { rows } = await pool.query<{ table: Table; row: Row }>(selects.join(' union all '))
  const reading = new Map(tables.rows.map(({ table }) => [table, new Map<string, Row>()]))
  const keys = new Map(tables.rows.map(({ table, key }) => [table, key]))
  // In the order in which they came, so that those of one name are always numbered alike.
  const place = ({ row }: { row: Row }) => Number(row['number'] ?? row['id'] ?? 0)
  for (const { table, row } of rows.toSorted((one, other) => place(one) - place(other)))
    reading.get(table)?.set(keyOf(row, keys.get(table) ?? []), row)
  return reading
}

const keyOf = (row: Row, key: string[]) => JSON.stringify(key.map((name) => row[name]))

export const DELETED = 'deleted'
/** A row that has come and says nothing but its name. */
export const ADDED = 'added'
/** What it holds besides; what is nothing, 0 or false is left out. */
export const added = (columns: Row) => ({ added: columns })
/** The same for rows of all these words: `every(DELETED, DAYS, ['alpha'])` is of 'DAY alpha'. */
export function every<Change>(change: Change, ...words: readonly (readonly string[])[]): Record<string, Change> {
  const names = words.reduce<string[]>(
    (known, next) => (known.length === 0 ? [...next] : known.flatMap((name) => next.map((word) => `${name} ${word}`))),
    [],
  )
  return Object.fromEntries(names.map((name) => [name, change]))
}

/** An instant of the change itself. */
export const NOW = 'now'
/** A random uuid that is the name of no row. */
export const SOME_UUID = 'a uuid'
/** Random, and no uuid. */
export const SOME_TEXT: unknown = expect.any(String)

/** By table and name of the row: gone, come, or the columns that have changed with what they hold now. */
export type Changes = { [T in Table]?: Record<string, unknown> }

/** What has become of the database between two readings, the first made at `since`. Rows are called what they were called before. */
export function changesBetween(before: Reading, after: Reading, since: Date): Changes {
  const names = new Names(before, after, since)
  const changes: Changes = {}
  for (const [table, rows] of after) {
    if (UNDECLARED.includes(table)) continue
    const was = before.get(table) ?? new Map<string, Row>()
    const found: [string, unknown][] = []
    const keys = [...new Set([...was.keys(), ...rows.keys()])]
    // Several jobs run at once, and a table gives its rows in the order in which they were changed.
    for (const key of table === 'jobs' ? keys.toSorted() : keys) {
      const change = names.change(table, was.get(key), rows.get(key))
      if (change) found.push(change)
    }
    if (found.length > 0) changes[table] = numbered(found)
  }
  return changes
}

/** Rows of one name are told apart by a number. */
function numbered(found: [string, unknown][]): Record<string, unknown> {
  const counts = new Map<string, number>()
  return Object.fromEntries(
    found.map(([name, change]) => {
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      return [count === 1 ? name : `${name} #${count}`, change]
    }),
  )
}

class Names {
  readonly #byId = new Map<string, Row>()
  readonly #byUuid = new Map<string, { table: Table; row: Row }>()
  readonly #since: number
  readonly #until = Date.now()

  constructor(before: Reading, after: Reading, since: Date) {
    this.#since = since.getTime()
    for (const reading of [after, before]) {
      for (const [table, rows] of reading) {
        for (const row of rows.values()) {
          this.#byId.set(`${table} ${String(row['id'])}`, row)
          const uuid = row['uuid'] ?? (table === 'jobs' ? row['id'] : undefined)
          if (typeof uuid === 'string') this.#byUuid.set(uuid, { table, row })
        }
      }
    }
  }

  change(table: Table, was: Row | undefined, is: Row | undefined): [string, unknown] | undefined {
    const unread = UNREAD[table] ?? []
    if (!is) return [this.name(table, was ?? {}), DELETED]
    if (was) {
      const columns = Object.entries(is).filter(([name, value]) => !unread.includes(name) && !isSame(value, was[name]))
      return columns.length === 0 ? undefined : [this.name(table, was), this.#render(Object.fromEntries(columns))]
    }
    const left = [...OWN_COLUMNS, ...unread, ...nameOf[table]]
    const columns = Object.entries(is).filter(([name, value]) => !left.includes(name) && !isNothing(value))
    const rendered = Object.entries(this.#render(Object.fromEntries(columns))).filter(([name, value]) => !isOwnTime(name, value))
    return [this.name(table, is), rendered.length === 0 ? ADDED : added(Object.fromEntries(rendered))]
  }

  name(table: Table, row: Row): string {
    const words = nameOf[table].map((column) => this.#word(column, row[column]))
    return words.length === 0 ? 'the only one' : words.join(' ')
  }

  #word(column: string, value: unknown): string {
    const rendered = this.#value(column, value)
    return typeof rendered === 'string' ? rendered : JSON.stringify(rendered)
  }

  #render(row: Row): Row {
    return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, this.#value(name, value)]))
  }

  #value(name: string, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#value(name, item))
    if (typeof value === 'object' && value !== null) return this.#render({ ...value })
    const table = referred[name]
    const row = table && this.#byId.get(`${table} ${String(value)}`)
    if (table && row) return this.name(table, row)
    return typeof value === 'string' ? this.#text(value) : value
  }

  #text(text: string): string {
    if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) {
      const known = this.#byUuid.get(text)
      return known ? this.name(known.table, known.row) : SOME_UUID
    }
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+\d\d:\d\d|Z)$/.test(text)) return text
    const at = Date.parse(text)
    return at >= this.#since && at <= this.#until ? NOW : new Date(at).toISOString()
  }
}

/** Also the order of keys counts: administrators get their configurations back as they wrote them. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** A row that has come is told by what it holds. */
function isNothing(value: unknown): boolean {
  return value === null || value === 0 || value === false
}

/** When a row came is told by its coming. */
function isOwnTime(name: string, value: unknown): boolean {
  return (name === 'createdAt' || name === 'updatedAt') && value === NOW
}
