import type { ChildProcess } from 'node:child_process'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import * as api from '@causeway/contract'
import { CONFIG_FORM } from '@causeway/xray'
import { makeFleet, type Fleet } from '../../test/fleet.ts'
import { killProcess, startJobProcess } from '../../test/killed-process.ts'
import { runJobs } from '../../test/jobs.ts'
import { insertUsers } from '../../test/many-users.ts'
import { testServer, type TestServer } from '../../test/server.ts'
import type { Tx } from '../db/driver/connect.ts'
import { startTrafficResets } from '../features/bulk-users/resets.jobs.ts'
import { findOpenNodes } from '../features/closing-rule/closing-rule.jobs.ts'
import { registered } from '../schedule.ts'
import { startRunner } from './runner.ts'

// A real server process dies by kill -9 in the middle of a batch, for every kind of job: somebody holds a row that the batch
// needs, so that the process stands in the midst of its transaction. Another one goes on and does nothing twice.

const MANY = 2300
/** A server has to start meanwhile, and to work through two batches of an import. */
const WAIT = { timeout: 50_000, interval: 20 }
let server: TestServer
let fleet: Fleet
const started: ChildProcess[] = []

beforeAll(async () => {
  server = await testServer({ env: { ROLLOUT_WATCH_SECONDS: '1' } })
  fleet = await makeFleet(server)
})
beforeEach(async () => {
  const { db } = server.ctx
  server.clock.now = undefined
  for (const table of ['jobs', 'users', 'userUsage', 'userTrafficResets', 'userNodeUsage'] as const)
    await db.deleteFrom(table).execute()
  await insertUsers(db, MANY)
})
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})
afterAll(() => server.close())

async function startProcess(recurring = ''): Promise<ChildProcess> {
  const child = await startJobProcess(server, { RECURRING: recurring })
  started.push(child)
  return child
}

/** Kills the process that works on jobs while it waits for what `hold` holds, and only then lets that go. */
async function killedWhileHeld(hold: (tx: Tx) => Promise<unknown>, recurring?: string): Promise<void> {
  await server.ctx.db.transaction().execute(async (tx) => {
    await hold(tx)
    const child = await startProcess(recurring)
    await vi.waitFor(async () => expect(await waiting()).toBe(1), WAIT)
    await killProcess(child)
  })
  await vi.waitFor(async () => expect(await waiting()).toBe(0), WAIT)
}

