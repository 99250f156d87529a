import { describe, expect, it } from 'vitest'
import * as api from '@causeway/contract'
import { liveFleet, until } from '../../../test/live-fleet.ts'

const live = liveFleet()

/** What the audit says of the last edit of a node. */
async function lastEdit(): Promise<unknown> {
  const { details } = await live.server.ctx.db
    .selectFrom('auditLog')
    .select('details')
    .where('action', '=', 'updateNode')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return details
}

describe.each(['own', '2.1'] as const)('a node of generation %s that is looked for elsewhere', (generation) => {
  it('is read and stopped at its old address before it is looked for at another', async () => {
    const { agent, node } = await live.connectedNode({ generation })
    const user = await live.makeUser('moving')
    await until(() => agent.usersOf('VLESS_A').length === 1)
    agent.transfer('moving', 0, 77)
    const next = await live.startAgent({ generation })
    await live.server.call(api.updateNode, { uuid: node.uuid, port: next.port })
    expect(agent.core).toBeNull()
    expect(await live.usedBytes(user.uuid)).toBe(77)
    await until(() => next.usersOf('VLESS_A').length === 1)
    await live.connected(node.uuid)
    next.transfer('moving', 3, 0)
    await until(async () => (await live.usedBytes(user.uuid)) === 80)
    expect((await live.getNode(node.uuid)).warning).toBeNull()
    expect(await lastEdit()).toMatchObject({ leftAddress: `${node.address}:${agent.port}`, coreThere: 'stopped' })
  })

  it('says that its old address does not answer, and stands at the new one all the same', async () => {
    const { agent, node } = await live.connectedNode({ generation })
    await agent.close()
    const next = await live.startAgent({ generation })
    await live.server.call(api.updateNode, { uuid: node.uuid, port: next.port })
    const where = `${node.address}:${agent.port}`
    expect((await live.getNode(node.uuid)).warning).toMatch(`The core at the old address ${where} could not be stopped`)
    expect(await lastEdit()).toMatchObject({ leftAddress: where, coreThere: expect.stringContaining('refused the connection') })
    await live.connected(node.uuid)
    await until(() => next.core !== null)
    expect(agent.core).not.toBeNull()
  })

  it('keeps its core when it is refused another address', async () => {
    const { agent, node } = await live.connectedNode({ generation })
    const other = await live.makeNode(agent)
    const { core } = agent
    await expect(live.server.call(api.updateNode, { uuid: node.uuid, address: other.address })).rejects.toThrow('400')
    expect(agent.core).toBe(core)
  })
})

it('a node that only gets another address of the same machine keeps its core', async () => {
  const { agent, node } = await live.connectedNode()
  const { core } = agent
  await live.server.call(api.updateNode, { uuid: node.uuid, address: '127.0.0.251' })
  await live.connected(node.uuid)
  expect(agent.core).toBe(core)
  expect(await lastEdit()).toMatchObject({ coreThere: 'kept' })
})
