import type { AgentPayload } from '@causeway/contract'
import { TROUBLED_NODES } from './fleet.ts'
import { startSimulatedAgent, type SimulatedAgent } from './simulated-agent.ts'

const TICK_MS = 1000
/** How many users of each node move something in each second. */
const BUSY_USERS = 6
const MB = 1_000_000

interface DemoNode {
  id: number
  address: string
  port: number
}

/** Simulated agents on addresses of the loopback, with users who browse and watch; some nodes stay silent. */
export async function startDemoFleet(nodes: { id: number }[], payload: AgentPayload): Promise<DemoNode[]> {
  const started: DemoNode[] = []
  const agents: SimulatedAgent[] = []
  for (const { id } of nodes) {
    const address = `127.0.1.${id}`
    if (TROUBLED_NODES.has(id)) {
      started.push({ id, address, port: 2222 })
      continue
    }
    const agent = await startSimulatedAgent({ payload, host: address, isOurs: true })
    agents.push(agent)
    started.push({ id, address, port: agent.port })
  }
  setInterval(() => agents.forEach(live), TICK_MS).unref()
  return started
}

/** A few users of a node load a page or a piece of a film; the same ones for about a minute. */
function live(agent: SimulatedAgent): void {
  const users = agent.users()
  if (users.length === 0) return
  const minute = Math.floor(Date.now() / 60_000)
  for (let busy = 0; busy < BUSY_USERS; busy++) {
    const at = (minute * 7919 + agent.port * 31 + busy * 104_729 + Math.floor(Math.random() * 3)) % users.length
    const downlink = Math.round(Math.random() ** 3 * 8 * MB)
    agent.move(users[at] ?? '', Math.round(downlink / 12), downlink)
  }
}
