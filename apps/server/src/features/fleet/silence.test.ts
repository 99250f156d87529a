import { agentApi } from '@causeway/contract'
import { expect, it, vi } from 'vitest'
import { startFleet } from './fleet.jobs.ts'
import { SILENT } from './silence.actions.ts'
import { liveFleet, QUICK, until, WAIT } from '../../../test/live-fleet.ts'

// An agent that hangs, as one that got SIGSTOP: its system takes connections, and it answers nothing.

const live = liveFleet()
const PATIENCE_MS = 400
const EVERY_PATH = Object.values(agentApi).map(({ path }) => path)

async function impatientFleet() {
  await live.fleet?.stop()
  live.fleet = startFleet(live.server.ctx, { ...QUICK, patienceMs: PATIENCE_MS })
}

it.each(['own', '2.1'] as const)(
  'of the generation %s is noticed after three patiences, and served again once it goes on',
  async (generation) => {
    await impatientFleet()
    const { agent, node } = await live.connectedNode({ generation })
    const bystander = await live.connectedNode({ generation })
    const core = agent.core?.id
    for (const path of EVERY_PATH) agent.hanging.add(path)
    const hungAt = performance.now()
    await vi.waitFor(
      async () => expect(await live.getNode(node.uuid)).toMatchObject({ isConnected: false, isNodeOnline: false }),
      { ...WAIT, timeout: 10_000 },
    )
    expect(performance.now() - hungAt).toBeLessThan(10_000)
    expect((await live.getNode(node.uuid)).lastStatusMessage).toBe(SILENT)
    expect((await live.getNode(bystander.node.uuid)).isConnected).toBe(true)
    agent.hanging.clear()
    await agent.close()
    await agent.listen(agent.port) // requests that hang are answered late, or never
    await live.connected(node.uuid)
    expect(agent.core?.id).toBe(core)
  },
)

it('is told from one that is slow: a call goes on for as long as the agent is healthy', async () => {
  await impatientFleet()
  const { agent, node } = await live.connectedNode()
  agent.hanging.add(agentApi.takeSample.path)
  const before = agent.callsTo(agentApi.healthcheck.path)
  await until(() => agent.callsTo(agentApi.healthcheck.path) >= before + 4)
  expect(await live.getNode(node.uuid)).toMatchObject({ isConnected: true, lastStatusMessage: null })
})
