import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser } from '../../../test/users.ts'

const NOW = new Date('2026-03-05T10:30:00Z')
const MIB = 1024 ** 2
let server: TestServer
let nodes: { id: number; uuid: string; name: string }[]
let user: api.User

beforeAll(async () => {
  server = await testServer()
  user = await makeUser(server, { username: 'consumer' })
  const { db } = server.ctx
  const provider = await db.insertInto('infraProviders').values({ name: 'Hoster' }).returning('id').executeTakeFirstOrThrow()
  nodes = await db
    .insertInto('nodes')
    .values([
      { name: 'one', address: 'one.example', countryCode: 'DE', providerId: provider.id },
      { name: 'two', address: 'two.example' },
      { name: 'idle', address: 'idle.example' },
    ])
    .returning(['id', 'uuid', 'name'])
    .execute()
  await db
    .insertInto('nodeStates')
    .values(nodes.map((node) => ({ nodeId: node.id })))
    .execute()
  const [one, two] = ids()
  const moved = (nodeId: number, at: string, uploadBytes: number, downloadBytes: number, updatedAt = at) => ({
    nodeId,
    quarter: at,
    uploadBytes,
    downloadBytes,
    updatedAt,
  })
  await db
    .insertInto('nodeUsageQuarters')
    .values([
      moved(one, '2026-03-05T10:00:00Z', 100, 800, '2026-03-05T10:00:10Z'),
      moved(two, '2026-03-05T10:00:00Z', 1000, 5000, '2026-03-05T10:00:20Z'),
      moved(one, '2026-03-05T00:00:00Z', MIB, 0),
      moved(one, '2026-03-04T22:00:00Z', 2 * MIB, 2 * MIB),
      moved(one, '2025-06-01T00:00:00Z', 0, 1024 * MIB),
    ])
    .execute()
  await db
    .insertInto('nodeTagUsage')
    .values([
      { nodeId: one, direction: 'outbound', tag: 'DIRECT', uploadBytes: 1536, downloadBytes: MIB },
      { nodeId: one, direction: 'inbound', tag: 'B', uploadBytes: 1, downloadBytes: 0 },
      { nodeId: one, direction: 'inbound', tag: 'A', uploadBytes: 1, downloadBytes: 0 },
    ])
    .execute()
  await db
    .insertInto('userNodeUsage')
    .columns(['day', 'nodeId', 'userId', 'uploadBytes', 'downloadBytes'])
    .expression((from) =>
      from
        .selectFrom('users')
        .select((row) => [row.val('2026-03-05').$castTo<string>().as('day'), row.val(one).as('nodeId'), 'users.id'])
        .select((row) => [row.val(7).as('uploadBytes'), row.val(70).as('downloadBytes')]),
    )
    .execute()
  server.clock.now = NOW
})
afterAll(() => server.close())

function ids(): [number, number] {
  const [one, two] = nodes
  if (!one || !two) throw new Error('two nodes expected')
  return [one.id, two.id]
}

