import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import * as api from '@causeway/contract'
import { makeFleet, type Fleet } from '../../../test/fleet.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser, setStatus } from '../../../test/users.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { runBatch } from '../../../test/jobs.ts'

let server: TestServer
let fleet: Fleet

beforeAll(async () => {
  server = await testServer()
  fleet = await makeFleet(server)
})
beforeEach(async () => {
  await server.ctx.db.deleteFrom('users').execute()
})
afterAll(() => server.close())

/** The next batch of the open job comes upon a change that is not committed yet, and ends after it is. */
async function batchDuring(change: (tx: Tx) => Promise<unknown>): Promise<void> {
  const { batch } = await server.ctx.db.transaction().execute(async (tx) => {
    await change(tx)
    const running = runBatch(server.ctx)
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
      `.execute(server.ctx.db)
      expect(rows).toHaveLength(1)
    })
    return { batch: running }
  })
  await batch
}

test('making everyone a member goes on when a user is deleted in the midst of it', async () => {
  const [goes, stays] = [await makeUser(server), await makeUser(server)]
  const squad = fleet.squads[0]?.uuid ?? ''
  const { jobId = '' } = await server.call(api.addUsersToInternalSquad, { uuid: squad })
  await batchDuring((tx) => tx.deleteFrom('users').where('uuid', '=', goes.uuid).execute())
  expect(await server.call(api.getJob, { id: jobId })).toMatchObject({ status: 'done', error: null })
  expect((await server.call(api.getUser, { uuid: stays.uuid })).activeInternalSquads).toMatchObject([{ uuid: squad }])
})

test('deleting by status spares a user who loses the status at that very moment', async () => {
  const [renewed, expired] = [await makeUser(server), await makeUser(server)]
  for (const { uuid } of [renewed, expired]) await setStatus(server, uuid, 'EXPIRED')
  const { jobId = '' } = await server.call(api.bulkDeleteUsersByStatus, { status: 'EXPIRED' })
  await batchDuring((tx) => tx.updateTable('users').set({ status: 'ACTIVE' }).where('uuid', '=', renewed.uuid).execute())
  expect(await server.call(api.getJob, { id: jobId })).toMatchObject({ status: 'done' })
  expect(await server.call(api.listUsers, {})).toMatchObject({ total: 1, users: [{ uuid: renewed.uuid }] })
})
