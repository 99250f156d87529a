import { once } from 'node:events'
import { deriveInbounds } from '@causeway/xray'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { inventNodes, inventPhases, inventProfile, SQUADS, type SeededNode } from './fleet.ts'
import { createRandom } from './random.ts'
import { HOURS, inventUsage, type UsageDay } from './usage.ts'
import { GIB, inventUser, type SeededUser } from './users.ts'

export interface SeedSize {
  users: number
  nodes: number
  /** How many days of use per user and node; 0 leaves that table empty and invents the sums. */
  days: number
}

/** As long as the server keeps them. */
const ONLINE_HOURS_DAYS = 35

type Cell = string | number | boolean | Date | null
type Row = readonly Cell[]
type Progress = (sentence: string) => void

/** Fills an empty, migrated database. Everything goes in by COPY, with the indexes of the users built afterwards. */
export async function seedDatabase(url: string, size: SeedSize, now: Date, onProgress: Progress = () => {}): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    // Invented rows are no domain events, and triggers that wait for the commit keep indexes from being built.
    await client.query("set local causeway.quiet = 'on'; set constraints all immediate")
    await client.query(`set local maintenance_work_mem = '256MB'`)
    const nodes = inventNodes(size.nodes)
    await loadFleet(client, nodes, now)
    const indexes = await dropIndexes(client)
    onProgress(`writing ${size.users} users`)
    const perDay = await loadUsers(client, size, now)
    await loadNodeHours(client, perDay, now)
    await loadNodeTags(client)
    await loadOnlineHours(client, size.users, perDay, now)
    await loadNodeStates(client, nodes, perDay, now)
    const phases = nodes.flatMap((node) =>
      inventPhases(node, now).map(({ beganAt, phase, reason }) => [node.id, beganAt, phase, reason]),
    )
    await copy(client, 'nodePhases', ['nodeId', 'beganAt', 'phase', 'reason'], phases)
    onProgress('building indexes')
    for (const definition of indexes) await client.query(definition)
    await client.query('commit')
    await client.query('vacuum (analyze)')
  } finally {
    await client.end()
  }
}

async function loadFleet(client: pg.Client, nodes: SeededNode[], now: Date): Promise<void> {
  const config = inventProfile()
  await client.query(`insert into "configProfiles" ("name", "config") values ('Main', $1)`, [JSON.stringify(config)])
  for (const { tag, type, network, security, port, rawInbound } of deriveInbounds(config)) {
    await client.query(
      `insert into "configProfileInbounds" ("profileId", "tag", "type", "network", "security", "port", "rawInbound") select max("id"), $1, $2, $3, $4, $5, $6 from "configProfiles"`,
      [tag, type, network, security, port, JSON.stringify(rawInbound)],
    )
  }
  const columns = [
    'id',
    'name',
    'address',
    'port',
    'countryCode',
    'isDisabled',
    'isTrafficTrackingActive',
    'trafficLimitBytes',
    'createdAt',
  ]
  const created = new Date(now.getTime() - 700 * 86_400_000)
  await copy(
    client,
    'nodes',
    columns,
    nodes.map((node) => [
      node.id,
      node.name,
      node.address,
      2222,
      node.countryCode,
      node.isDisabled,
      node.trafficLimitBytes > 0,
      node.trafficLimitBytes,
      created,
    ]),
  )
  await copy(
    client,
    'internalSquads',
    ['id', 'name'],
    SQUADS.map((name, index) => [index + 1, name]),
  )
  await client.query(`
    update "nodes" set "activeConfigProfileId" = (select max("id") from "configProfiles");
    insert into "nodeInbounds" select "nodes"."id", "configProfileInbounds"."id" from "nodes", "configProfileInbounds";
    insert into "internalSquadInbounds" select "internalSquads"."id", "configProfileInbounds"."id" from "internalSquads", "configProfileInbounds";
    insert into "hosts" ("remark", "address", "port", "sni", "fingerprint", "configProfileId", "configProfileInboundId")
      select left("nodes"."name" || case "type" when 'vless' then '' else ' (old devices)' end, 40), "nodes"."address", "configProfileInbounds"."port",
        case "type" when 'vless' then 'example.com' end, case "type" when 'vless' then 'chrome' end, "profileId", "configProfileInbounds"."id"
      from "nodes", "configProfileInbounds" order by "nodes"."id", "configProfileInbounds"."id";
    select setval(pg_get_serial_sequence('"nodes"', 'id'), ${nodes.length}), setval(pg_get_serial_sequence('"internalSquads"', 'id'), ${SQUADS.length});
  `)
}

