import { Agent } from 'node:http'
import pg from 'pg'
import { freePort, run, until } from '../e2e/stage/processes.ts'
import { figures, send, type Call } from './measure.ts'
import { selective } from './users-list.ts'

// Every hot path beside the least that this machine can do, measured in the same run, so that a slow machine does not matter.
// What it is a multiple of is one row found, or written, without any product ("bare"). Where more than a row has to be read or
// written, it stands beside that as well: the same rows by one plain statement, without any product ("plain").
// Every call, bare or ours, is made from sixteen connections first, for a second that does not count and three that do, and
// then one by one: code is compiled and plans are kept for all of them alike.

export interface HotPath {
  name: string
  /** How many times the bare call it may take, where that is settled. */
  target?: number
  bare: 'read' | 'write'
  p50: number
  perSecond: number
  /** Of the bare call: how much slower one is after the other, and how many fewer side by side. */
  slower: number
  fewer: number
  /** The same of the plain statement for the same rows. */
  plain?: { slower: number; fewer: number }
}

interface Speed {
  p50: number
  perSecond: number
}

/** A call as it is made for the number of a sample. */
export interface Sampled extends Pick<Call, 'method' | 'headers'> {
  name: string
  bare: HotPath['bare']
  target?: number
  plain?: string
  path: (sample: number) => string
  body?: (sample: number) => unknown
}

export interface Facts {
  users: number
  uuids: string[]
  shortUuids: string[]
}

const CONNECTIONS = 16
const SECONDS = 3
const WARM_UP_SECONDS = 1
const HOSTS = 58
const page = (query: string) => `/api/users?start=0&size=25${query}`
const ROWS_OF_25 = 'plain: rows of 25 users'
const ROWS_OF_1000 = 'plain: rows of 1,000 users'
const USER_WRITTEN = 'plain: rows of a user written'
const USER_CHANGED = 'plain: row of a user changed'
/** What apps ask for. One that reads JSON gets it where its address says so, or where the settings do. */
const APPS = [
  { name: 'links', agent: 'v2rayNG/1.10.8', clientType: '' },
  { name: 'Mihomo', agent: 'clash.meta/1.19.0', clientType: '' },
  { name: 'JSON', agent: 'Happ/3.10.0', clientType: '/json' },
]
const plainOf = (subscription: string) => `plain: subscription: ${subscription}`
const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value))

export function hotCalls({ users, uuids, shortUuids }: Facts): Sampled[] {
  const run = Date.now().toString(36)
  const subscriptions = APPS.map(({ name, agent, clientType }): Sampled => ({
    name: `subscription: ${name}`,
    bare: 'read',
    target: 1.5,
    plain: plainOf(name),
    path: (sample) => `/api/sub/${shortUuids[sample % shortUuids.length]}${clientType}`,
    headers: { 'user-agent': agent },
  }))
  return [
    { name: 'users page of 25', bare: 'read', target: 3, plain: ROWS_OF_25, path: () => page('') },
    {
      name: 'users, name contains',
      bare: 'read',
      path: (sample) => page(`&filters=${encoded([{ id: 'username', value: selective(sample, users) }])}`),
    },
    { name: 'users by usage', bare: 'read', path: () => page(`&sorting=${encoded([{ id: 'usedTrafficBytes', desc: true }])}`) },
    {
      name: 'users, last pages',
      bare: 'read',
      path: (sample) => `/api/users?start=${Math.max(0, users - 25 * (1 + (sample % 20)))}&size=25`,
    },
    {
      name: 'users, page of 1,000',
      bare: 'read',
      target: 15,
      plain: ROWS_OF_1000,
      path: () => '/api/users?start=0&size=1000',
    },
    { name: 'statistics', bare: 'read', target: 1.2, path: () => '/api/system/stats' },
    { name: `${HOSTS} hosts`, bare: 'read', target: 3, path: () => '/api/hosts' },
    ...subscriptions,
    {
      name: 'create user',
      bare: 'write',
      target: 2,
      plain: USER_WRITTEN,
      method: 'POST',
      path: () => '/api/users',
      body: (sample) => ({ username: `bench_${run}_${sample}`, expireAt: '2031-01-01T00:00:00.000Z' }),
    },
    {
      name: 'update user',
      bare: 'write',
      target: 2,
      plain: USER_CHANGED,
      method: 'PATCH',
      path: () => '/api/users',
      body: (sample) => ({ uuid: uuids[sample % uuids.length], description: `bench ${run} ${sample}` }),
    },
  ]
}

