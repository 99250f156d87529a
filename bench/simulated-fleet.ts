// As many agents as LOAD_NODES says in one process of their own, with the protocol of ours; each moves bytes for its users.
import { agentPayload } from '@causeway/contract'
import { startSimulatedAgent, type SimulatedAgent } from '../scripts/seed/simulated-agent.ts'

const TICK_MS = 500
/** In this time each of the users that are online on a node moves something once: between two polls. */
const ROUND_MS = 15_000
const MB = 1_000_000

const { LOAD_PAYLOAD = '', LOAD_NODES = '0', LOAD_ONLINE = '0' } = process.env
const payload = agentPayload.parse(JSON.parse(LOAD_PAYLOAD))
const online = Number(LOAD_ONLINE)
const agents: SimulatedAgent[] = []
const places: { address: string; port: number }[] = []
for (let index = 0; index < Number(LOAD_NODES); index++) {
  const address = `127.2.${Math.floor(index / 250)}.${(index % 250) + 1}`
  const agent = await startSimulatedAgent({ payload, host: address, isOurs: true })
  agents.push(agent)
  places.push({ address, port: agent.port })
}

/** Nodes of a region have the same users: each of them is online on one node only. */
const perRegion = Number(process.env['LOAD_NODES_PER_REGION'] ?? 1)
let tick = 0
let moved = 0
const movers = new Set<string>()
/** Waits for the word where what is moved is to be known to the byte. */
let isMoving = process.env['LOAD_WAITS'] !== 'true'
setInterval(() => {
  if (!isMoving) return
  const ticks = ROUND_MS / TICK_MS
  const part = tick++ % ticks
  agents.forEach((agent, index) => {
    const users = agent.users()
    const first = (index % perRegion) * online
    for (let at = first + part; at < Math.min(first + online, users.length); at += ticks) {
      const user = users[at] ?? ''
      if (!agent.move(user, MB / 10, MB)) continue
      moved += MB / 10 + MB
      movers.add(user)
    }
  })
}, TICK_MS)

process.on('message', (word) => {
  isMoving = word === 'move' || (isMoving && word !== 'stop')
  if (word !== 'move') process.send?.({ moved, users: movers.size })
})
process.on('disconnect', () => process.exit(0))
process.send?.(places)
