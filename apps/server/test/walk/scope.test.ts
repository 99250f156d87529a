import * as api from '@causeway/contract'
import type { Endpoint } from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, toRequest, type TestServer } from '../server.ts'
import { USERS } from './inhabitants.ts'
import { reads } from './reads.ts'
import { openWalk, type Walk } from './walked.ts'
import { writes } from './writes.ts'

// Every endpoint is called as a reseller of one squad would, against an installation with users of other squads: by the inputs that
// the walks of reads and writes have, which name those users too. Nothing of them is told, and nothing of them changes.

const endpoints = Object.values<unknown>(api).filter(api.isEndpoint)
const guarded = endpoints.filter(({ access }) => access !== 'public')
/** In no squad but that of the reseller. */
const OWN = ['emil', 'finn']
const FOREIGN = (Object.keys(USERS) as (keyof typeof USERS)[]).filter((name) => !OWN.includes(name))

let walk: Walk
let server: TestServer
/** Headers of a token and of a session of the reseller. */
let callers: Record<string, string>[]
/** Texts that tell of users outside: names, uuids, links, keys, addresses and bytes. */
let marks: string[]

beforeAll(async () => {
  walk = await openWalk()
  server = await testServer({ register: false, database: { url: walk.world.url, drop: async () => {} } })
  Object.assign(server.admin, walk.world.admin)
  const { resellers, users } = walk.world
  const { token } = await server.call(api.createLimitedApiToken, { tokenName: 'of North', resellerUuid: resellers.North })
  const { path } = await server.call(api.inviteAdmin, { note: 'nora', role: 'administrator', reseller: resellers.North })
  const accepted = { token: path.split('/').at(-1) ?? '', username: 'nora', password: 'Correct4horse' }
  const { accessToken } = await server.call(api.acceptInvitation, accepted)
  callers = [
    { authorization: `Bearer ${token}` },
    { authorization: `Bearer ${accessToken}`, 'x-remnawave-client-type': 'browser' },
  ]
  const rows = await server.ctx.db
    .selectFrom('users')
    .innerJoin('userUsage as usage', 'usage.userId', 'users.id')
    .selectAll('users')
    .select(['usage.usedTrafficBytes', 'usage.lifetimeUsedTrafficBytes'])
    .where(
      'uuid',
      'in',
      FOREIGN.map((name) => users[name]),
    )
    .execute()
  marks = rows.flatMap((row) => [
    row.uuid,
    row.shortUuid,
    `"${row.username}"`,
    row.vlessUuid,
    row.trojanPassword,
    row.ssPassword,
    ...(row.email === null ? [] : [row.email]),
    `:${row.usedTrafficBytes},`,
    `:${row.lifetimeUsedTrafficBytes},`,
  ])
  const squads = Object.entries(walk.world.squads).filter(([name]) => name !== 'bronze')
  marks.push(...squads.flatMap(([name, uuid]) => [`"${name}"`, uuid]))
})
afterAll(async () => {
  await server?.close()
  await walk?.close()
})

/** What the walks call it with: many inputs of a read, one of a write, and none where neither has any. */
function inputsOf(name: string): Record<string, unknown>[] {
  const rows = (table: Parameters<Walk['untouched']['get']>[0]) => [...(walk.untouched.get(table)?.values() ?? [])]
  const [read, write] = [reads[name as keyof typeof reads], writes[name as keyof typeof writes]] // absent for a name of neither
  const asked = (read?.({ world: walk.world, rows }) ?? []).map(({ input }) => input as Record<string, unknown>)
  return [...asked, ...(write ? [write(walk.world).input as Record<string, unknown>] : [{}])]
}

