import * as api from '@causeway/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'

// UNDO-007 as a property: over random changes and undos of few users, each column that is undone without a conflict is what it was
// before its entry; with a conflict it stays as it is.

const LATER = '2090-01-01T00:00:00.000Z'
const COLUMNS = ['tag', 'description', 'trafficLimitBytes', 'hwidDeviceLimit'] as const
type Column = (typeof COLUMNS)[number]
type State = Record<Column, unknown>

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
beforeEach(async () => {
  await server.ctx.db.deleteFrom('users').execute()
})
afterAll(() => server.close())

/** A small generator, so that a failure can be repeated by its seed. */
function randomOf(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const valueOf = (column: Column, number: number) =>
  column === 'tag' ? `T${number}` : column === 'description' ? `text ${number}` : number

async function stateOf(uuid: string): Promise<State> {
  const user = await server.call(api.getUser, { uuid })
  return {
    tag: user.tag,
    description: user.description,
    trafficLimitBytes: user.trafficLimitBytes,
    hwidDeviceLimit: user.hwidDeviceLimit,
  }
}

interface Made {
  id: number
  uuid: string
  before: Partial<State>
  after: Partial<State>
}

const newest = async () => (await server.call(api.listHistory, { limit: 1 })).entries[0]?.id ?? 0

test.each([1, 2, 3, 4, 5, 6])(
  'UNDO-007 changes and undos in any order keep what others changed since (seed %i)',
  async (seed) => {
    const random = randomOf(seed)
    const make = (username: string) =>
      server.call(api.createUser, { username, expireAt: LATER, tag: 'T0', description: 'text 0' })
    const users = [await make('ann'), await make('bob'), await make('cid')].map(({ uuid }) => uuid)
    const expected = new Map<string, State>()
    for (const uuid of users) expected.set(uuid, await stateOf(uuid))
    const open: Made[] = []
    for (let step = 1; step <= 25; step++) {
      const uuid = users[random(users.length)] ?? ''
      const now = expected.get(uuid)
      if (!now) throw new Error('Every user has a state.')
      if (random(3) > 0 || open.length === 0) {
        const columns = COLUMNS.filter(() => random(2) === 0)
        const after = Object.fromEntries(columns.map((column) => [column, valueOf(column, step)]))
        if (columns.length === 0) continue
        await server.call(api.updateUser, { uuid, ...after })
        const before = Object.fromEntries(columns.map((column) => [column, now[column]]))
        expected.set(uuid, { ...now, ...after })
        open.push({ id: await newest(), uuid, before, after })
      } else {
        const [chosen] = open.splice(random(open.length), 1)
        if (chosen) await undoAndExpect(chosen, expected)
      }
      for (const each of users) expect({ step, ...(await stateOf(each)) }).toEqual({ step, ...expected.get(each) })
    }
    // The rest, newest first.
    const left = open.toReversed()
    for (const made of left) await undoAndExpect(made, expected)
    for (const each of users) expect(await stateOf(each)).toEqual(expected.get(each))
  },
)

/** What an undo must do, written out: columns that still hold what the entry made of them go back, others stay. */
async function undoAndExpect({ id, uuid, before, after }: Made, expected: Map<string, State>): Promise<void> {
  const now = expected.get(uuid)
  if (!now) throw new Error('Every user has a state.')
  const isUnchanged = (column: Column) => now[column] === after[column]
  const back = COLUMNS.filter((column) => column in after && isUnchanged(column) && before[column] !== now[column])
  const conflicting = COLUMNS.filter((column) => column in after && !isUnchanged(column) && before[column] !== now[column])
  const plan = await server.call(api.planUndo, { id })
  expect(new Set(plan.conflicts.map(({ field }) => field))).toEqual(new Set(conflicting))
  const { status } = await server.send('POST', `/api/x/history/${id}/undo`, { fingerprint: plan.fingerprint })
  expect(status).toBe(back.length === 0 ? 409 : 200)
  expected.set(uuid, { ...now, ...Object.fromEntries(back.map((column) => [column, before[column]])) })
}
