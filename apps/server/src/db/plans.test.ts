import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyone, type Scope } from '../lib/scope.ts'
import { watchStatements } from '../../test/statements/recorder.ts'
import { makeFleet } from '../../test/fleet.ts'
import { testServer, type TestServer } from '../../test/server.ts'
import { listDueDeliveries, listWantedByName } from '../features/fleet/tasks.queries.ts'
import { findDevice } from '../features/hwid/hwid.queries.ts'
import { listRequestsOfUser } from '../features/request-history/request-history.queries.ts'
import { searchUsers } from '../features/search/search.queries.ts'
import { findSubscribers } from '../features/subscriptions/subscriptions.queries.ts'
import { chargeUsers } from '../features/traffic/charges.queries.ts'
import { countByStatus, listPageIds } from '../features/users/list.queries.ts'
import { toUsersView } from '../features/users/list.rules.ts'
import { listExpired } from '../features/users/periodic.queries.ts'
import { editUserAlone, listUsersById } from '../features/users/users.queries.ts'
import { handOutChanges } from '../ground/delivery.queries.ts'
import { listHeads } from '../jobs/jobs.queries.ts'
import type { Db, Tx } from './driver/connect.ts'

// The plans of the hottest statements on 20,000 users, as the planner makes them for these very values. Each must read its
// index and must not read a table of users from end to end. What the same statement reads without indexes stands beside it.

const USERS = 20_000
const AT = new Date('2026-03-10T12:00:00Z')
/** Tables with a row or more for each user. */
const LARGE = ['users', 'userUsage', 'internalSquadMembers', 'acknowledgedUsers', 'subscriptionRequests', 'hwidDevices']

let server: TestServer
let client: pg.Client
let nodeId = 0
let uuid = ''
/** Of a reseller of one user in a hundred. */
const squadIds: number[] = []
const reseller = { id: 1, name: '', squadIds, squadUuids: [], maxUsers: null, maxBytes: null, maxDays: null }
beforeAll(async () => {
  server = await testServer()
  const fleet = await makeFleet(server)
  nodeId = fleet.nodes[0]?.id ?? 0
  await server.ctx.pool.query(`
    insert into "users" ("username", "shortUuid", "expireAt", "trojanPassword", "ssPassword", "vlessUuid", "email")
    select 'user_' || n, 'short-' || n, '2030-01-01'::timestamptz + n * interval '1 hour', 'x', 'x', gen_random_uuid(), n || '@example.com'
    from generate_series(1, ${USERS}) n;
    insert into "userUsage" ("userId", "usedTrafficBytes") select "id", "id" * 1000 from "users";
    insert into "internalSquadMembers" ("squadId", "userId") select s."id", u."id" from "users" u, "internalSquads" s;
    insert into "internalSquads" ("name") values ('of a reseller');
    delete from "internalSquadMembers" where "userId" % 100 = 0;
    insert into "internalSquadMembers" ("squadId", "userId") select s."id", u."id" from "users" u, "internalSquads" s
      where s."name" = 'of a reseller' and u."id" % 100 = 0;
    insert into "acknowledgedUsers" ("nodeId", "username", "userId", "vlessUuid", "tags")
      select n."id", u."username", u."id", u."vlessUuid", array['VLESS'] from "users" u, "nodes" n;
    insert into "hwidDevices" ("userId", "hwid") select "id", 'phone' from "users";
    insert into "subscriptionRequests" ("userId", "userAgent", "requestAt")
      select "id", 'App/1', '2026-03-01'::timestamptz + "id" * interval '1 second' from "users", generate_series(1, 2);
    insert into "jobs" ("kind", "group", "payload", "total", "dueAt", "finishedAt")
      select 'resetUsers', 'group ' || n % 50, '{}', 1, now(), case when n > 20 then now() end from generate_series(1, 5000) n;
    delete from "changedUsers";
    insert into "changedUsers" ("username") select 'user_' || n from generate_series(1, 20) n;
    insert into "deliveries" ("nodeId", "username", "nextAttemptAt")
      select n."id", 'user_' || i, now() + case when i > 20 then interval '1 minute' else interval '-1 minute' end
      from "nodes" n, generate_series(1, 10000) i where n."id" <> ${nodeId} or i <= 100;
    analyze`)
  client = new pg.Client({ connectionString: server.ctx.pool.options.connectionString })
  await client.connect()
  uuid = await uuidOf('user_7000')
  const own = server.ctx.db.selectFrom('internalSquads').select('id').where('name', '=', 'of a reseller')
  squadIds.push((await own.executeTakeFirstOrThrow()).id)
}, 180_000)
afterAll(async () => {
  await client?.end()
  await server?.close()
})

const uuidOf = async (username: string) =>
  (await server.ctx.db.selectFrom('users').select('uuid').where('username', '=', username).executeTakeFirstOrThrow()).uuid

function view(query: Parameters<typeof toUsersView>[0], scope: Scope = everyone) {
  const made = toUsersView(query, scope, AT)
  if ('refusal' in made) throw new Error(made.refusal.message)
  return made
}

interface Hot {
  index: string
  /** Calls the product's own function; the last statement that names the table is meant. */
  run: (db: Db) => Promise<unknown>
  of: RegExp
}