/** Bytes per day and node. */
type PerDay = Map<string, Map<number, { uploadBytes: number; downloadBytes: number }>>

const BATCH = 20_000

async function loadUsers(client: pg.Client, size: SeedSize, now: Date): Promise<PerDay> {
  const random = createRandom(20_260_101)
  const perDay: PerDay = new Map()
  if (size.days > 0) await createPartitions(client, now, size.days)
  for (let first = 1; first <= size.users; first += BATCH) {
    const users: Row[] = []
    const usage: Row[] = []
    const accesses: Row[] = []
    const members: Row[] = []
    const days: Row[] = []
    for (let id = first; id < Math.min(first + BATCH, size.users + 1); id++) {
      const invented = inventUser(random, id, now, size.nodes)
      const story = size.days > 0 ? inventUsage(invented, now, size.days, size.nodes) : inventSums(invented)
      const user = { ...invented, ...limitThatFits(invented, story.usedTrafficBytes) }
      users.push(userColumns.map((column) => user[column]))
      usage.push([
        id,
        story.usedTrafficBytes,
        story.lifetimeUsedTrafficBytes,
        user.onlineAt,
        user.onlineAt && user.createdAt,
        user.onlineAt && user.homeNode,
        user.lastTrafficResetAt,
      ])
      if (user.subLastOpenedAt) accesses.push([id, user.subLastOpenedAt, user.subLastUserAgent])
      for (const squad of user.squads) members.push([squad, id])
      for (const day of story.days) {
        days.push([day.day, day.nodeId, id, day.uploadBytes, day.downloadBytes])
        addTo(perDay, day)
      }
    }
    await copy(client, 'users', userColumns, users)
    await copy(
      client,
      'userUsage',
      [
        'userId',
        'usedTrafficBytes',
        'lifetimeUsedTrafficBytes',
        'onlineAt',
        'firstConnectedAt',
        'lastConnectedNodeId',
        'lastTrafficResetAt',
      ],
      usage,
    )
    await copy(client, 'userAccesses', ['userId', 'subLastOpenedAt', 'subLastUserAgent'], accesses)
    await copy(client, 'internalSquadMembers', ['squadId', 'userId'], members)
    await copy(client, 'userNodeUsage', ['day', 'nodeId', 'userId', 'uploadBytes', 'downloadBytes'], days)
  }
  await client.query(`select setval(pg_get_serial_sequence('"users"', 'id'), ${size.users})`)
  return perDay
}

const userColumns = [
  'id',
  'uuid',
  'shortUuid',
  'username',
  'status',
  'trafficLimitBytes',
  'trafficLimitStrategy',
  'expireAt',
  'description',
  'tag',
  'telegramId',
  'email',
  'hwidDeviceLimit',
  'trojanPassword',
  'vlessUuid',
  'ssPassword',
  'createdAt',
] as const satisfies (keyof SeededUser)[]

function inventSums(user: SeededUser): { days: UsageDay[]; usedTrafficBytes: number; lifetimeUsedTrafficBytes: number } {
  const used = Math.round(user.dailyBytes * user.activity * 20)
  return { days: [], usedTrafficBytes: used, lifetimeUsedTrafficBytes: used * 9 }
}

const ROUND_GIB = [1, 2, 3, 5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000]

