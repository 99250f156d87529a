import pg from 'pg'
import type { Measured } from './measure.ts'
import { usersListCases, type ListFacts } from './users-list.ts'

// The users list and the search of a reseller that sees few of many users, beside the same asked for without a scope.

const SQUAD = 'bench of a reseller'
/** Users that the reseller sees. */
const SEEN = 10_000
const VIEWS = [
  'default page with total',
  'sort by username up',
  'sort by usedTrafficBytes down',
  'sort by expireAt up',
  'filter username, selective',
  'filter username, broad',
  'filter status',
  'filter tag',
  'last page',
]

export async function resellerCases(url: string, origin: string, token: string, found: ListFacts): Promise<Measured[]> {
  const squad = await fillSquad(url, found.users)
  const asOwner = async (path: string, body: object): Promise<Record<string, string>> => {
    const headers = {
      authorization: `Bearer ${token}`,
      'x-remnawave-client-type': 'browser',
      'content-type': 'application/json',
    }
    const reply = await fetch(new URL(path, origin), { method: 'POST', headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${await reply.text()}`)
    const { response } = (await reply.json()) as { response: Record<string, string> } // the wire's wrapping
    return response
  }
  const bounds = { maxUsers: null, maxBytes: null, maxDays: null }
  const reseller = await asOwner('/api/x/resellers', { name: `bench ${Date.now()}`, squads: [squad], ...bounds })
  const made = await asOwner('/api/x/tokens', { tokenName: 'bench of a reseller', resellerUuid: reseller['uuid'] })
  const headers = { authorization: `Bearer ${made['token']}` }
  const of = (users: number): Measured[] => [
    ...usersListCases({ ...found, users }).filter(({ name }) => VIEWS.includes(name)),
    { name: 'search', targetMs: 50, path: (sample) => `/api/x/search?text=${['anna', 'ivan', 'zhao', 'berg'][sample % 4]}` },
    { name: 'counts of users', path: () => '/api/x/users/counts' },
  ]
  const scoped = of(Math.min(SEEN, found.users))
  return of(found.users).flatMap((all, place) => {
    const seen = scoped[place] ?? all
    return [
      { ...all, name: `${all.name}, of all` },
      { ...seen, name: `${seen.name}, of the reseller`, headers },
    ]
  })
}

/** A squad of its own for every so many users, which leave all others. Gives its uuid. */
async function fillSquad(url: string, users: number): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string; uuid: string }>(
      `insert into "internalSquads" ("name") values ($1) on conflict ("name") do update set "name" = excluded."name" returning "id", "uuid"`,
      [SQUAD],
    )
    const [squad] = rows
    if (!squad) throw new Error('The squad of the reseller was not made.')
    const every = Math.max(1, Math.floor(users / SEEN))
    await client.query(`delete from "internalSquadMembers" where "userId" % $1 = 0 and "squadId" <> $2`, [every, squad.id])
    await client.query(
      `insert into "internalSquadMembers" ("squadId", "userId") select $2, "id" from "users" where "id" % $1 = 0 on conflict do nothing`,
      [every, squad.id],
    )
    await client.query('analyze "internalSquadMembers"')
    return squad.uuid
  } finally {
    await client.end()
  }
}
