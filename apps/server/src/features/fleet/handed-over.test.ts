import { expect, it } from 'vitest'
import { agentApi } from '@causeway/contract'
import { liveFleet, QUICK, until } from '../../../test/live-fleet.ts'
import { FOREIGN_CONFIG } from './connection.rules.ts'
import { startFleet } from './fleet.jobs.ts'

const live = liveFleet()

it.each(['2.1', 'own'] as const)(
  'MOVE-004 the core of an imported node, with an agent of the generation %s, goes on, and each of its bytes counts once',
  async (generation) => {
    const { agent, node } = await live.connectedNode({ generation })
    const stays = await live.makeUser('stays')
    await live.makeUser('leaves')
    await until(() => agent.usersOf('VLESS_A').length === 2)
    await live.fleet?.stop()
    // As an import leaves it: nothing is known of the node but that its core ran. One user was deleted meanwhile.
    const { db } = live.server.ctx
    for (const table of ['acknowledgedUsers', 'counterBaselines', 'deliveries', 'bookedCores', 'nodeStates'] as const)
      await db.deleteFrom(table).execute()
    await db
      .insertInto('nodeStates')
      .columns(['nodeId', 'runningConfigHash'])
      .expression(db.selectFrom('nodes').select((eb) => ['id', eb.val(FOREIGN_CONFIG).as('hash')]))
      .execute()
    await db.deleteFrom('users').where('username', '=', 'leaves').execute()
    const { core } = agent
    agent.transfer('stays', 100, 200)
    const starts = agent.callsTo(agentApi.start.path)
    live.fleet = startFleet(live.server.ctx, QUICK)
    await live.connected(node.uuid)
    await until(() => agent.usersOf('VLESS_A').length === 1)
    await until(async () => (await live.usedBytes(stays.uuid)) === 300)
    agent.transfer('stays', 1, 2)
    await until(async () => (await live.usedBytes(stays.uuid)) === 303)
    expect([agent.callsTo(agentApi.start.path), agent.core === core]).toEqual([starts, true])
    // Our agent names the configuration that its core runs; of the other it is not known.
    await until(async () => (await live.getNode(node.uuid)).closingRule?.isDelivered === (generation === 'own'))
  },
)
