import { Agent } from 'node:http'
import pg from 'pg'
import { freePort, run, until } from '../e2e/stage/processes.ts'
import { figures, send, type Call } from './measure.ts'
import { selective } from './users-list.ts'

// Every hot path beside the least that this machine can do, measured in the same run, so that a slow machine does not matter.

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
}

/** A call as it is made for the number of a sample. */
interface Sampled extends Pick<Call, 'method' | 'headers'> {
  name: string
  bare: HotPath['bare']
  target?: number
  path: (sample: number) => string
  body?: (sample: number) => unknown
}

interface Facts {
  users: number
  uuids: string[]
  shortUuids: string[]
}

const CONNECTIONS = 16
const SECONDS = 3
const WARM_UP = 5
const HOSTS = 58
const page = (query: string) => `/api/users?start=0&size=25${query}`
const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value))

function calls({ users, uuids, shortUuids }: Facts): Sampled[] {
  const run = Date.now().toString(36)
  const subscription = (name: string, agent: string): Sampled => ({
    name,
    bare: 'read',
    target: 1.5,
    path: (sample) => `/api/sub/${shortUuids[sample % shortUuids.length]}`,
    headers: { 'user-agent': agent },
  })
  return [
    { name: 'users page of 25', bare: 'read', target: 3, path: () => page('') },
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
    { name: 'users, page of 1,000', bare: 'read', target: 15, path: () => '/api/users?start=0&size=1000' },
    { name: 'statistics', bare: 'read', target: 1.2, path: () => '/api/system/stats' },
    { name: `${HOSTS} hosts`, bare: 'read', target: 3, path: () => '/api/hosts' },
    subscription('subscription: links', 'v2rayNG/1.10.8'),
    subscription('subscription: Mihomo', 'clash.meta/1.19.0'),
    subscription('subscription: JSON', 'Happ/3.10.0'),
    {
      name: 'create user',
      bare: 'write',
      target: 2,
      method: 'POST',
      path: () => '/api/users',
      body: (sample) => ({ username: `bench_${run}_${sample}`, expireAt: '2031-01-01T00:00:00.000Z' }),
    },
    {
      name: 'update user',
      bare: 'write',
      target: 2,
      method: 'PATCH',
      path: () => '/api/users',
      body: (sample) => ({ uuid: uuids[sample % uuids.length], description: `bench ${run} ${sample}` }),
    },
  ]
}

/** One after the other, then from sixteen connections. */
export async function* measureHotPaths(url: string, origin: string, token: string, samples: number): AsyncGenerator<HotPath> {
  const facts = await prepare(url)
  const port = await freePort()
  const bareOrigin = `http://127.0.0.1:${port}`
  const server = run({ name: 'bench-bare', args: ['bench/bare-server.ts'], env: { PORT: String(port), DATABASE_URL: url } })
  try {
    await until('the bare server answers', async () => (await fetch(`${bareOrigin}/read`).catch(() => undefined))?.ok)
    const read: Sampled = { name: 'bare: one indexed look-up', bare: 'read', path: () => '/read' }
    const write: Sampled = {
      name: 'bare: one durable write',
      bare: 'write',
      method: 'POST',
      path: () => '/write',
      body: () => ({}),
    }
    const limits = {
      read: await measureCall(bareOrigin, token, read, samples),
      write: await measureCall(bareOrigin, token, write, samples),
    }
    for (const { name, bare } of [read, write]) yield { name, bare, ...limits[bare], slower: 1, fewer: 1 }
    for (const call of calls(facts)) {
      const { name, bare, target } = call
      const { p50, perSecond } = await measureCall(origin, token, call, samples)
      const multiples = { slower: p50 / limits[bare].p50, fewer: limits[bare].perSecond / perSecond }
      yield { name, bare, ...(target !== undefined && { target }), p50, perSecond, ...multiples }
    }
  } finally {
    await server.stop()
  }
}

async function prepare(url: string): Promise<Facts> {
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

async function measureCall(
  origin: string,
  token: string,
  call: Sampled,
  samples: number,
): Promise<{ p50: number; perSecond: number }> {
  let sample = 0
  const one = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  for (let count = -WARM_UP; count < samples; count++) {
    const begun = performance.now()
    await send(one, origin, token, sampled(call, sample++))
    if (count >= 0) times.push(performance.now() - begun)
  }
  one.destroy()

  const many = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const begun = performance.now()
  const end = begun + SECONDS * 1000
  let answered = 0
  const connection = async (): Promise<void> => {
    while (performance.now() < end) {
      await send(many, origin, token, sampled(call, sample++))
      answered++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  const perSecond = (answered * 1000) / (performance.now() - begun)
  many.destroy()
  return { p50: figures(times).p50, perSecond }
}

function sampled({ method = 'GET', path, headers, body }: Sampled, sample: number): Call {
  return { method, path: path(sample), headers, body: body?.(sample) }
}