async function waiting(): Promise<number> {
  const { rows } = await server.ctx.pool.query(
    `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  )
  return rows.length
}

const holdUsers = (tx: Tx) => tx.selectFrom('users').select('id').orderBy('id', 'desc').limit(1000).forUpdate().execute()
const holdUsage = (tx: Tx) =>
  tx.selectFrom('userUsage').select('userId').orderBy('userId', 'desc').limit(1000).forUpdate().execute()

const holdSecondNode = (tx: Tx) =>
  tx
    .selectFrom('nodeStates')
    .select('nodeId')
    .where('nodeId', '=', fleet.nodes[1]?.id ?? 0)
    .forUpdate()
    .execute()

const one = async (query: ReturnType<typeof sql<{ value: unknown }>>) => (await query.execute(server.ctx.db)).rows[0]?.value
const squad = () => fleet.squads[0]?.uuid ?? ''
const externalSquad = async (name: string) => (await server.call(api.createExternalSquad, { name })).uuid
const uuids = async () => (await server.ctx.db.selectFrom('users').select('uuid').execute()).map((user) => user.uuid)
const eachResetOnce = async () => {
  expect(await one(sql`select count(*) as "value" from "userTrafficResets"`)).toBe(MANY)
  expect(await one(sql`select count(distinct "userId") as "value" from "userTrafficResets"`)).toBe(MANY)
}

interface Case {
  start: () => Promise<{ jobId?: string | undefined }>
  hold: (tx: Tx) => Promise<unknown>
  /** What stands when the first process is dead. */
  done: number
  total?: number
  check: () => Promise<unknown>
}

async function nodeWithUsage(): Promise<string> {
  const { db } = server.ctx
  const { id, uuid } = await db
    .insertInto('nodes')
    .values({ name: 'old', address: 'old' })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  await db.insertInto('nodeStates').values({ nodeId: id }).execute()
  await sql`insert into "userNodeUsage" ("day", "nodeId", "userId", "uploadBytes")
    select current_date - "back", node, 1, 1 from generate_series(0, 99) as "back", unnest(${[id, id + 1000]}::bigint[]) as node`.execute(
    db,
  )
  return uuid
}

/** Works on files, not rows, and is killed in features/backups. */
const ELSEWHERE = ['makeBackup']

const cases: Record<string, Case> = {
  resetUsers: {
    start: async () => server.call(api.bulkResetUsersTraffic, { uuids: await uuids() }),
    hold: holdUsage,
    done: 1000,
    check: eachResetOnce,
  },
  resetAllUsers: {
    start: () => server.call(api.bulkResetAllUsersTraffic, {}),
    hold: holdUsage,
    done: 1000,
    check: eachResetOnce,
  },
  resetByStrategy: {
    start: async () => {
      server.clock.now = new Date(2026, 9, 1)
      await startTrafficResets(server.ctx) // the first periods seen are not made up for
      await server.ctx.db.updateTable('jobs').set({ status: 'done', finishedAt: new Date() }).execute()
      await server.ctx.db.updateTable('users').set({ trafficLimitStrategy: 'MONTH' }).execute()
      server.clock.now = undefined
      await startTrafficResets(server.ctx)
      const open = await server.ctx.db.selectFrom('jobs').select('id').where('total', '=', MANY).executeTakeFirst()
      return { jobId: open?.id }
    },
    hold: holdUsage,
    done: 1000,
    check: eachResetOnce,
  },
  revokeUsers: {
    start: async () => server.call(api.bulkRevokeUsersSubscription, { uuids: await uuids() }),
    hold: holdUsers,
    done: 1000,
    check: async () => expect(await one(sql`select count(distinct "vlessUuid") as "value" from "users"`)).toBe(MANY),
  },
  updateUsers: {
    start: async () => server.call(api.bulkUpdateUsers, { uuids: await uuids(), fields: { tag: 'KEPT' } }),
    hold: holdUsers,
    done: 1000,
    check: async () => expect(await one(sql`select count(*) as "value" from "users" where "tag" = 'KEPT'`)).toBe(MANY),
  },
  updateAllUsers: {
    start: async () => {
      await insertUsers(server.ctx.db, 8000, 'more')
      return server.call(api.bulkUpdateAllUsers, { tag: 'KEPT' })
    },
    hold: holdUsers,
    done: 9000,
    total: MANY + 8000,
    check: async () => expect(await one(sql`select count(*) as "value" from "users" where "tag" = 'KEPT'`)).toBe(MANY + 8000),
  },
  extendUsers: {
    start: async () => server.call(api.extendUsers, { uuids: await uuids(), months: 1 }),
    hold: holdUsers,
    done: 1000,
    check: async () => expect(await one(sql`select count(distinct "expireAt") as "value" from "users"`)).toBe(1),
  },
  addTrafficToUsers: {
    start: async () => {
      await server.ctx.db.updateTable('users').set({ trafficLimitBytes: 1000 }).execute()
      return server.call(api.changeUsers, { uuids: await uuids(), change: { kind: 'addTraffic', bytes: 50, isOnce: false } })
    },
    hold: holdUsage,
    done: 1000,
    check: async () =>
      expect(await one(sql`select count(*) as "value" from "users" where "trafficLimitBytes" = 1050`)).toBe(MANY),
  },
  changeSquadsOfUsers: {
    start: async () =>
      server.call(api.changeUsers, { filters: [], change: { kind: 'squads', mode: 'add', squads: [squad()] }, expected: MANY }),
    hold: holdUsers,
    done: 1000,
    check: async () => expect(await one(sql`select count(*) as "value" from "internalSquadMembers"`)).toBe(MANY),
  },
  deleteChosenUsers: {
    start: async () => server.call(api.changeUsers, { uuids: await uuids(), change: { kind: 'delete' } }),
    hold: holdUsage,
    done: 1000,
    check: async () => expect(await one(sql`select count(*) as "value" from "users"`)).toBe(0),
  },
  importUsers: {
    start: async () => {
      const rows = Array.from({ length: MANY }, (_, index) => `imported_${index},2090-01-01`)
      const names = (await server.ctx.db.selectFrom('users').select('username').orderBy('id', 'desc').limit(1).execute())[0]
      return server.call(api.importUsers, {
        csv: ['username,expireAt', ...rows.slice(1), `${names?.username},2090-01-01`].join('\n'),
      })
    },
    // The last line updates the last user.
    hold: holdUsers,
    done: 2000,
    check: async () => {
      expect(await one(sql`select count(*) as "value" from "users" where "username" like 'imported\\_%'`)).toBe(MANY - 1)
      expect(await one(sql`select count(*) as "value" from "userUsage"`)).toBe(2 * MANY - 1)
    },
  },
  deleteUsersByStatus: {
    start: async () => server.call(api.bulkDeleteUsersByStatus, { status: 'ACTIVE' }),
    hold: holdUsage,
    done: 1000,
    check: async () => expect(await one(sql`select count(*) as "value" from "users"`)).toBe(0),
  },
  addAllToSquad: {
    start: () => server.call(api.addUsersToInternalSquad, { uuid: squad() }),
    hold: holdUsers,
    done: 1000,
    check: async () => expect(await one(sql`select count(*) as "value" from "internalSquadMembers"`)).toBe(MANY),
  },
  removeAllFromSquad: {
    start: async () => {
      await sql`insert into "internalSquadMembers" ("squadId", "userId") select s."id", u."id" from "users" u, "internalSquads" s where s."uuid" = ${squad()}`.execute(
        server.ctx.db,
      )
      return server.call(api.removeUsersFromInternalSquad, { uuid: squad() })
    },
    hold: (tx) =>
      tx.selectFrom('internalSquadMembers').select('userId').orderBy('userId', 'desc').limit(1000).forUpdate().execute(),
    done: 1000,
    check: async () => expect(await one(sql`select count(*) as "value" from "internalSquadMembers"`)).toBe(0),
  },
  addAllToExternalSquad: {
    start: async () => server.call(api.addUsersToExternalSquad, { uuid: await externalSquad('filled') }),
    hold: holdUsers,
    done: 1000,
    check: async () =>
      expect(await one(sql`select count(*) as "value" from "users" where "externalSquadUuid" is not null`)).toBe(MANY),
  },
  removeAllFromExternalSquad: {
    start: async () => {
      const uuid = await externalSquad('emptied')
      await sql`update "users" set "externalSquadUuid" = ${uuid}`.execute(server.ctx.db)
      return server.call(api.removeUsersFromExternalSquad, { uuid })
    },
    hold: holdUsers,
    done: 1000,
    check: async () =>
      expect(await one(sql`select count(*) as "value" from "users" where "externalSquadUuid" is not null`)).toBe(0),
  },
  // UNDO-010: what a job deleted comes back by a job, each user once.
  undoEntries: {
    start: async () => {
      // Cases before this one left entries of the same action, and `hold` takes the oldest.
      await server.ctx.db.deleteFrom('auditLog').execute()
      await server.call(api.bulkDeleteUsersByStatus, { status: 'ACTIVE' })
      await runJobs(server.ctx)
      expect(await one(sql`select count(*) as "value" from "users"`)).toBe(0)
      const { entries } = await server.call(api.listHistory, { limit: 1 })
      const { jobId } = await server.call(api.undoEntry, { id: entries[0]?.id ?? 0 })
      return { jobId: jobId ?? '' }
    },
    // Of three batches the newest is undone first: the second one is held.
    hold: (tx) => sql`select from "auditLog" where "action" = 'deleteUsersByStatus' order by "id" limit 2 for update`.execute(tx),
    done: 300,
    check: async () => {
      expect(await one(sql`select count(*) as "value" from "users"`)).toBe(MANY)
      expect(await one(sql`select count(*) as "value" from "userUsage"`)).toBe(MANY)
      expect(await one(sql`select count(distinct "undoes") as "value" from "auditLog" where "actorKind" = 'system'`)).toBe(3)
    },
  },
  forgetNodeUsage: {
    start: async () => {
      await server.call(api.deleteNode, { uuid: await nodeWithUsage() })
      await server.ctx.db.updateTable('jobs').set({ dueAt: new Date() }).execute()
      const { id } = await server.ctx.db.selectFrom('jobs').select('id').executeTakeFirstOrThrow()
      return { jobId: id }
    },
    hold: (tx) => sql`select from "userNodeUsage" where "day" > current_date - 30 for update`.execute(tx),
    done: 60,
    total: 100,
    // What another node was used for stays.
    check: async () => expect(await one(sql`select count(*) as "value" from "userNodeUsage"`)).toBe(100),
  },
  deliverClosingRule: {
    start: async () => {
      await connectNodes()
      await findOpenNodes(server.ctx)
      return startedJob()
    },
    hold: holdSecondNode,
    done: 1,
    total: 2,
    check: async () => {
      expect(await one(sql`select count(*) as "value" from "auditLog" where "action" = 'deliverClosingRule'`)).toBe(2)
      expect(await one(sql`select array_agg("requestTicket"::int) as "value" from "nodeStates" where "isConnected"`)).toEqual([
        1, 1,
      ])
    },
  },
  rollOutProfile: {
    start: startWatchedRollout,
    // The second wave begins with what this node is asked for.
    hold: holdSecondNode,
    done: 0,
    total: 2,
    check: async () => {
      const { rollouts } = await server.call(api.listRollouts, {})
      expect(rollouts).toMatchObject([
        {
          state: 'done',
          nodes: [
            { wave: 1, state: 'unproven' },
            { wave: 2, state: 'unproven' },
          ],
        },
      ])
      expect(await one(sql`select count(*) as "value" from "revisions"`)).toBe(2)
      // Each was asked once in its turn, and once at the end.
      expect(await one(sql`select array_agg("requestTicket"::int) as "value" from "nodeStates" where "isConnected"`)).toEqual([
        2, 2,
      ])
    },
  },
}

/** Of the two nodes, whom no fleet looks after here: a start that is asked for has been made at once, and cores are read. */
async function connectNodes(): Promise<void> {
  const { db } = server.ctx
  await sql`create or replace function "startAtOnce"() returns trigger language plpgsql as $$ begin
    if new."startRequestedAt" is not null then new."runningConfigHash" = ${sql.lit(CONFIG_FORM)}; end if;
    new."startRequestedAt" = null; return new; end $$`.execute(db)
  await sql`create or replace trigger "startAtOnce" before update on "nodeStates" for each row execute function "startAtOnce"()`.execute(
    db,
  )
  const running = {
    isConnected: true,
    testsConfig: true,
    requestTicket: 0,
    coreEpoch: 'core',
    runningConfigHash: 'of an older server',
  }
  await db.updateTable('nodeStates').set(running).execute()
  const read = () =>
    sql`update "nodeStates" set "sampleSequence" = "sampleSequence" + 1
      where "nodeId" in (select "nodeId" from "nodeStates" for update skip locked)`.execute(db)
  const reading = setInterval(() => void read(), 100)
  onTestFinished(() => clearInterval(reading))
}

const startedJob = async () => ({
  jobId: (await server.ctx.db.selectFrom('jobs').select('id').executeTakeFirstOrThrow()).id,
})

async function startWatchedRollout(): Promise<{ jobId: string }> {
  await connectNodes()
  const inbound = (tag: string, port: number) => ({
    tag,
    port,
    protocol: tag.toLowerCase(),
    settings: { clients: [], decryption: 'none' },
  })
  const next = { inbounds: [inbound('VLESS', 1), inbound('TROJAN', 2)], outbounds: [{ protocol: 'freedom' }] }
  const { uuid } = await server.call(api.startRollout, { uuid: fleet.profile.uuid, config: next })
  // Without users online no node can be proven.
  await server.call(api.waiveRolloutProof, { uuid })
  return startedJob()
}

test('every kind of job is among those that are killed here', () => {
  expect([...Object.keys(cases), ...ELSEWHERE].toSorted()).toEqual(registered.kinds.map(({ name }) => name).toSorted())
})

test.each(Object.entries(cases))('%s goes on after its server was killed, and does nothing twice', async (kind, one) => {
  const { jobId = '' } = await one.start()
  const total = one.total ?? MANY
  await killedWhileHeld(one.hold)
  expect(await server.call(api.getJob, { id: jobId })).toMatchObject({ kind, status: 'running', done: one.done, total })
  // The next one is in this process, as it is not to be killed.
  const next = await startRunner(server.ctx, { kinds: registered.kinds, recurring: [] })
  onTestFinished(() => next.stop())
  await vi.waitFor(
    async () => expect(await server.call(api.getJob, { id: jobId })).toMatchObject({ status: 'done', done: total }),
    WAIT,
  )
  await one.check()
})

test('what recurs is run again by the next server, as a whole', async () => {
  await server.ctx.db
    .updateTable('users')
    .set({ expireAt: new Date('2020-01-01') })
    .execute()
  await killedWhileHeld(holdUsage, 'expireUsers')
  const expired = () => one(sql`select count(*) as "value" from "users" where "status" = 'EXPIRED'`)
  expect(await expired()).toBe(0)
  await startProcess('expireUsers')
  await vi.waitFor(async () => expect(await expired()).toBe(MANY), WAIT)
})