/** A limited user has just used up the limit, and nobody else has. */
function limitThatFits(
  { status, trafficLimitBytes }: SeededUser,
  usedBytes: number,
): Pick<SeededUser, 'status' | 'trafficLimitBytes'> {
  const usedGib = Math.floor(usedBytes / GIB)
  if (status === 'LIMITED')
    return usedGib === 0 ? { status: 'ACTIVE', trafficLimitBytes } : { status, trafficLimitBytes: usedGib * GIB }
  if (trafficLimitBytes === 0 || usedBytes < trafficLimitBytes) return { status, trafficLimitBytes }
  return { status, trafficLimitBytes: (ROUND_GIB.find((gib) => gib > usedGib) ?? 0) * GIB }
}

function addTo(perDay: PerDay, { day, nodeId, uploadBytes, downloadBytes }: UsageDay): void {
  const nodes = perDay.get(day) ?? new Map<number, { uploadBytes: number; downloadBytes: number }>()
  const sum = nodes.get(nodeId) ?? { uploadBytes: 0, downloadBytes: 0 }
  nodes.set(nodeId, { uploadBytes: sum.uploadBytes + uploadBytes, downloadBytes: sum.downloadBytes + downloadBytes })
  perDay.set(day, nodes)
}

async function loadNodeHours(client: pg.Client, perDay: PerDay, now: Date): Promise<void> {
  const rows: Row[] = []
  for (const [day, nodes] of perDay) {
    for (const [nodeId, { uploadBytes, downloadBytes }] of nodes) {
      for (const [hour, share] of HOURS.entries()) {
        const at = new Date(`${day}T${String(hour).padStart(2, '0')}:00:00Z`)
        if (at <= now) rows.push([nodeId, at, Math.round(uploadBytes * share), Math.round(downloadBytes * share), at])
      }
    }
  }
  await copy(client, 'nodeUsageQuarters', ['nodeId', 'quarter', 'uploadBytes', 'downloadBytes', 'updatedAt'], rows)
}

/** What moved through each node, by the inbounds that it runs and its way out: the same bytes as by hours. */
async function loadNodeTags(client: pg.Client): Promise<void> {
  await client.query(`
    with moved as (
      select "nodeId", sum("uploadBytes")::bigint as up, sum("downloadBytes")::bigint as down from "nodeUsageQuarters" group by 1
    ), inbound as (
      select l."nodeId", i."tag", row_number() over (partition by l."nodeId" order by i."id") as place,
        count(*) over (partition by l."nodeId") as many
      from "nodeInbounds" l join "configProfileInbounds" i on i."id" = l."inboundId"
    )
    insert into "nodeTagUsage" ("nodeId", "direction", "tag", "uploadBytes", "downloadBytes")
    select "nodeId", 'outbound', 'DIRECT', up, down from moved
    union all
    select inbound."nodeId", 'inbound', "tag", up / many + case when place = 1 then up % many else 0 end,
      down / many + case when place = 1 then down % many else 0 end
    from inbound join moved on moved."nodeId" = inbound."nodeId"`)
}

/** In their busiest hour a quarter of all users are online at once; in others as many fewer as traffic is less. */
async function loadOnlineHours(client: pg.Client, users: number, perDay: PerDay, now: Date): Promise<void> {
  const since = new Date(now.getTime() - ONLINE_HOURS_DAYS * 86_400_000)
  const hours = [...perDay].flatMap(([day, nodes]) => {
    const bytes = [...nodes.values()].reduce((sum, one) => sum + one.uploadBytes + one.downloadBytes, 0)
    return HOURS.map((share, hour) => ({
      at: new Date(`${day}T${String(hour).padStart(2, '0')}:00:00Z`),
      bytes: bytes * share,
    }))
  })
  const kept = hours.filter(({ at }) => at >= since && at <= now)
  const most = Math.max(1, ...kept.map(({ bytes }) => bytes))
  const rows = kept.flatMap(({ at, bytes }) =>
    [0, 15, 30, 45].map((minute): Row => [new Date(at.getTime() + minute * 60_000), Math.round((users / 4) * (bytes / most))]),
  )
  await copy(
    client,
    'onlineQuarters',
    ['quarter', 'usersOnline'],
    rows.filter(([at]) => at instanceof Date && at <= now),
  )
}

