import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import * as api from '@causeway/contract'
import { liveFleet, QUICK, until, WAIT } from '../../../test/live-fleet.ts'
import { startFleet } from './fleet.jobs.ts'

const live = liveFleet()

it('a lease that a clock gave which has been set back since does not keep a node from being looked after', async () => {
  const { agent, node } = await live.connectedNode()
  const { db } = live.server.ctx
  await sql`insert into "fleetServers" ("owner", "expiresAt") values ('dead', now() + interval '3 hours')`.execute(db)
  await sql`update "nodeLeases" set "owner" = 'dead', "generation" = "generation" + 1, "expiresAt" = now() + interval '3 hours'`.execute(
    db,
  )
  await live.makeUser('ann')
  await until(() => agent.usersOf('VLESS_A').includes('ann'))
  await live.connected(node.uuid)
  await db.deleteFrom('fleetServers').where('owner', '=', 'dead').execute()
})

it('what was postponed by such a clock is told at once', async () => {
  const { agent } = await live.connectedNode()
  const { db } = live.server.ctx
  const { uuid } = await live.makeUser('ben')
  await until(() => agent.usersOf('VLESS_A').includes('ben'))
  await live.fleet?.stop()
  await live.server.call(api.disableUser, { uuid })
  await sql`insert into "deliveries" ("nodeId", "username", "nextAttemptAt") select "id", 'ben', now() + interval '3 hours' from "nodes"`.execute(
    db,
  )
  await db.deleteFrom('changedUsers').execute()
  live.fleet = startFleet(live.server.ctx, QUICK)
  await vi.waitFor(() => expect(agent.usersOf('VLESS_A')).not.toContain('ben'), WAIT)
})
