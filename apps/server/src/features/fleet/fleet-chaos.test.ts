import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import * as api from '@causeway/contract'
import { liveFleet, QUICK, until } from '../../../test/live-fleet.ts'
import { openAgents } from '../../ground/agents.ts'
import { startFleet } from './fleet.jobs.ts'

const live = liveFleet()
const STEPS = 120
const PAUSE_MS = 30
/** Pauses between attempts grow, so that it may take a while until all is well again. */
const TIMEOUT_MS = 120_000

/** Numbers that look random and are the same for the same seed, so that a failure can be repeated. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

it.each([1, 7])(
  'lost answers, dead cores, restarts, absences, stolen leases and two servers lose nothing and count nothing twice (seed %d)',
  { timeout: TIMEOUT_MS },
  async (seed) => {
    const roll = dice(seed)
    const second = { ...live.server.ctx, agents: openAgents(live.server.ctx.secrets) }
    const other = startFleet(second, QUICK)
    onTestFinished(async () => {
      await other.stop()
      await second.agents.close()
    })
    const places = await Promise.all([live.connectedNode(), live.connectedNode()])
    const ports = places.map(({ agent }) => agent.port)
    const names = ['ann', 'ben', 'cid']
    const users = await Promise.all(names.map((name) => live.makeUser(name)))
    await until(() => places.every(({ agent }) => agent.usersOf('VLESS_A').length === names.length))
    const sent = new Map(names.map((name) => [name, 0]))
    const sentByNode = places.map(() => 0)

    for (let step = 0; step < STEPS; step++) {
      const place = roll(places.length)
      const agent = places[place]?.agent
      if (!agent) throw new Error('an agent expected')
      const name = names[roll(names.length)] ?? ''
      const bytes = roll(100_000)
      switch (roll(11)) {
        case 0:
          agent.lostReplies.add(['/node/x/sample', '/node/xray/start', '/node/x/users', '/node/xray/healthcheck'][roll(4)] ?? '')
          break
        case 1:
          agent.killCore()
          break
        case 2:
          await agent.close()
          break
        case 3:
          await live.server.call(api.restartAllNodes, { forceRestart: true })
          break
        case 4:
          // As if a third server had taken the node and died at once.
          await sql`update "nodeLeases" set "owner" = 'ghost', "generation" = "generation" + 1, "expiresAt" = now() + interval '200 ms'`.execute(
            live.server.ctx.db,
          )
          break
        case 5:
          agent.lostReplies.clear()
          if (!agent.isListening) await agent.listen(ports[place])
          break
        case 6:
          await live.server.call(api.updateNode, {
            uuid: places[place]?.node.uuid ?? '',
            name: `renamed ${step}`,
            port: ports[place] ?? 1,
          })
          break
        default:
          if (!agent.core) break
          agent.transfer(name, bytes, bytes)
          sent.set(name, (sent.get(name) ?? 0) + 2 * bytes)
          sentByNode[place] = (sentByNode[place] ?? 0) + 2 * bytes
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }

    for (const [place, { agent }] of places.entries()) {
      agent.lostReplies.clear()
      if (!agent.isListening) await agent.listen(ports[place])
    }
    for (const { node } of places) await live.connected(node.uuid)
    await until(async () => {
      const booked = await Promise.all(places.map(async ({ node }) => (await live.getNode(node.uuid)).trafficUsedBytes))
      return booked.join() === sentByNode.join()
    })
    const used = await Promise.all(users.map((user) => live.usedBytes(user.uuid)))
    expect(used).toEqual(names.map((name) => sent.get(name)))
  },
)
