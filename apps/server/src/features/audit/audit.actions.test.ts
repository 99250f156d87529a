import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import type { Caller } from '../../ctx.ts'
import { everyone } from '../../lib/scope.ts'
import { write } from './audit.actions.ts'
import { madeRows } from './rows.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ register: false })
})
afterAll(() => server.close())

const caller: Caller = {
  kind: 'apiToken',
  scope: everyone,
  uuid: '6b1f5c1e-0f2a-4c57-9d0e-2d9f3a1b7c10',
  name: 'bot',
  address: '203.0.113.7',
  userAgent: 'x',
  origin: null,
}
const rows = () => server.ctx.db.selectFrom('auditLog').selectAll().orderBy('id').execute()

test('a change and its record are one transaction: who, from where, what, before and after', async () => {
  const result = await write(server.ctx, caller, async (tx, record) => {
    const squad = await tx
      .insertInto('internalSquads')
      .values({ name: 'kept' })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow()
    record({
      action: 'createInternalSquad',
      target: squad.uuid,
      rows: madeRows('squad', [squad.id]),
      details: { method: 'test' },
    })
    return 'done'
  })
  expect(result).toBe('done')
  expect(await rows()).toMatchObject([
    {
      actorKind: 'apiToken',
      actorUuid: caller.uuid,
      actorName: 'bot',
      address: '203.0.113.7',
      action: 'createInternalSquad',
      before: {},
      after: { internalSquads: [{ name: 'kept' }] },
      details: { method: 'test' },
    },
  ])
})

test('a change that fails leaves neither itself nor a record', async () => {
  const before = (await rows()).length
  const failing = write(server.ctx, caller, async (tx, record) => {
    await tx.insertInto('internalSquads').values({ name: 'lost' }).execute()
    record({ action: 'createInternalSquad', target: 'lost' })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await rows()).toHaveLength(before)
  expect(await server.ctx.db.selectFrom('internalSquads').select('name').where('name', '=', 'lost').execute()).toEqual([])
})

test('two changes that wait for each other both come through, each recorded once', async () => {
  const names = ['one', 'other']
  await server.ctx.db
    .insertInto('internalSquads')
    .values(names.map((name) => ({ name })))
    .execute()
  const before = (await rows()).length
  let meeting = 0
  const change = ([first = '', second = '']: string[]) =>
    write(server.ctx, caller, async (tx, record) => {
      const touch = (name: string) =>
        tx.updateTable('internalSquads').set({ updatedAt: new Date() }).where('name', '=', name).execute()
      await touch(first)
      meeting++
      while (meeting < 2) await new Promise((resolve) => setTimeout(resolve, 5)) // until both hold their first
      await touch(second)
      record({ action: 'updateInternalSquad', target: second })
    })
  await Promise.all([change(names), change(names.toReversed())])
  const targets = (await rows()).slice(before).map((row) => row.target)
  expect(new Set(targets)).toEqual(new Set(names))
  expect(targets).toHaveLength(2)
})