/** The input with each foreign user, and each own one, in the place of those named. */
function aimed(endpoint: Endpoint, input: Record<string, unknown>): Record<string, unknown>[] {
  const named = Object.entries(api.namedMembers(endpoint)).filter(([path]) => !path.includes('.'))
  if (named.length === 0) return [input]
  return [...FOREIGN.slice(0, 2), 'emil'].map((name) => {
    const user = walk.world.users[name as keyof typeof USERS] // one of the world
    const values = {
      uuid: user,
      shortUuid: `short-${name}`,
      username: name,
      squad: walk.world.squads.gold,
      externalSquad: walk.world.externalSquads.vip,
    }
    const aims = named.map(([key, kind]) => [key, isList(endpoint, key) ? [values[kind]] : values[kind]])
    return { ...input, ...Object.fromEntries(aims) }
  })
}

const isList = ({ body }: Endpoint, key: string) => key === 'uuids' || (key === 'activeInternalSquads' && 'shape' in body)

async function ask(endpoint: Endpoint, input: Record<string, unknown>, headers: Record<string, string>) {
  const { url, body } = toRequest(endpoint, input)
  const reply = await server.send(endpoint.method, url, body, headers)
  const text = JSON.stringify([reply.body, reply.headers])
  const given = JSON.stringify([url, decodeURIComponent(url), body])
  const told = marks.filter((mark) => text.includes(mark) && !given.includes(mark.replaceAll(/^[:"]|[,"]$/g, '')))
  return { status: reply.status, told, body: reply.body }
}

test('ADMIN-008 every name of the table of what is open to resellers is an endpoint, and what names users is a member of its input', () => {
  const names = endpoints.map(({ name }) => name)
  expect(api.openToResellers.filter((name) => !names.includes(name))).toEqual([])
  const unknown = endpoints.flatMap((endpoint) =>
    Object.keys(api.namedMembers(endpoint)).filter((path) => {
      const [key = ''] = path.split('.')
      const body = 'shape' in endpoint.body ? endpoint.body.shape : {}
      return !(key in endpoint.params.shape || key in endpoint.query.shape || key in (body as object))
    }),
  )
  expect(unknown).toEqual([])
})

test('ADMIN-008 a reseller finds its own users, and sums and counts are of them alone', async () => {
  for (const headers of callers) {
    const get = async (endpoint: Endpoint, input = {}) => {
      const { status, body } = await ask(endpoint, input, headers)
      expect([endpoint.name, status]).toEqual([endpoint.name, endpoint.status])
      return (body as { response: Record<string, unknown> }).response // the wire's wrapping
    }
    const names = (list: unknown) => (list as { username: string }[]).map(({ username }) => username).toSorted()
    const all = await get(api.listUsers, { size: 25 })
    expect([names(all['users']), all['total']]).toEqual([OWN, 2])
    const page = await get(api.listUsers, { size: 1, filters: [{ id: 'search', value: 'FI' }] })
    expect(page['total']).toBe(1)
    expect(names((await get(api.streamUsers))['users'])).toEqual(OWN)
    expect(names((await get(api.listTopUsers, { period: 'thirtyDays' }))['users']).filter((name) => !OWN.includes(name))).toEqual(
      [],
    )
    expect(names((await get(api.searchAll, { text: 'finn' }))['users'])).toEqual(['finn'])
    for (const text of ['ann', 'short-ann', 'ann@example.com', walk.world.users.ann])
      expect(await get(api.searchAll, { text })).toMatchObject({ users: [], internalSquads: [], nodes: [] })
    expect(await get(api.listUserTags)).toEqual({ tags: ['OLD', 'TEST'] })
    expect((await get(api.listSubscriptions))['total']).toBe(2)
    const devices = await get(api.findHwidDevices)
    const stats = await get(api.getHwidStats)
    expect((devices['devices'] as { username: string }[]).filter(({ username }) => !OWN.includes(username))).toEqual([])
    expect(stats['stats']).toMatchObject({ totalHwidDevices: devices['total'] })
    const top = await get(api.listTopHwidUsers, { size: 25 })
    expect([names(top['users']).filter((name) => !OWN.includes(name)), top['total']]).toEqual([[], names(top['users']).length])
    expect(await get(api.getUserCounts)).toMatchObject({ users: { totalUsers: 2 } })
    expect(await get(api.getUsersImpact, { all: true })).toMatchObject({ users: 2 })
    expect(await get(api.previewExpiry, { all: true })).toMatchObject({ users: 2, past: 1 })
    const { internalSquads, total } = await get(api.listInternalSquads)
    expect([total, internalSquads]).toMatchObject([1, [{ name: 'bronze', info: { membersCount: 2 } }]])
  }
})

