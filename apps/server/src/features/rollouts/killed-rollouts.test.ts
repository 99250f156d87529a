import type { ChildProcess } from 'node:child_process'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import * as api from '@causeway/contract'
import type { Rollout } from '@causeway/contract'
import type { FakeAgent } from '../../../test/fake-agent.ts'
import { killProcess, startJobProcess } from '../../../test/killed-process.ts'
import { liveFleet, nodeConfig, QUICK, until, WAIT } from '../../../test/live-fleet.ts'

// Roll-outs whose server dies by kill -9 at every step they have: in the middle of every transaction, while an agent is told, and
// after it was told and before that is written. The next server comes an hour later each time, and nothing is lost or doubled.

const START = '/node/xray/start'
const HOUR_MS = 3_600_000
/** Of the lock that a step waits for while a test holds it. */
const STEPS = 20_261_122
const PATIENT = { timeout: 240_000 }
/** No watch ends by itself. */
const LONG = { ROLLOUT_WATCH_SECONDS: '600' }

const live = liveFleet()
const call: typeof live.server.call = (endpoint, input) => live.server.call(endpoint, input)
const running = new Set<ChildProcess>()
let hours = 0
let made = 0
let timers: NodeJS.Timeout[] = []
let sentBytes = 0

beforeAll(async () => {
  const { db } = live.server.ctx
  await sql`create function "holdStep"() returns trigger language plpgsql as $$ begin
    perform pg_advisory_xact_lock_shared(${sql.lit(STEPS)}, hashtext(
      case when TG_TABLE_NAME = 'configProfileRollouts' then '' else 'wave ' || (to_jsonb(new) ->> 'wave') || ' ' end || new."state"));
    return new; end $$`.execute(db)
  for (const table of ['configProfileRollouts', 'configProfileRolloutNodes'])
    await sql`create trigger "holdStep" before update on ${sql.table(table)} for each row
      when (old."state" is distinct from new."state") execute function "holdStep"()`.execute(db)
})
beforeEach(async () => {
  made++
  sentBytes = 0
  hours = 0 // the fleet of this process has read the nodes just now
  await live.server.ctx.db.deleteFrom('jobs').execute()
  live.profile = await call(api.createConfigProfile, { name: `killed-${made}`, config: before() })
  const inbounds = live.profile.inbounds.map(({ uuid }) => uuid)
  live.squad = await call(api.createInternalSquad, { name: `killed-${made}`, inbounds })
})
afterEach(async () => {
  for (const timer of timers.splice(0)) clearInterval(timer)
  for (const child of running) await killProcess(child)
  running.clear()
})

const before = () => nodeConfig([`VLESS_${made}`, `TROJAN_${made}`])
const after = () => nodeConfig([`VLESS_${made}_NEXT`, `TROJAN_${made}`])
const renamed = () => [{ from: `VLESS_${made}`, to: `VLESS_${made}_NEXT` }]
const isAhead = ({ core }: FakeAgent) => core?.users.has(`VLESS_${made}_NEXT`) === true
const isBehind = ({ core }: FakeAgent) => core?.users.has(`VLESS_${made}`) === true

async function startProcess(env: Record<string, string> = {}): Promise<ChildProcess> {
  const aheadMs = String(hours * HOUR_MS)
  const child = await startJobProcess(live.server, { FLEET_PERIODS: JSON.stringify(QUICK), CLOCK_AHEAD_MS: aheadMs, ...env })
  running.add(child)
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  await killProcess(child)
  running.delete(child)
  hours++
  // So does what the database's own clock measures.
  await sql`update "nodeLeases" set "expiresAt" = now() - interval '1 hour'`.execute(live.server.ctx.db)
}

/** A server works until something is so, and dies. */
async function killedOnce(reached: () => unknown, env?: Record<string, string>): Promise<void> {
  const child = await startProcess(env)
  await until(reached)
  await kill(child)
}

