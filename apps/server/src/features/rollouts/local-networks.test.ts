import * as api from '@causeway/contract'
import { closesLocalNetworks } from '@causeway/xray'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { liveFleet, nodeConfig, WAIT } from '../../../test/live-fleet.ts'
import { UNKNOWN } from '../../../test/users.ts'
import { startRunner } from '../../jobs/runner.ts'
import { rolloutsJobs } from './rollouts.jobs.ts'

// Profiles from before new ones began with a rule that keeps subscribers out of the node's own networks.

const live = liveFleet({ ROLLOUT_WATCH_SECONDS: '1' })
const call: typeof live.server.call = (endpoint, input) => live.server.call(endpoint, input)
let runner: { stop(): Promise<void> }
let made = 0

beforeEach(async () => {
  made++
  for (const { uuid } of (await call(api.listConfigProfiles, {})).configProfiles) await call(api.deleteConfigProfile, { uuid })
  const config = nodeConfig([`VLESS_${made}`, `TROJAN_${made}`], { dns: { servers: ['1.1.1.1'] } })
  live.profile = await call(api.createConfigProfile, { name: `open-${made}`, config })
  runner = await startRunner(live.server.ctx, { kinds: rolloutsJobs, recurring: [] })
})
afterEach(() => runner.stop())

const open = async () => (await call(api.listOpenProfiles, {})).profiles.map(({ name }) => name)
const close = (uuid = live.profile.uuid) =>
  live.server.send('POST', `/api/x/config-profiles/${uuid}/actions/close-local-networks`, {})
const read = async (uuid: string) => (await call(api.getConfigProfile, { uuid })).config as Record<string, unknown>

it('are told of and closed by one call: one node first, then the others, and other profiles stay as they are', async () => {
  const other = await call(api.createConfigProfile, { name: `other-${made}`, config: nodeConfig([`VLESS_OTHER_${made}`]) })
  const [one, two] = [await live.connectedNode(), await live.connectedNode()]
  for (const { agent } of [one, two]) agent.beforeSample = () => agent.transfer('ann', 10, 10)
  await live.server.ctx.db.updateTable('nodeStates').set({ usersOnline: 0 }).execute()
  expect(await open()).toEqual([`open-${made}`, `other-${made}`])

  const { rollout } = await call(api.closeLocalNetworks, { uuid: live.profile.uuid })
  expect(rollout).toMatchObject({
    state: 'running',
    reason: 'Local networks of the nodes closed to subscribers',
    actorName: 'admin',
  })
  expect(rollout?.nodes.map(({ wave }) => wave)).toEqual([1, 2])
  // A profile that a roll-out is changing needs nothing more.
  expect(await open()).toEqual([`other-${made}`])
  expect((await close()).status).toBe(409)
  await call(api.waiveRolloutProof, { uuid: rollout?.uuid ?? '' })
  await vi.waitFor(async () => expect((await call(api.listRollouts, {})).rollouts).toMatchObject([{ state: 'done' }]), WAIT)

  const config = await read(live.profile.uuid)
  expect(closesLocalNetworks(config)).toBe(true)
  expect(config).toMatchObject({ dns: { servers: ['1.1.1.1'] }, inbounds: [{ tag: `VLESS_${made}` }, { tag: `TROJAN_${made}` }] })
  expect(await read(other.uuid)).toEqual(other.config)
  expect(await open()).toEqual([`other-${made}`])
})

it('without a connected node the profile is saved at once', async () => {
  expect(await call(api.closeLocalNetworks, { uuid: live.profile.uuid })).toEqual({ rollout: null })
  expect(closesLocalNetworks(await read(live.profile.uuid))).toBe(true)
  expect(await open()).toEqual([])
  const { revisions } = await call(api.listProfileRevisions, { uuid: live.profile.uuid })
  expect(revisions[0]).toMatchObject({ number: 2, reason: 'Local networks of the nodes closed to subscribers' })
})

it('what is closed already, or unknown, is refused', async () => {
  await call(api.closeLocalNetworks, { uuid: live.profile.uuid })
  expect((await close()).status).toBe(400)
  expect((await close(UNKNOWN)).status).toBe(404)
})