test.each(guarded.map((endpoint) => [endpoint.name, endpoint] as const))(
  'ADMIN-008 %s tells a reseller nothing of users outside its squads',
  async (name, endpoint) => {
    const isOpen = api.isOpenToResellers(endpoint)
    const inputs = inputsOf(name)
    const isAimed = Object.keys(api.namedMembers(endpoint)).length > 0
    for (const input of (isAimed || !isOpen ? inputs.slice(-1) : inputs).flatMap((each) => aimed(endpoint, each)))
      for (const headers of callers) {
        // The own account is changed by its own tests; a session that ends here could ask no more.
        if (isOpen && /^(account|session)\./.test(endpoint.access)) continue
        const { status, told, body } = await ask(endpoint, input, headers)
        expect({ input, told }).toEqual({ input, told: [] })
        const isRefused = status === 403 && (body as { errorCode?: string }).errorCode === 'E000' // of a body, whatever it is
        expect({ input, status, isAsSaid: isOpen ? status < 500 : isRefused }).toMatchObject({ input, isAsSaid: true })
      }
  },
)

test('ADMIN-008 nothing that a reseller has sent has changed a user outside its squads', async () => {
  const changed = await walk.changesSince(new Date(0))
  const touched = Object.entries(changed).flatMap(([table, rows]) =>
    Object.keys(rows)
      .filter((key) => FOREIGN.some((name) => key.split(' ').includes(name)))
      .map((key) => `${table} ${key}`),
  )
  expect(touched.filter((each) => !each.startsWith('auditLog'))).toEqual([])
  // That anything was changed at all shows that the walk has acted.
  expect(Object.keys(changed)).toContain('users')
})

test('ADMIN-008 a user outside is answered as one that does not exist, by every endpoint that names one', async () => {
  const nobody = { uuid: '7b6f3a52-2f3e-4d8c-9a10-000000000000', shortUuid: 'short-nobody', username: 'nobody_at_all' }
  const { users } = walk.world
  const foreign = { uuid: users.ann, shortUuid: 'short-ann', username: 'ann' }
  for (const endpoint of guarded) {
    const kinds = Object.entries(api.namedMembers(endpoint)).filter(([path, kind]) => kind !== 'squad' && !path.includes('.'))
    if (kinds.length === 0) continue
    const [input = {}] = inputsOf(endpoint.name).slice(-1)
    const as = (who: typeof nobody) => ({
      ...input,
      ...Object.fromEntries(
        kinds.map(([key, kind]) => [
          key,
          isList(endpoint, key) ? [who[kind as keyof typeof who]] : who[kind as keyof typeof who],
        ]),
      ), // no squads, as above
    })
    const plain = (answer: { status: number; body: unknown }) => ({
      status: answer.status,
      body: JSON.stringify(answer.body).replaceAll(/"(timestamp|path)":"[^"]*"/g, ''),
    })
    for (const headers of callers) {
      const answers = [await ask(endpoint, as(nobody), headers), await ask(endpoint, as(foreign), headers)]
      const [one, other] = answers.map(plain)
      const echo = (text = '') =>
        Object.values({ ...nobody, ...foreign }).reduce((rest, word) => rest.replaceAll(word, '…'), text)
      expect([endpoint.name, other?.status, echo(other?.body)]).toEqual([
        endpoint.name,
        one?.status,
        echo(one?.body).replaceAll(nobody.uuid, '…').replaceAll(nobody.username, '…').replaceAll(nobody.shortUuid, '…'),
      ])
    }
  }
})
