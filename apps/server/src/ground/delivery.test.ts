import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeFleet, type Fleet } from '../../test/fleet.ts'
import { testServer, type TestServer } from '../../test/server.ts'
import { makeUser } from '../../test/users.ts'
import { handOutChanges, queueForNodes } from './delivery.queries.ts'

let server: TestServer
let fleet: Fleet
beforeAll(async () => {
  server = await testServer()
  fleet = await makeFleet(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  const { pool } = server.ctx
  await pool.query('truncate "users", "acknowledgedUsers", "deliveries", "changedUsers" cascade')
  await pool.query('update "nodeStates" set "isSettling" = false')
})

/** A member of these squads; the first squad leads to the node Alpha alone, the second to both. */
function makeMember(username: string, squads: number[], status: 'ACTIVE' | 'DISABLED' = 'ACTIVE') {
  return makeUser(server, { username, status, activeInternalSquads: squads.map((squad) => fleet.squads[squad]?.uuid ?? '') })
}

async function acknowledge(node: number, username: string, tags: string[]): Promise<void> {
  const vlessUuid = '6b6a4a0c-5d6e-4b7a-9d67-0f8d2c9f1a01'
  const values = { nodeId: fleet.nodes[node]?.id ?? 0, username, userId: 1, vlessUuid, tags }
  await server.ctx.db.insertInto('acknowledgedUsers').values(values).execute()
}

const change = (...usernames: string[]) => server.ctx.db.transaction().execute((tx) => queueForNodes(tx, usernames))

/** Which node is to be told of whom: "Alpha: anna". */
async function handedOut(): Promise<string[]> {
  const { db } = server.ctx
  await handOutChanges(db)
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('nodes', 'nodes.id', 'deliveries.nodeId')
    .select(['nodes.name', 'username'])
    .execute()
  return rows.map(({ name, username }) => `${name}: ${username}`).toSorted()
}

it('a change is handed out to the nodes that should have the user or have one of this name, and to no other', async () => {
  await makeMember('anna', [0])
  await makeMember('Both', [1])
  await makeMember('nobody', [])
  await makeMember('off', [1], 'DISABLED')
  await acknowledge(1, 'off', ['VLESS'])
  await acknowledge(1, 'deleted', ['TROJAN'])
  await acknowledge(0, 'emptied', [])
  await change('anna', 'Both', 'nobody', 'off', 'deleted', 'emptied')
  expect(await handedOut()).toEqual(['Alpha: Both', 'Alpha: anna', 'Beta: Both', 'Beta: deleted', 'Beta: off'])
  expect(await server.ctx.db.selectFrom('changedUsers').selectAll().execute()).toEqual([])
})

it('names differ by their case, as they do for Xray', async () => {
  await makeMember('anna', [0])
  await acknowledge(1, 'Anna', ['VLESS'])
  await change('anna')
  expect(await handedOut()).toEqual(['Alpha: anna'])
})

it('a node that is being settled gets every change, since what it is compared with may be older', async () => {
  await makeMember('anna', [0])
  await server.ctx.db
    .updateTable('nodeStates')
    .set({ isSettling: true })
    .where('nodeId', '=', fleet.nodes[1]?.id ?? 0)
    .execute()
  await change('anna')
  expect(await handedOut()).toEqual(['Alpha: anna', 'Beta: anna'])
})

it('who is being told of a user is told again, as what it was told may be older', async () => {
  await makeMember('anna', [])
  const task = { nodeId: fleet.nodes[1]?.id ?? 0, username: 'anna', attempts: 3, lastError: 'It did not answer.' }
  await server.ctx.db.insertInto('deliveries').values(task).execute()
  await change('anna')
  expect(await handedOut()).toEqual(['Beta: anna'])
  const [again] = await server.ctx.db.selectFrom('deliveries').select(['ticket', 'attempts', 'lastError']).execute()
  expect(again).toEqual({ ticket: 1, attempts: 0, lastError: null })
})

it('nothing is handed out of a change that is undone, and each change once however many hand out at a time', async () => {
  const names = Array.from({ length: 450 }, (_, index) => `user-${index}`)
  for (const name of names) await acknowledge(0, name, ['VLESS'])
  await change(...names)
  const undone = server.ctx.db.transaction().execute(async (tx) => {
    await queueForNodes(tx, ['user-0'])
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await Promise.all([handOutChanges(server.ctx.db), handOutChanges(server.ctx.db)])
  const rows = await server.ctx.db.selectFrom('deliveries').select(['username', 'ticket']).execute()
  expect(rows.map(({ username }) => username).toSorted()).toEqual(names.toSorted())
  expect(rows.every(({ ticket }) => ticket === 0)).toBe(true)
})
