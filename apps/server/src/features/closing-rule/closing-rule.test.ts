import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Ctx } from '../../ctx.ts'
import { startFleet } from '../fleet/fleet.jobs.ts'
import type { FakeAgent } from '../../../test/fake-agent.ts'
import { liveFleet, QUICK, until, WAIT } from '../../../test/live-fleet.ts'
import { startRunner } from '../../jobs/runner.ts'
import { closingRuleJobs, findOpenNodes } from './closing-rule.jobs.ts'

// Nodes whose cores a server without the closing rule has started: they are started anew one after the other, and never twice.

const live = liveFleet({ ROLLOUT_WATCH_SECONDS: '1' })
/** As servers named configurations before the rule was part of the hash. */
const OLDER_CONFIG = 'a'.repeat(64)
let runner: { stop(): Promise<void> }

beforeEach(async () => {
  await live.server.ctx.db.deleteFrom('jobs').execute()
  runner = await watchingRunner(live.server.ctx)
})
afterEach(() => runner.stop())

const watchingRunner = (ctx: Ctx) => startRunner(ctx, { kinds: closingRuleJobs.kinds, recurring: [] })

/** As the node stands when the server has just been upgraded. */
async function startedByOlderServer(generation: 'own' | '2.1') {
  const { agent, node } = await live.connectedNode({ generation })
  agent.emptyConfig = OLDER_CONFIG
  await live.server.ctx.db
    .updateTable('nodeStates')
    .set({ runningConfigHash: OLDER_CONFIG, closedPorts: null })
    .where('nodeId', '=', (from) => from.selectFrom('nodes').select('id').where('uuid', '=', node.uuid))
    .execute()
  const delivered = async () => (await live.getNode(node.uuid)).closingRule?.isDelivered === true
  return { agent, node, core: agent.core?.id, delivered }
}

async function threeNodes() {
  const [one, two, three] = [
    await startedByOlderServer('2.1'),
    await startedByOlderServer('own'),
    await startedByOlderServer('2.1'),
  ]
  return { one, two, three, all: [one, two, three] }
}

const lastJob = () =>
  live.server.ctx.db.selectFrom('jobs').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirstOrThrow()
const jobEnded = (status: 'done' | 'failed') => vi.waitFor(async () => expect(await lastJob()).toMatchObject({ status }), WAIT)
const cores = (agents: { agent: FakeAgent }[]) => agents.map(({ agent }) => agent.cores)

it('nodes of an older server are started anew once, one after the other is watched, and told of in job, history and node', async () => {
  const { one, all } = await threeNodes()
  const bystander = await live.connectedNode()
  expect((await live.getNode(one.node.uuid)).closingRule).toEqual({ isDelivered: false, ports: [] })
  let mostAtOnce = 0
  const watch = setInterval(() => {
    const restarted = all.filter(({ agent }) => agent.cores > 1).length
    void Promise.all(all.map(({ delivered }) => delivered())).then((done) => {
      mostAtOnce = Math.max(mostAtOnce, restarted - done.filter(Boolean).length)
    })
  }, 20)
  await findOpenNodes(live.server.ctx)
  await findOpenNodes(live.server.ctx) // a job is under way
  await jobEnded('done')
  clearInterval(watch)
  expect(mostAtOnce).toBeLessThanOrEqual(1)
  expect(await lastJob()).toMatchObject({ kind: 'deliverClosingRule', done: 3, total: 3 })
  for (const { node } of all)
    expect((await live.getNode(node.uuid)).closingRule).toEqual({ isDelivered: true, ports: [61_000, 61_001, 61_002] })
  expect(cores([...all, bystander])).toEqual([2, 2, 2, 1])
  const { ctx } = live.server
  const entries = await ctx.db
    .selectFrom('auditLog')
    .select('target')
    .where('action', '=', 'deliverClosingRule')
    .orderBy('id')
    .execute()
  expect(entries.map(({ target }) => target)).toEqual(all.map(({ node }) => node.name))

  // Neither the next look nor the next start of the server finds anything to do.
  await findOpenNodes(ctx)
  await live.fleet?.stop()
  live.fleet = startFleet(ctx, QUICK)
  const asked = one.agent.calls.length
  await until(() => one.agent.calls.length > asked + 5)
  expect(await ctx.db.selectFrom('jobs').select('id').execute()).toHaveLength(1)
  expect(cores([...all, bystander])).toEqual([2, 2, 2, 1])
})

it('a core that does not start with it ends the work: the others run on, and are tried after six hours', async () => {
  const { one, two, three } = await threeNodes()
  one.agent.refusal = () => 'Xray is out of memory.'
  await findOpenNodes(live.server.ctx)
  await jobEnded('failed')
  const { error } = await lastJob()
  expect(error).toContain(`${one.node.name}: its core did not start. Xray is out of memory.`)
  expect(error).toContain('The other nodes run without the closing rule')
  expect(cores([two, three])).toEqual([1, 1])
  await findOpenNodes(live.server.ctx)
  expect(await live.server.ctx.db.selectFrom('jobs').select('id').execute()).toHaveLength(1)

  one.agent.refusal = () => null
  await until(one.delivered)
  const later = new Date(Date.now() + 6.1 * 3_600_000)
  await findOpenNodes({ ...live.server.ctx, now: () => later })
  expect(await lastJob()).toMatchObject({ total: 2, status: 'queued' })
})

it('a node whose core ends by itself after the start stops the others from being started', async () => {
  // However slow the machine, the core ends within the watch.
  await runner.stop()
  const { ctx } = live.server
  runner = await watchingRunner({ ...ctx, config: { ...ctx.config, ROLLOUT_WATCH_SECONDS: 600 } })
  // Agents of 2.1 tell a core's uptime in seconds only: one that ends in its first seconds cannot be told from the next.
  const one = await startedByOlderServer('own')
  const others = [await startedByOlderServer('2.1'), await startedByOlderServer('own')]
  await findOpenNodes(live.server.ctx)
  await until(() => one.agent.cores === 2)
  const { number } = await lastJob()
  await vi.waitFor(async () => {
    const { payload } = await live.server.ctx.db
      .selectFrom('jobs')
      .select('payload')
      .where('number', '=', number)
      .executeTakeFirstOrThrow()
    expect(payload).toMatchObject({ restart: { first: { coreEpoch: expect.any(String) } } })
  }, WAIT)
  one.agent.killCore()
  await jobEnded('failed')
  expect((await lastJob()).error).toMatch(new RegExp(`^${one.node.name}: its core (ended by itself|did not start)`))
  expect(cores(others)).toEqual([1, 1])
})

it('an agent that found the core it took up open has the core started anew', async () => {
  const { agent, node } = await live.connectedNode()
  await live.fleet?.stop()
  agent.forgetCore() // such an agent names no hashes
  live.fleet = startFleet(live.server.ctx, QUICK)
  await until(async () => (await live.getNode(node.uuid)).closingRule?.isDelivered === false)
  await findOpenNodes(live.server.ctx)
  await jobEnded('done')
  expect(agent.cores).toBe(2)
  expect((await live.getNode(node.uuid)).closingRule?.isDelivered).toBe(true)
})