async function loadNodeStates(client: pg.Client, nodes: SeededNode[], perDay: PerDay, now: Date): Promise<void> {
  const month = now.toISOString().slice(0, 7)
  const thisMonth = Array.from(perDay).filter(([day]) => day.startsWith(month))
  const { rows: online } = await client.query<{ id: string; users: string }>(
    `select "lastConnectedNodeId" as "id", count(*) as "users" from "userUsage" where "onlineAt" > $1 group by 1`,
    [new Date(now.getTime() - 60_000)],
  )
  const usersOnline = new Map(online.map((row) => [Number(row.id), Number(row.users)]))
  const columns = [
    'nodeId',
    'isConnected',
    'isNodeOnline',
    'isXrayRunning',
    'lastStatusChange',
    'lastStatusMessage',
    'xrayVersion',
    'nodeVersion',
    'xrayUptime',
    'usersOnline',
    'cpuCount',
    'cpuModel',
    'totalRam',
    'trafficUsedBytes',
    'accountedThroughAt',
  ]
  await copy(
    client,
    'nodeStates',
    columns,
    nodes.map(({ id, isConnected, message }) => {
      const used = thisMonth.reduce(
        (sum, [, perNode]) => sum + (perNode.get(id)?.uploadBytes ?? 0) + (perNode.get(id)?.downloadBytes ?? 0),
        0,
      )
      const changed = new Date(now.getTime() - id * 3_700_000)
      const running = isConnected
        ? ['26.7.11', '2.1.4', String(id * 3700), usersOnline.get(id) ?? 0]
        : ['26.7.11', '2.1.4', '0', 0]
      return [
        id,
        isConnected,
        isConnected,
        isConnected,
        changed,
        message,
        ...running,
        2,
        'Virtual CPU/2.4 GHz',
        '4.11 GB',
        used,
        isConnected ? now : changed,
      ]
    }),
  )
}

/** Months get partitions of their own, named and bounded as the server's own job makes them. */
async function createPartitions(client: pg.Client, now: Date, days: number): Promise<void> {
  const first = new Date(now.getTime() - days * 86_400_000)
  for (let month = 0; ; month++) {
    const start = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month, 1))
    if (start > now) return
    const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))
    const [from, to] = [start, end].map((date) => date.toISOString().slice(0, 10))
    const name = `userNodeUsage${from?.slice(0, 7).replace('-', '')}`
    await client.query(
      `create table if not exists "${name}" partition of "userNodeUsage" for values from ('${from}') to ('${to}')`,
    )
  }
}

/** Takes away what slows a load down; gives what brings it back. Keys stay: they are checked on the way in. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as "name", pg_get_indexdef(indexrelid) as "definition" from pg_index
    where indrelid = any(array['"users"', '"internalSquadMembers"', '"userUsage"']::regclass[])
      and not exists (select 1 from pg_constraint where conindid = indexrelid)`)
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map((row) => row.definition)
}

async function copy(client: pg.Client, table: string, columns: readonly string[], rows: Row[]): Promise<void> {
  if (rows.length === 0) return
  const stream = client.query(copyFrom(`copy "${table}" (${columns.map((column) => `"${column}"`).join(', ')}) from stdin`))
  const done = once(stream, 'finish')
  for (let index = 0; index < rows.length; index += 1000) {
    const text = rows.slice(index, index + 1000).map((row) => `${row.map(cellText).join('\t')}\n`)
    if (!stream.write(text.join(''))) await once(stream, 'drain')
  }
  stream.end()
  await done
}

function cellText(cell: Cell): string {
  if (cell === null) return '\\N'
  if (cell instanceof Date) return cell.toISOString()
  return typeof cell === 'string' ? cell.replaceAll(/[\\\t\n\r]/g, (character) => `\\${character}`) : String(cell)
}
