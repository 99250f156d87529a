import * as api from '@causeway/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { liveFleet, nodeConfig, until, WAIT } from '../../../test/live-fleet.ts'
import { startRunner } from '../../jobs/runner.ts'
import { findNodeConfig } from '../fleet/tasks.queries.ts'
import { rolloutsJobs } from './rollouts.jobs.ts'

// The next content of a snippet goes from node to node, whatever profiles those run.

const live = liveFleet({ ROLLOUT_WATCH_SECONDS: '1' })
const call: typeof live.server.call = (endpoint, input) => live.server.call(endpoint, input)
const OLD = [{ tag: 'OUT', protocol: 'freedom' }]
const NEXT = [{ tag: 'OUT', protocol: 'blackhole' }]
let runner: { stop(): Promise<void> }
let made = 0
beforeEach(async () => {
  made++
  await call(api.createSnippet, { name: `out-${made}`, snippet: OLD })
  runner = await startRunner(live.server.ctx, { kinds: rolloutsJobs, recurring: [] })
})
afterEach(async () => {
  const open = (await call(api.listRollouts, {})).rollouts.filter(({ state }) => state === 'running')
  for (const { uuid } of open) await call(api.takeBackRollout, { uuid })
  await runner.stop()
})

const runProfile = async (name: string, outbounds: object[]) => {
  const config = nodeConfig([`VLESS_${name}_${made}`], { outbounds })
  live.profile = await call(api.createConfigProfile, { name: `${name}-${made}`, config })
}
/** Two nodes of two profiles that name the snippet, and one of a profile that does not. */
async function threeNodes() {
  await runProfile('one', [{ snippet: `out-${made}` }])
  const one = await live.connectedNode()
  await runProfile('two', [{ snippet: `out-${made}` }])
  const two = await live.connectedNode()
  const named = live.profile
  await runProfile('other', OLD)
  const other = await live.connectedNode()
  return { one, two, other, named, cores: [one, two, other].map(({ agent }) => agent.core?.id) }
}
const stored = async () => (await call(api.listSnippets, {})).snippets.find(({ name }) => name === `out-${made}`)
const outboundsOf = async (nodeUuid: string) => {
  const { id = 0 } = await call(api.getNode, { uuid: nodeUuid })
  return ((await findNodeConfig(live.server.ctx.db, id)) as { outbounds: unknown }).outbounds
}
const find = async (uuid: string) => (await call(api.listRollouts, {})).rollouts.find((rollout) => rollout.uuid === uuid)
const ended = (uuid: string, state: api.RolloutState) =>
  vi.waitFor(async () => expect(await find(uuid)).toMatchObject({ state }), WAIT)

it('SNIP-003 a changed snippet goes to one node first, then to the others, and no other node starts', async () => {
  const { one, two, other, named, cores } = await threeNodes()
  const { uuid = '' } = (await stored()) ?? {}
  const [{ id: creation } = { id: 0 }] = (await call(api.listHistory, { target: uuid, limit: 1 })).entries
  expect((await call(api.prepareSnippetRollout, { uuid })).nodes.map((node) => node.uuid)).toEqual([one.node.uuid, two.node.uuid])
  const rollout = await call(api.startSnippetRollout, { uuid, snippet: NEXT, reason: 'closed', firstNodeUuid: two.node.uuid })
  expect(rollout).toMatchObject({ profileUuid: uuid, profileName: `out-${made}`, isOfSnippet: true, state: 'running' })
  await until(() => two.agent.core?.id !== undefined && two.agent.core.id !== cores[1])
  expect([await outboundsOf(one.node.uuid), await outboundsOf(two.node.uuid)]).toEqual([OLD, NEXT])
  expect(one.agent.core?.id).toBe(cores[0])
  expect((await stored())?.snippet).toEqual(OLD)
  // What would get in its way waits.
  const another = { ...(named.config as object), log: { loglevel: 'error' } } // as created above
  for (const [method, url, body] of [
    ['PATCH', '/api/snippets', { name: `out-${made}`, snippet: NEXT }],
    ['DELETE', '/api/snippets', { name: `out-${made}` }],
    ['PATCH', '/api/config-profiles', { uuid: named.uuid, config: named.config }],
    ['DELETE', `/api/config-profiles/${named.uuid}`, undefined],
    ['POST', `/api/x/config-profiles/${named.uuid}/rollouts`, { config: another }],
    ['POST', `/api/x/history/${creation}/undo`, {}],
    ['POST', `/api/x/history/${creation}/plan`, {}],
  ] as const)
    expect([url, await live.server.send(method, url, body)]).toEqual([
      url,
      expect.objectContaining({ status: 409, body: expect.objectContaining({ message: expect.stringContaining('rolled out') }) }),
    ])
  const { problems } = await call(api.planChange, { saveSnippet: { name: `out-${made}`, snippet: NEXT } })
  expect(problems).toEqual([expect.stringContaining('is being rolled out')])
  await call(api.waiveRolloutProof, { uuid: rollout.uuid })
  await ended(rollout.uuid, 'done')
  expect((await stored())?.snippet).toEqual(NEXT)
  await until(() => one.agent.core?.id !== undefined && one.agent.core.id !== cores[0])
  expect([await outboundsOf(one.node.uuid), await outboundsOf(two.node.uuid)]).toEqual([NEXT, NEXT])
  const { revisions } = await call(api.listSnippetRevisions, { uuid })
  expect(revisions[0]).toMatchObject({ number: 2, reason: 'closed' })
  expect([other.agent.core?.id, await outboundsOf(other.node.uuid)]).toEqual([cores[2], OLD])
})

it('SNIP-003 taken back, its nodes run what they ran before, and the snippet holds what it held', async () => {
  const { two, cores } = await threeNodes()
  const { uuid = '' } = (await stored()) ?? {}
  const rollout = await call(api.startSnippetRollout, { uuid, snippet: NEXT, firstNodeUuid: two.node.uuid })
  await until(() => two.agent.core?.id !== undefined && two.agent.core.id !== cores[1])
  const ahead = two.agent.core?.id
  await call(api.takeBackRollout, { uuid: rollout.uuid })
  await until(() => two.agent.core?.id !== undefined && two.agent.core.id !== ahead)
  expect(await outboundsOf(two.node.uuid)).toEqual(OLD)
  expect((await stored())?.snippet).toEqual(OLD)
  expect((await call(api.getRolloutConfig, { uuid: rollout.uuid })).config).toEqual(NEXT)
  const same = await live.server.send('POST', `/api/x/snippets/${uuid}/rollouts`, { snippet: OLD })
  expect(same).toMatchObject({ status: 400, body: { message: 'The snippet holds this content already.' } })
})
