import { createHash } from 'node:crypto'
import * as api from '@causeway/contract'
import { agentApi, AGENT_CAPABILITIES } from '@causeway/contract'
import { expect, it } from 'vitest'
import type { FakeAgent } from '../../../test/fake-agent.ts'
import { geositeFile } from '../../../test/geo.ts'
import { liveFleet, until } from '../../../test/live-fleet.ts'
import { requestPart } from '../../ground/delivery.queries.ts'

const live = liveFleet()

const upload = (...lists: string[]) => {
  const content = geositeFile(...lists)
  return live.server.call(api.uploadGeoFile, {
    name: 'geosite.dat',
    bytes: content.length,
    offset: 0,
    content: content.toString('base64'),
  })
}
const carried = async () => (await live.server.call(api.getGeoFiles, {})).version ?? ''

/** Takes geo files in pieces, and says which it has. `next` is the version in the package that comes. */
function takeGeoFiles(agent: FakeAgent, next: string) {
  const state = { version: '', digest: '', package: Buffer.alloc(0), received: Buffer.alloc(0), next }
  const answer = (response: unknown) => JSON.stringify({ response })
  const health = () => ({
    isAlive: true,
    xrayInternalStatusCached: agent.core !== null,
    xrayVersion: '25.8.3',
    capabilities: [...AGENT_CAPABILITIES],
    geoVersion: state.version,
  })
  const held = { version: '1', digest: null }
  agent.forged.set(agentApi.healthcheck.path, () => answer(health()))
  agent.forged.set(agentApi.getParts.path, () =>
    answer({
      processor: 'x64',
      agent: held,
      core: held,
      geo: { version: state.version, digest: state.digest || null },
      isCoreFixed: false,
      refused: null,
    }),
  )
  agent.forged.set(agentApi.sendPiece.path, (body) => {
    const { offset, data } = agentApi.sendPiece.body.parse(JSON.parse(body))
    state.package = Buffer.concat([state.package.subarray(0, offset), Buffer.from(data, 'base64')])
    return answer({ received: state.package.length, error: null })
  })
  agent.forged.set(agentApi.usePart.path, (body) => {
    const { digest } = agentApi.usePart.body.parse(JSON.parse(body))
    Object.assign(state, { digest, version: state.next, package: Buffer.alloc(0), received: state.package })
    return answer({ error: null })
  })
  return state
}

it('JOIN-010 a node that joins gets geo files before its core starts, and later ones when it is asked to', async () => {
  await upload('ADS')
  const first = await carried()
  const { agent: older } = await live.connectedNode()
  const agent = await live.startAgent()
  const state = takeGeoFiles(agent, first)
  const node = await live.makeNode(agent)
  await live.connected(node.uuid)
  const order = [agentApi.usePart.path, agentApi.start.path].map((path) => agent.calls.indexOf(path))
  expect(order).toEqual(order.toSorted((one, other) => one - other))
  expect(order[0]).toBeGreaterThan(0)
  expect(createHash('sha256').update(state.received).digest('hex')).toBe(state.digest)
  const versions = async () =>
    (await live.server.call(api.getNodeUpdates, {})).nodes.map(({ uuid, geoVersion }) => (uuid === node.uuid ? geoVersion : null))
  expect(await versions()).toContain(first)

  await upload('ADS', 'CN')
  const second = await carried()
  state.next = second
  const { db } = live.server.ctx
  const { id } = await db.selectFrom('nodes').select('id').where('uuid', '=', node.uuid).executeTakeFirstOrThrow()
  await db.transaction().execute((tx) => requestPart(tx, [id], 'geo', { isReturned: false }))
  await until(async () => (await versions()).includes(second))
  expect(second).not.toBe(first)
  // An agent that takes none serves as before.
  expect(older.callsTo(agentApi.sendPiece.path)).toBe(0)
})
