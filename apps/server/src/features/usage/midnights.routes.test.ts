import * as api from '@causeway/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { dayIn, startOfDay } from '../../lib/days.ts'
import { chargeNode } from '../traffic/ledger.queries.ts'
import { counterName } from '../traffic/ledger.rules.ts'

let server: TestServer
let nodeId: number
beforeAll(async () => {
  server = await testServer()
  const made = await server.ctx.db.insertInto('nodes').values({ name: 'one', address: 'one' }).returning('id').executeTakeFirst()
  nodeId = made?.id ?? 0
  await server.ctx.db.insertInto('nodeStates').values({ nodeId }).execute()
})
afterAll(() => server.close())
beforeEach(async () => {
  for (const table of ['nodeUsageQuarters', 'nodeUsageDays'] as const) await server.ctx.db.deleteFrom(table).execute()
})

const MINUTE_MS = 60_000
const BYTES = 1024 ** 2

function book(at: Date, mib: number): Promise<void> {
  const outbound = { counter: counterName('outbound', 'DIRECT'), uplink: 0, downlink: mib * BYTES }
  return server.ctx.db.transaction().execute((tx) => chargeNode(tx, nodeId, [outbound], { at, most: Number.MAX_SAFE_INTEGER }))
}

// Half an hour, a quarter and whole hours from UTC; the installation goes by the zone, or by UTC while a caller asks for it.
test.each(['Asia/Tehran', 'Asia/Kolkata', 'Asia/Yangon', 'Asia/Kathmandu', 'Pacific/Chatham', 'UTC', 'America/St_Johns'])(
  'HOME-008 HOME-011 NSTAT-004 NSTAT-012 in %s what moves at midnight counts for the day it moves on, in every figure',
  async (zone) => {
    const midnight = startOfDay(zone, 2026, 11, 22)
    const at = (minutes: number) => new Date(midnight.getTime() + minutes * MINUTE_MS)
    const today = dayIn(zone, midnight)
    await server.call(api.updateInstallation, { timeZone: zone })
    // Powers of two tell what was counted.
    for (const [place, minutes] of [-40, -16, -1, 0, 1, 16].entries()) await book(at(minutes), 2 ** place)
    server.clock.now = at(20)

    const { days, nodes } = await server.call(api.listNodesUsageByDay, { days: 7 })
    expect([days.at(-2), days.at(-1)]).toEqual([dayIn(zone, at(-1)), today])
    expect(nodes[0]?.bytes.slice(-2)).toEqual([7 * BYTES, 56 * BYTES])
    const range = { start: at(-10 * 1440).toISOString(), end: at(1440).toISOString() }
    const rows = await server.call(api.listNodesUsage, range)
    expect(rows.map(({ date, total }) => [date.slice(0, 10), total])).toEqual([
      [dayIn(zone, at(-1)), 7 * BYTES],
      [today, 56 * BYTES],
    ])
    const { lastSevenDays } = await server.call(api.getNodesStatistics, { tz: zone })
    expect(lastSevenDays.map(({ totalBytes }) => Number(totalBytes))).toEqual([7 * BYTES, 56 * BYTES])
    for (const installation of [zone, 'UTC']) {
      await server.call(api.updateInstallation, { timeZone: installation })
      const { bandwidthLastTwoDays: two } = await server.call(api.getBandwidthStats, { tz: zone })
      expect([installation, two.current]).toEqual([installation, '56.00 MiB'])
      const history = await server.call(api.getUsageHistory, { period: 'week', tz: zone })
      expect(history.nodes[0]?.bytes.slice(-2)).toEqual([7 * BYTES, 56 * BYTES])
    }
    server.clock.now = undefined
  },
)
