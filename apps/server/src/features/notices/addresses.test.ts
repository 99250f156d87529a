import * as api from '@causeway/contract'
import { expect, test } from 'vitest'
import { liveFleet } from '../../../test/live-fleet.ts'
import { reviewUsersForNotices } from './notices.jobs.ts'

// With simulated agents; what our agent reads of the core is tested with the real core.

const live = liveFleet({ OUTGOING_PRIVATE_HOSTS: '127.0.0.1' })

test('NOTE-002 an account used from many addresses at once is told of once a day, as nodes count them together', async () => {
  const { ctx } = live.server
  const start = new Date()
  live.server.clock.now = start
  const [first, second] = [await live.connectedNode(), await live.connectedNode()]
  await live.connectedNode({ generation: '2.1' }) // cannot tell
  for (const name of ['ann', 'ben', 'cleo']) await live.makeUser(name)
  first.agent.connected.set('ann', ['198.51.100.1', '198.51.100.2'])
  second.agent.connected.set('ann', ['198.51.100.2', '198.51.100.3'])
  // One phone on both nodes, and one with three addresses of its own network.
  first.agent.connected.set('ben', ['198.51.100.4', '198.51.100.5'])
  second.agent.connected.set('ben', ['198.51.100.4'])
  second.agent.connected.set('cleo', ['2001:db8::1', '2001:db8::2', '2001:db8::3'])
  const reach = await live.server.call(api.countAddressNodes, {})
  expect(reach).toEqual({ able: 2, total: 3 })
  const way = await live.server.call(api.createNoticeWay, { webhook: { url: 'http://127.0.0.1:9/' } })
  await live.server.call(api.createNoticeRule, { condition: 'manyAddresses', amount: 3, ways: [way.uuid] })
  const told = () => ctx.db.selectFrom('notices').select(['text', 'facts']).orderBy('id').execute()
  const review = async (hours: number) => {
    live.server.clock.now = new Date(start.getTime() + hours * 3_600_000)
    await reviewUsersForNotices(ctx)
    return (await told()).map(({ text, facts }) => {
      const { name, count } = facts as { name: string; count: number } // of this condition
      return [text, name, count]
    })
  }

  expect(await review(0)).toEqual([['manyAddresses', 'ann', 3]])
  const from = first.agent.connected.get('ann') ?? []
  first.agent.connected.set('ann', [])
  expect(await review(1)).toHaveLength(1)
  first.agent.connected.set('ann', [...from, '198.51.100.9'])
  expect(await review(2)).toHaveLength(1)
  first.agent.connected.set('ann', [])
  expect(await review(25)).toHaveLength(1)
  first.agent.connected.set('ann', [...from, '198.51.100.9'])
  expect(await review(26)).toEqual([
    ['manyAddresses', 'ann', 3],
    ['manyAddresses', 'ann', 4],
  ])
  const stored = await ctx.db.selectFrom('notices').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain('198.51.100')
  live.server.clock.now = undefined // sessions have ended meanwhile
})