/** A server dies in the midst of the transaction that takes this step. */
async function killedWithin(step: string, env?: Record<string, string>): Promise<void> {
  const { db } = live.server.ctx
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${STEPS}, hashtext(${step}))`.execute(tx)
    const child = await startProcess(env)
    await until(async () => (await waiting()) === 1)
    await kill(child)
  })
  await until(async () => (await waiting()) === 0)
}

async function waiting(): Promise<number> {
  const { rows } = await live.server.ctx.pool.query(
    `select 1 from pg_locks where locktype = 'advisory' and classid = ${STEPS} and not granted`,
  )
  return rows.length
}

/** A server dies while it tells an agent, before that does it or after it did. */
async function killedWhileTelling(agent: FakeAgent, isDone?: () => boolean): Promise<void> {
  const calls = agent.callsTo(START)
  const silence = isDone ? agent.unanswered : agent.hanging
  silence.add(START)
  await killedOnce(isDone ?? (() => agent.callsTo(START) > calls))
  silence.delete(START)
}

async function startRollout(firstNodeUuid: string): Promise<string> {
  // From here on only servers that are killed look after nodes.
  await live.fleet?.stop()
  live.fleet = undefined
  return (await call(api.startRollout, { uuid: live.profile.uuid, config: after(), renamed: renamed(), firstNodeUuid })).uuid
}
async function find(uuid: string): Promise<Rollout> {
  const found = (await call(api.listRollouts, {})).rollouts.find((rollout) => rollout.uuid === uuid)
  if (!found) throw new Error('there is no such roll-out')
  return found
}
const turnsOf = async (uuid: string) => (await find(uuid)).nodes.map(({ state }) => state).join(' ')
const isState = (uuid: string, state: Rollout['state']) => async () => (await find(uuid)).state === state

/** Somebody whose bytes flow through the nodes all the time. */
async function keepMoving(agents: FakeAgent[]): Promise<api.User> {
  const user = await live.makeUser(`anna-${made}`)
  for (const agent of agents) await until(() => agent.usersOf(`VLESS_${made}`).length === 1)
  const move = () => {
    for (const agent of agents.filter(({ core }) => core)) {
      agent.transfer(user.username, 10, 100)
      sentBytes += 110
    }
  }
  timers.push(setInterval(move, 20))
  return user
}

async function everythingSettled(agents: FakeAgent[], user?: api.User): Promise<void> {
  for (const timer of timers.splice(0)) clearInterval(timer)
  await until(async () => {
    const states = await live.server.ctx.db.selectFrom('nodeStates').select(['startRequestedAt', 'isConnected']).execute()
    return states.length === agents.length && states.every((state) => state.isConnected && state.startRequestedAt === null)
  })
  if (!user) return
  await vi.waitFor(async () => expect(await live.usedBytes(user.uuid)).toBe(sentBytes), WAIT)
  for (const agent of agents) expect(agent.usersOf(`TROJAN_${made}`)).toEqual([user.username])
}

const revisions = async () => (await call(api.listProfileRevisions, { uuid: live.profile.uuid })).revisions.length
const audited = async (action: string) =>
  (await live.server.ctx.db.selectFrom('auditLog').select('id').where('action', '=', action).execute()).length

it(
  'a roll-out whose server is killed at each of its steps goes to every node once, and the profile takes it once',
  PATIENT,
  async () => {
    const [first, second] = [await live.connectedNode(), await live.connectedNode()]
    const [one, two] = [first.agent, second.agent]
    const user = await keepMoving([one, two])
    await until(async () => (await live.usersRead(first.node.uuid)) === 1)
    await until(async () => (await live.usersRead(second.node.uuid)) === 1)
    const uuid = await startRollout(first.node.uuid)

    await killedWithin('wave 1 starting')
    expect(await turnsOf(uuid)).toBe('waiting waiting')
    await killedWhileTelling(one)
    expect([await turnsOf(uuid), one.cores]).toEqual(['starting waiting', 1])
    await killedWhileTelling(one, () => isAhead(one))
    expect([await turnsOf(uuid), one.cores]).toEqual(['starting waiting', 2])
    await killedWithin('wave 1 watched')
    expect(await turnsOf(uuid)).toBe('starting waiting')
    await killedOnce(async () => (await turnsOf(uuid)) === 'watched waiting')
    // The look that finds the first good begins with the second.
    await killedWithin('wave 2 starting')
    expect(await turnsOf(uuid)).toBe('watched waiting')

    await call(api.pauseRollout, { uuid })
    await killedOnce(async () => (await turnsOf(uuid)) === 'good waiting')
    expect(await find(uuid)).toMatchObject({ state: 'running', isPaused: true })
    await call(api.continueRollout, { uuid })
    expect([one.cores, two.cores]).toEqual([2, 1])

    await killedWhileTelling(two, () => isAhead(two))
    await killedWithin('wave 2 watched')
    await killedWithin('done')
    expect([await turnsOf(uuid), await revisions()]).toEqual(['good watched', 1])
    // The profile holds it by now, and its nodes are yet to be asked whether they do.
    for (const agent of [one, two]) agent.hanging.add(START)
    await killedOnce(isState(uuid, 'done'))
    for (const agent of [one, two]) agent.hanging.delete(START)

    await startProcess()
    await until(isState(uuid, 'done'))
    await everythingSettled([one, two], user)
    expect(await turnsOf(uuid)).toBe('good good')
    expect([one.cores, two.cores]).toEqual([2, 2])
    expect(isAhead(one) && isAhead(two)).toBe(true)
    const profile = await call(api.getConfigProfile, { uuid: live.profile.uuid })
    expect(profile.config).toEqual(after())
    expect(profile.inbounds.map((inbound) => inbound.uuid)).toEqual(live.profile.inbounds.map((inbound) => inbound.uuid))
    expect([await revisions(), await audited('finishRollout')]).toEqual([2, 1])
  },
)

it('one that fails while its server is killed puts back what was touched, once, and touches nobody else', PATIENT, async () => {
  const [first, second] = [await live.connectedNode(), await live.connectedNode()]
  const [one, two] = [first.agent, second.agent]
  const user = await keepMoving([one, two])
  await until(async () => (await live.usersRead(first.node.uuid)) === 1)
  const uuid = await startRollout(first.node.uuid)
  await killedOnce(async () => (await turnsOf(uuid)) === 'watched waiting')
  // Whoever was online does not come back.
  for (const timer of timers.splice(0)) clearInterval(timer)

  await killedWithin('failed')
  expect([(await find(uuid)).state, await turnsOf(uuid)]).toEqual(['running', 'watched waiting'])
  one.hanging.add(START)
  await killedOnce(isState(uuid, 'failed'))
  one.hanging.delete(START)
  expect([isAhead(one), one.cores]).toEqual([true, 2])
  await killedWhileTelling(one)
  await killedWhileTelling(one, () => isBehind(one))

  await startProcess()
  await everythingSettled([one, two], user)
  const failed = await find(uuid)
  expect(failed.nodes).toMatchObject([{ state: 'failed', failure: 'users', usersBefore: 1, usersBack: 0 }, { state: 'waiting' }])
  expect([one.cores, two.cores, isBehind(one), isBehind(two)]).toEqual([3, 1, true, true])
  expect((await call(api.getConfigProfile, { uuid: live.profile.uuid })).config).toEqual(before())
  expect([await revisions(), (await call(api.listJobs, {})).find(({ kind }) => kind === 'rollOutProfile')?.status]).toEqual([
    1,
    'failed',
  ])
})

it(
  'one that is cancelled while the server is killed runs on until somebody cancels it for good, and is put back once',
  PATIENT,
  async () => {
    const { agent, node } = await live.connectedNode()
    const user = await keepMoving([agent])
    const uuid = await startRollout(node.uuid)
    await killedOnce(async () => (await turnsOf(uuid)) === 'watched', LONG)

    await killedWithin('takenBack', { ...LONG, TAKE_BACK: uuid })
    expect([(await find(uuid)).state, await turnsOf(uuid), isAhead(agent)]).toEqual(['running', 'watched', true])
    await call(api.takeBackRollout, { uuid })
    await killedWhileTelling(agent)
    await killedWhileTelling(agent, () => isBehind(agent))

    await startProcess()
    await everythingSettled([agent], user)
    expect([(await find(uuid)).state, agent.cores, isBehind(agent)]).toEqual(['takenBack', 3, true])
    expect((await call(api.getConfigProfile, { uuid: live.profile.uuid })).config).toEqual(before())
    expect((await call(api.listJobs, {})).find(({ kind }) => kind === 'rollOutProfile')?.status).toBe('cancelled')
  },
)