describe('usage of nodes', () => {
  it('NSTAT-023 NSTAT-025 by range: a row per node and UTC day, with sizes in GiB', async () => {
    const rows = await server.call(api.listNodesUsage, { start: '2026-03-04T00:00:00Z', end: '2026-03-05T23:59:59Z' })
    expect(rows.map(({ nodeName, total, date }) => [nodeName, total, date])).toEqual([
      ['one', 4 * MIB, '2026-03-04T00:00:00.000Z'],
      ['one', MIB + 900, '2026-03-05T00:00:00.000Z'],
      ['two', 6000, '2026-03-05T00:00:00.000Z'],
    ])
    expect(rows[0]).toMatchObject({
      totalUpload: 2 * MIB,
      totalDownload: 2 * MIB,
      nodeCountryCode: 'DE',
      humanReadableTotal: '0.00 GiB',
    })
    expect(await server.send('GET', '/api/nodes/usage/range?start=x&end=y')).toMatchObject({
      status: 400,
      body: { errorCode: 'A055' },
    })
  })

  it.each([
    ['reversed', '2026-03-05T23:59:59Z', '2026-03-04T00:00:00Z', 0],
    ['of two thousand years', '0026-01-01T00:00:00Z', '2026-12-31T00:00:00Z', 4],
    ['that ends with the calendar', '2026-03-05T00:00:00Z', '9999-12-31T23:59:59Z', 2],
    ['of one instant', '2026-03-04T22:00:00Z', '2026-03-04T22:00:00Z', 1],
  ])('a range %s is answered', async (_, start, end, rows) => {
    expect(await server.call(api.listNodesUsage, { start, end })).toHaveLength(rows)
    const { status } = await server.send('GET', `/api/nodes/usage/${nodes[0]?.uuid}/users/range?start=${start}&end=${end}`)
    expect([200, 400]).toContain(status)
  })

  it.each(['start=&end=', 'start=2026-03-04', 'end=2026-03-04', 'start=%00&end=x', 'start=+999999-01-01&end=2026-01-01'])(
    'a range of ?%s is refused with a sentence',
    async (query) => {
      for (const path of ['range', `${nodes[0]?.uuid}/users/range`])
        expect(await server.send('GET', `/api/nodes/usage/${path}?${query}`)).toMatchObject({
          status: 400,
          body: { message: expect.stringMatching(/\w/) },
        })
    },
  )

  it.each(['Mars/Phobos', '', 'UTC%2B5', '..%2Fetc%2Fpasswd'])(
    'a zone that does not exist (%s) is refused with a sentence',
    async (tz) => {
      for (const path of ['nodes', 'bandwidth'])
        expect(await server.send('GET', `/api/system/stats/${path}?tz=${tz}`)).toMatchObject({
          status: 400,
          body: { message: expect.stringContaining('tz must be a time zone such as Europe/Berlin') },
        })
    },
  )

  it('NSTAT-022 NSTAT-024 by user: raw bytes per day', async () => {
    const [node] = nodes
    const rows = await server.call(api.listNodeUsersUsage, {
      uuid: node?.uuid ?? '',
      start: '2026-03-01T00:00:00Z',
      end: '2026-03-05T00:00:00Z',
    })
    expect(rows).toEqual([
      { userUuid: user.uuid, username: 'consumer', nodeUuid: node?.uuid, total: 77, date: '2026-03-05T00:00:00.000Z' },
    ])
    const unknown = '/api/nodes/usage/00000000-0000-4000-8000-000000000000/users/range?start=2026-01-01&end=2026-01-02'
    expect(await server.send('GET', unknown)).toMatchObject({ status: 200, body: { response: [] } })
    const unreadable = '/api/nodes/usage/00000000-0000-4000-8000-000000000000/users/range?start=x&end=2026-01-02'
    expect(await server.send('GET', unreadable)).toMatchObject({ status: 400, body: { errorCode: 'A094' } })
  })

  it('NODE-045: this hour: bytes and average bytes per second, the fastest first', async () => {
    const rows = await server.call(api.listNodesRealtimeUsage, {})
    expect(rows).toEqual([
      {
        nodeUuid: nodes[1]?.uuid,
        nodeName: 'two',
        countryCode: 'XX',
        uploadBytes: 1000,
        downloadBytes: 5000,
        totalBytes: 6000,
        uploadSpeedBps: 50,
        downloadSpeedBps: 250,
        totalSpeedBps: 300,
      },
      expect.objectContaining({ nodeName: 'one', totalBytes: 900, totalSpeedBps: 90 }),
    ])
  })
})

describe('statistics of the fleet', () => {
  it('bandwidth compares periods of the zone, as far as the current ones have come', async () => {
    const utc = await server.call(api.getBandwidthStats, {})
    expect(utc.bandwidthLastTwoDays).toEqual({ current: '1.01 MiB', previous: '0', difference: '1.01 MiB' })
    expect(utc.bandwidthCurrentYear).toEqual({ current: '5.01 MiB', previous: '0', difference: '5.01 MiB' })
    // Half of yesterday's quarter of an hour had passed by this time, and with it half of its 4 MiB.
    server.clock.now = new Date('2026-03-05T22:07:30Z')
    expect((await server.call(api.getBandwidthStats, {})).bandwidthLastTwoDays.previous).toBe('2.00 MiB')
    server.clock.now = new Date('2026-07-05T00:00:00Z')
    expect((await server.call(api.getBandwidthStats, {})).bandwidthCurrentYear.previous).toBe('1.00 GiB')
    server.clock.now = NOW
    const tehran = await server.call(api.getBandwidthStats, { tz: 'Asia/Tehran' })
    expect(tehran.bandwidthLastTwoDays).toEqual({ current: '5.01 MiB', previous: '0', difference: '5.01 MiB' })
    expect(await server.send('GET', '/api/system/stats/bandwidth?tz=Mars/Base')).toMatchObject({
      status: 400,
      body: { errorCode: 'A001', message: expect.stringContaining('Mars/Base') },
    })
  })

  it('NSTAT-026 the last seven days hold a row per node and day, whatever zone is asked for', async () => {
    const { lastSevenDays } = await server.call(api.getNodesStatistics, { tz: 'Asia/Tehran' })
    expect(lastSevenDays).toEqual([
      { nodeName: 'one', date: '2026-03-04T00:00:00.000Z', totalBytes: String(4 * MIB) },
      { nodeName: 'one', date: '2026-03-05T00:00:00.000Z', totalBytes: String(MIB + 900) },
      { nodeName: 'two', date: '2026-03-05T00:00:00.000Z', totalBytes: '6000' },
    ])
  })

  it('NMET-007 metrics hold the nodes that have any, tags in order', async () => {
    const { nodes: metrics } = await server.call(api.getNodesMetrics, {})
    expect(metrics).toEqual([
      {
        nodeUuid: nodes[0]?.uuid,
        nodeName: 'one',
        countryEmoji: '🇩🇪',
        providerName: 'Hoster',
        usersOnline: 0,
        inboundsStats: [
          { tag: 'A', upload: '1.00 B', download: '0' },
          { tag: 'B', upload: '1.00 B', download: '0' },
        ],
        outboundsStats: [{ tag: 'DIRECT', upload: '1.50 KiB', download: '1.00 MiB' }],
      },
    ])
  })
})
