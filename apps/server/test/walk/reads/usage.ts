import { DAYS } from '../traces.ts'
import { byText, type Held, type Reads } from '../read.ts'
import type { Row } from '../rows.ts'

// Sums of traffic, by user, node, day and tag, added up from the rows one by one.

const RANGE = { start: `${DAYS[0]}T00:00:00.000Z`, end: `${DAYS[2]}T23:59:59.999Z` }
const TWO_DAYS = { start: `${DAYS[1]}T00:00:00.000Z`, end: `${DAYS[2]}T23:59:59.999Z` }
const dayOf = (date: string) => date.slice(0, 10)
const bytesOf = (row: Row) => Number(row['uploadBytes']) + Number(row['downloadBytes'])
const sum = (rows: readonly Row[]) => rows.reduce((total, row) => total + bytesOf(row), 0)

const nodeIds = ({ rows }: Held) => new Map(rows('nodes').map(({ id, uuid }) => [uuid, id]))
const userIds = ({ rows }: Held) => new Map(rows('users').map(({ id, uuid }) => [uuid, id]))
const nodeNames = ({ rows }: Held) => new Map(rows('nodes').map(({ id, name }) => [id, String(name)]))
const userNames = ({ rows }: Held) => new Map(rows('users').map(({ id, username }) => [id, String(username)]))
/** What moved through nodes by the quarters that they book. */
const quarters = (held: Held, isWanted: (row: Row) => boolean) => held.rows('nodeUsageQuarters').filter(isWanted)
const onDay = (day: string) => (row: Row) => dayOf(String(row['quarter'])) === day