const charge = { uplink: 1, downlink: 2, charged: 3 }
const HOT: Record<string, Hot> = {
  'a subscription by its link': {
    index: 'users_shortUuid_key',
    run: (db) => findSubscribers(db, ['short-7000']),
    of: /"shortUuid"/,
  },
  'rows of a page of users': { index: 'users_pkey', run: (db) => listUsersById(db, [7000, 7001, 7002]), of: /"user"/ },
  'first page of users': { index: 'usersCreated', run: (db) => listPageIds(db, view({})), of: /order by/ },
  'users of a status': {
    index: 'usersStatusCreated',
    run: (db) => listPageIds(db, view({ filters: [{ id: 'status', value: 'DISABLED' }] })),
    of: /order by/,
  },
  'users whose name contains': {
    index: 'usersUsernameText',
    run: (db) => listPageIds(db, view({ filters: [{ id: 'username', value: 'ser_70' }] })),
    of: /ilike/,
  },
  'search, names that begin': {
    index: 'usersUsernameBeginning',
    run: () =>
      searchUsers(server.ctx.db, everyone, {
        text: 'user_70',
        shortUuid: undefined,
        uuid: undefined,
        telegramId: undefined,
        vlessUuid: undefined,
      }),
    of: /like \$1 order by/,
  },
  'ADMIN-012 first page of a reseller': {
    index: 'internalSquadMembersByUser',
    run: (db) => listPageIds(db, view({}, reseller)),
    of: /order by/,
  },
  'ADMIN-012 search of a reseller': {
    index: 'internalSquadMembersByUser',
    run: (db) => listPageIds(db, view({ filters: [{ id: 'search', value: 'user_70' }] }, reseller)),
    of: /order by/,
  },
  'ADMIN-012 number of users of a reseller': {
    index: 'internalSquadMembers_pkey',
    run: (db) => countByStatus(db, reseller, ['ACTIVE']),
    of: /count/,
  },
  'an edit without consequences': {
    index: 'users_uuid_key',
    run: (db) => editUserAlone(db, uuid, ['ACTIVE'], { description: 'new' }, [AT, 'admin', null, 'admin', null]),
    of: /"held"/,
  },
  'changed users handed to nodes': { index: 'usersUsername', run: () => handOutChanges(server.ctx.db), of: /"concerned"/ },
  'users that a node should have': {
    index: 'usersUsernameBeginning', // of two for the lower-case name
    run: (db) => listWantedByName(db, nodeId, ['user_7000']),
    of: /"users" u/,
  },
  'deliveries that are due': { index: 'deliveriesDue', run: (db) => listDueDeliveries(db, nodeId), of: /"deliveries"/ },
  'traffic of a reading': {
    index: 'userUsage_pkey',
    run: (db) =>
      chargeUsers(
        db as Tx, // each runs in a transaction
        nodeId,
        [7000, 7001].map((userId) => ({ userId, ...charge })),
        { at: AT, day: '2026-03-10', today: '2026-03-10' },
      ),
    of: /update "userUsage"/,
  },
  'users that expire': { index: 'usersExpiring', run: (db) => listExpired(db, AT, 100), of: /"expireAt"/ },
  'a device of a user': { index: 'hwidDevices_pkey', run: (db) => findDevice(db, 7000, 'phone'), of: /"hwidDevices"/ },
  'requests of a user': {
    index: 'subscriptionRequestsByUser',
    run: (db) => listRequestsOfUser(db, uuid),
    of: /"subscriptionRequests"/,
  },
  'jobs that are due': { index: 'jobsOpen', run: (db) => listHeads(db, ['resetUsers']), of: /"jobs"/ },
}

test.each(Object.entries(HOT))(
  '%s: the plan reads its index and no large table from end to end',
  async (name, { index, run, of }) => {
    const statement = (await statementsOf(run)).findLast(({ sql }) => of.test(sql))
    expect(statement).toBeDefined()
    const { sql = '', parameters = [] } = statement ?? {}
    const chosen = await explain(sql, parameters)
    expect(chosen.scanned.filter((table) => LARGE.includes(table))).toEqual([])
    expect(chosen.indexes).toContain(index)
    const without = await explain(sql, parameters, ['enable_indexscan', 'enable_indexonlyscan', 'enable_bitmapscan'])
    if (process.env['TELL_PLANS']) console.log([`| ${name}`, index, chosen.pages, `${without.pages} |`].join(' | '))
    expect(without.pages).toBeGreaterThan(chosen.pages)
  },
)

interface Statement {
  sql: string
  parameters: readonly unknown[]
}

/** What a function of the product asks, in a transaction that is rolled back. */
async function statementsOf(run: (db: Db) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const stop = watchStatements((query) => statements.push(query))
  try {
    await server.ctx.db.transaction().execute(async (tx) => {
      await run(tx)
      throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  } finally {
    stop()
  }
  return statements
}

class RolledBack extends Error {}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

/** Runs it and rolls it back: tables read from end to end, indexes, and pages read. */
async function explain(sql: string, parameters: readonly unknown[], off: string[] = []) {
  await client.query('begin')
  for (const way of off) await client.query(`set local ${way} = off`)
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (analyze, buffers, format json) ${sql}`, [
    ...parameters,
  ])
  await client.query('rollback')
  const [root] = rows[0]?.['QUERY PLAN'] ?? []
  if (!root) throw new Error('The database told no plan.')
  const nodes = every(root.Plan)
  return {
    scanned: nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? []) : [])),
    indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
    pages: root.Plan['Shared Hit Blocks'] + root.Plan['Shared Read Blocks'],
  }
}

const every = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(every)]