/** Asked of the server that is no product. */
const bareCalls = ({ shortUuids }: Facts): Sampled[] => [
  { name: 'bare: one indexed look-up', bare: 'read', path: () => '/read' },
  { name: 'bare: one durable write', bare: 'write', method: 'POST', path: () => '/write', body: () => ({}) },
  { name: ROWS_OF_25, bare: 'read', path: () => '/rows/25' },
  { name: ROWS_OF_1000, bare: 'read', path: () => '/rows/1000' },
  ...APPS.map(({ name, agent, clientType }): Sampled => ({
    name: plainOf(name),
    bare: 'read',
    path: (sample) => `/sub/${shortUuids[sample % shortUuids.length]}${clientType}`,
    headers: { 'user-agent': agent },
  })),
]
const WRITING_USERS: Sampled[] = [
  { name: USER_WRITTEN, bare: 'write', method: 'POST', path: () => '/user', body: () => ({}) },
  { name: USER_CHANGED, bare: 'write', method: 'PATCH', path: () => '/user', body: () => ({}) },
]

/** What is bare before what it is held against. */
export async function* measureHotPaths(url: string, origin: string, token: string, samples: number): AsyncGenerator<HotPath> {
  const facts = await prepare(url)
  const port = await freePort()
  const bareOrigin = `http://127.0.0.1:${port}`
  const server = run({
    name: 'bench-bare',
    args: ['bench/bare-server.ts'],
    env: { PORT: String(port), DATABASE_URL: url, PRODUCT: origin },
  })
  try {
    await until('the bare server answers', async () => (await fetch(`${bareOrigin}/read`).catch(() => undefined))?.ok)
    const speeds = new Map<string, Speed>()
    const limits: Partial<Record<HotPath['bare'], Speed>> = {}
    const beside = (call: Sampled, speed: Speed): HotPath => {
      const { name, bare: limit, target, plain } = call
      const plainSpeed = plain === undefined ? undefined : speeds.get(plain)
      return {
        name,
        bare: limit,
        ...(target !== undefined && { target }),
        ...speed,
        ...multiples(speed, limits[limit] ?? speed),
        ...(plainSpeed && { plain: multiples(speed, plainSpeed) }),
      }
    }
    const ours = hotCalls(facts)
    // What makes users comes last: it makes lists longer, and their counts are folded by a job that does not run here.
    const reads = ours.filter((call) => call.bare === 'read')
    const writes = ours.filter((call) => call.bare === 'write')
    for (const call of [...bareCalls(facts), ...reads, ...WRITING_USERS, ...writes]) {
      const speed = await measureCall(ours.includes(call) ? origin : bareOrigin, token, call, samples)
      speeds.set(call.name, speed)
      limits[call.bare] ??= speed
      yield beside(call, speed)
    }
  } finally {
    await server.stop()
  }
}

function multiples(speed: Speed, limit: Speed): { slower: number; fewer: number } {
  return { slower: speed.p50 / limit.p50, fewer: limit.perSecond / speed.perSecond }
}

export async function prepare(url: string): Promise<Facts> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `insert into "hosts" ("remark", "address", "port", "configProfileId", "configProfileInboundId")
       select 'Bench ' || number, 'bench' || number || '.example.com', 443, "configProfileId", "configProfileInboundId"
       from (select "configProfileId", "configProfileInboundId" from "hosts" limit 1) as one,
         generate_series(1, $1 - (select count(*)::int from "hosts")) as number`,
      [HOSTS],
    )
    const count = await client.query<{ total: number }>('select count(*)::int as "total" from "users"')
    const some = await client.query<{ uuid: string; shortUuid: string }>(
      'select "uuid", "shortUuid" from "users" where "status" = $1 order by "id" limit 500',
      ['ACTIVE'],
    )
    return {
      users: count.rows[0]?.total ?? 0,
      uuids: some.rows.map(({ uuid }) => uuid),
      shortUuids: some.rows.map(({ shortUuid }) => shortUuid),
    }
  } finally {
    await client.end()
  }
}

async function measureCall(origin: string, token: string, call: Sampled, samples: number): Promise<Speed> {
  let sample = 0
  const many = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const callFor = async (seconds: number): Promise<number> => {
    let answered = 0
    const begun = performance.now()
    const end = begun + seconds * 1000
    const connection = async (): Promise<void> => {
      while (performance.now() < end) {
        await send(many, origin, token, sampled(call, sample++))
        answered++
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, connection))
    return (answered * 1000) / (performance.now() - begun)
  }
  await callFor(WARM_UP_SECONDS)
  const perSecond = await callFor(SECONDS)
  many.destroy()

  const one = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  for (let count = 0; count < samples; count++) {
    const begun = performance.now()
    await send(one, origin, token, sampled(call, sample++))
    times.push(performance.now() - begun)
  }
  one.destroy()
  return { p50: figures(times).p50, perSecond }
}

export function sampled({ method = 'GET', path, headers, body }: Sampled, sample: number): Call {
  return { method, path: path(sample), headers, body: body?.(sample) }
}