export const usageReads: Reads = {
  getUserUsage: (held) =>
    (['ann', 'fay'] as const).flatMap((name) =>
      [RANGE, TWO_DAYS].map((range) => ({
        input: { uuid: held.world.users[name], ...range },
        sees: (usage) => usage.map(({ nodeName, date, total }) => `${dayOf(date)} ${nodeName} ${total}`).toSorted(byText),
        is: held
          .rows('userNodeUsage')
          .filter(({ userId, day }) => userId === userIds(held).get(held.world.users[name]) && String(day) >= dayOf(range.start))
          .map((row) => `${String(row['day'])} ${nodeNames(held).get(row['nodeId'])} ${bytesOf(row)}`)
          .toSorted(byText),
      })),
    ),
  listNodeUsersUsage: (held) =>
    (['alpha', 'gamma'] as const).map((name) => ({
      input: { uuid: held.world.nodes[name], ...TWO_DAYS },
      sees: (usage) => usage.map(({ username, date, total }) => `${dayOf(date)} ${username} ${total}`).toSorted(byText),
      is: held
        .rows('userNodeUsage')
        .filter(({ nodeId, day }) => nodeId === nodeIds(held).get(held.world.nodes[name]) && String(day) >= DAYS[1])
        .map((row) => `${String(row['day'])} ${userNames(held).get(row['userId'])} ${bytesOf(row)}`)
        .toSorted(byText),
    })),
  getNodeTopUsers: (held) => [
    {
      input: { uuid: held.world.nodes.beta, days: 7 } as never,
      sees: ({ users, userCount }) => [userCount, users.map(({ username }) => username).toSorted(byText)],
      is: [
        3,
        held
          .rows('nodeTopUsers')
          .filter(({ nodeId }) => nodeId === nodeIds(held).get(held.world.nodes.beta))
          .map(({ userId }) => userNames(held).get(userId))
          .toSorted(byText),
      ],
    },
  ],
  getNodeDeliveries: (held) => [
    {
      input: { uuid: held.world.nodes.beta },
      sees: ({ single: { added, removed, changed } }) => added + removed + changed,
      is: held.rows('deliveries').filter(({ nodeId }) => nodeId === nodeIds(held).get(held.world.nodes.beta)).length,
    },
  ],
  listNodePhases: (held) => [
    {
      input: { uuid: held.world.nodes.beta },
      sees: ({ phases }) => phases.map(({ phase }) => phase),
      is: held
        .rows('nodePhases')
        .filter(({ nodeId }) => nodeId === nodeIds(held).get(held.world.nodes.beta))
        .map(({ phase }) => phase),
    },
  ],
  listNodesUsage: (held) =>
    [RANGE, TWO_DAYS].map((range) => ({
      input: range,
      sees: (usage) =>
        usage
          .map(({ nodeName, date, total, totalDownload, totalUpload }) =>
            [dayOf(date), nodeName, total, totalDownload, totalUpload].join(' '),
          )
          .toSorted(byText),
      is: held
        .rows('nodeUsageQuarters')
        .filter(({ quarter }) => dayOf(String(quarter)) >= dayOf(range.start))
        .map((row) =>
          [
            dayOf(String(row['quarter'])),
            nodeNames(held).get(row['nodeId']),
            bytesOf(row),
            row['downloadBytes'],
            row['uploadBytes'],
          ].join(' '),
        )
        .toSorted(byText),
    })),
  listNodesUsageByDay: (held) => [
    {
      input: { days: 7 } as never,
      sees: ({ nodes }) => nodes.map(({ name, bytes }) => [name, bytes.slice(-3)]).toSorted(byText),
      is: held
        .rows('nodes')
        .map(({ id, name }) => [
          String(name),
          DAYS.map((day) => sum(quarters(held, (row) => row['nodeId'] === id && onDay(day)(row)))),
        ])
        .toSorted(byText),
    },
  ],
  getNodesStatistics: (held) => [
    {
      input: {},
      sees: ({ lastSevenDays }) =>
        lastSevenDays
          .filter(({ totalBytes }) => Number(totalBytes) > 0)
          .map(({ nodeName, date, totalBytes }) => `${dayOf(date)} ${nodeName} ${totalBytes}`)
          .toSorted(byText),
      is: held
        .rows('nodeUsageQuarters')
        .map((row) => `${dayOf(String(row['quarter']))} ${nodeNames(held).get(row['nodeId'])} ${bytesOf(row)}`)
        .toSorted(byText),
    },
  ],
  listNodesTraffic: (held) => [
    {
      input: {},
      sees: ({ nodes }) =>
        nodes
          .map(({ name, inbounds }) => [name, inbounds.map((one) => Object.values(one).join(' ')).toSorted(byText)])
          .toSorted(byText),
      is: held
        .rows('nodes')
        .map(({ id, name }) => [
          String(name),
          held
            .rows('nodeTagUsage')
            .filter(({ nodeId }) => nodeId === id)
            .map(({ tag, uploadBytes, downloadBytes }) => [tag, uploadBytes, downloadBytes].join(' '))
            .toSorted(byText),
        ])
        .toSorted(byText),
    },
  ],
  getNodesMetrics: (held) => [
    {
      input: {},
      sees: ({ nodes }) =>
        nodes
          .map(({ nodeName, inboundsStats }) => [
            nodeName,
            inboundsStats.map(({ tag, upload, download }) => `${tag} ${upload} ${download}`).toSorted(byText),
          ])
          .toSorted(byText),
      is: held
        .rows('nodes')
        .map(({ id, name }) => [
          String(name),
          held
            .rows('nodeTagUsage')
            .filter(({ nodeId }) => nodeId === id)
            .map(
              ({ tag, uploadBytes, downloadBytes }) =>
                `${String(tag)} ${amount(Number(uploadBytes))} ${amount(Number(downloadBytes))}`,
            )
            .toSorted(byText),
        ])
        .toSorted(byText),
    },
  ],
  getWall: (held) => [
    {
      input: {},
      sees: ({ nodes }) =>
        nodes.map(({ uuid, name, countryCode, isDisabled }) => [uuid, name, countryCode, isDisabled]).toSorted(byText),
      is: held
        .rows('nodes')
        .map((node) => [node['uuid'], node['name'], node['countryCode'], node['isDisabled']])
        .toSorted(byText),
    },
  ],
  getUsageHistory: (held) => [
    {
      input: { period: 'week' } as never,
      sees: ({ nodes, usersOnline }) => [
        nodes.map(({ name, bytes }) => [name, bytes.slice(-3)]).toSorted(byText),
        usersOnline.slice(-3),
      ],
      is: [
        held
          .rows('nodes')
          .map(({ id, name }) => [
            String(name),
            DAYS.map((day) => sum(quarters(held, (row) => row['nodeId'] === id && onDay(day)(row)))),
          ])
          .toSorted(byText),
        held.rows('onlineQuarters').map(({ usersOnline }) => usersOnline),
      ],
    },
  ],
  getBandwidthStats: (held) => [
    {
      input: {},
      sees: (stats) => stats,
      is: (() => {
        const all = quarters(held, () => true)
        const whole = sum(all)
        const span = (current: number, previous: number) => ({
          current: amount(current),
          previous: amount(previous),
          difference: amount(current - previous),
        })
        return {
          bandwidthLastTwoDays: span(sum(all.filter(onDay(DAYS[2]))), sum(all.filter(onDay(DAYS[1])))),
          bandwidthLastSevenDays: span(whole, 0),
          bandwidthLast30Days: span(whole, 0),
          bandwidthCalendarMonth: span(whole, 0),
          bandwidthCurrentYear: span(whole, 0),
        }
      })(),
    },
  ],
  getUserCounts: (held) => [
    {
      input: {},
      sees: ({ users, onlineStats }) => [users.totalUsers, users.statusCounts.ACTIVE, onlineStats.neverOnline],
      is: [
        held.rows('users').length,
        held.rows('users').filter(({ status }) => status === 'ACTIVE').length,
        held.rows('userUsage').filter(({ onlineAt }) => onlineAt === null).length,
      ],
    },
  ],
  getSystemStats: (held) => [
    {
      input: {},
      sees: ({ users, onlineStats }) => [users, onlineStats.neverOnline],
      is: (() => {
        const statuses = held.rows('users').map(({ status }) => status)
        const counts = (status: string) => statuses.filter((one) => one === status).length
        const lifetime = held.rows('userUsage').map((row) => Number(row['lifetimeUsedTrafficBytes']))
        return [
          {
            statusCounts: {
              ACTIVE: counts('ACTIVE'),
              DISABLED: counts('DISABLED'),
              LIMITED: counts('LIMITED'),
              EXPIRED: counts('EXPIRED'),
            },
            totalUsers: statuses.length,
            totalTrafficBytes: String(lifetime.reduce((total, bytes) => total + bytes, 0)),
          },
          held.rows('userUsage').filter(({ onlineAt }) => onlineAt === null).length,
        ]
      })(),
    },
  ],
}

/** As the wire writes amounts that are below a mebibyte. */
function amount(bytes: number): string {
  if (bytes === 0) return '0'
  return bytes < 1024 ? `${bytes.toFixed(2)} B` : `${(bytes / 1024).toFixed(2)} KiB`
}
