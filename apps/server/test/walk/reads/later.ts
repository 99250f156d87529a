import { textOf, type Held, type Reads } from '../read.ts'
import type { Row } from '../rows.ts'

// What routes of later generations read, computed once more.

const byId = (one: Row, other: Row) => Number(one['id']) - Number(other['id'])
const userOf = (held: Held, id: unknown) => held.rows('users').find((user) => user['id'] === id) ?? {}
const day = (row: Row, column: string) => textOf(row[column]).slice(0, 10)
const sumOf = (rows: readonly Row[]) =>
  rows.reduce((sum, { uploadBytes, downloadBytes }) => sum + Number(uploadBytes) + Number(downloadBytes), 0)

export const laterReads: Reads = {
  resolveUser: (held) =>
    held.rows('users').map(({ id, uuid, username }) => ({
      input: { username: String(username) },
      sees: (found) => [found.uuid, found.id],
      is: [uuid, id],
    })),
  streamUsers: (held) => {
    const expired = held
      .rows('users')
      .filter(({ status }) => status === 'EXPIRED')
      .toSorted(byId)
    return [
      {
        input: {},
        sees: ({ users, hasMore }) => [hasMore, users.map(({ username }) => username)],
        is: [
          false,
          held
            .rows('users')
            .toSorted(byId)
            .map(({ username }) => username),
        ],
      },
      {
        input: { status: 'EXPIRED', size: 1 },
        sees: ({ users, nextCursor, hasMore }) => [hasMore, users.map(({ id }) => id), nextCursor],
        is: [true, [expired[0]?.['id']], String(expired[0]?.['id'])],
      },
    ]
  },
  listTopHwidUsers: (held) => {
    const owners = [...new Set(held.rows('hwidDevices').map(({ userId }) => userId))]
    const counted = owners.map((id) => ({
      id: Number(id),
      count: held.rows('hwidDevices').filter(({ userId }) => userId === id).length,
    }))
    return [
      {
        input: {},
        sees: ({ users, total }) => [total, users.map(({ username, devicesCount }) => [username, devicesCount])],
        is: [
          owners.length,
          counted
            .toSorted((one, other) => other.count - one.count || one.id - other.id)
            .map(({ id, count }) => [userOf(held, id)['username'], count]),
        ],
      },
    ]
  },
  getUserMetadata: ({ world }) =>
    (['cat', 'dan', 'eve'] as const).map((name) => ({
      input: { uuid: world.users[name] },
      sees: ({ metadata }) => metadata,
      is: { of: name },
    })),
  getNodeMetadata: ({ world }) =>
    (['beta', 'gamma', 'delta'] as const).map((name) => ({
      input: { uuid: world.nodes[name] },
      sees: ({ metadata }) => metadata,
      is: { of: name },
    })),
  getComputedConfigProfile: (held) =>
    held.rows('configProfiles').map(({ uuid, name, config }) => ({
      input: { uuid: String(uuid) },
      sees: (profile) => [profile.name, profile.config],
      is: [name, config],
    })),
  listSubscriptionTemplates: (held) => [
    {
      input: {},
      sees: ({ templates }) => templates.map(({ uuid, templateType }) => [uuid, templateType]),
      is: held
        .rows('subscriptionTemplates')
        .filter(({ templateType }) => templateType !== 'SINGBOX_LEGACY')
        .toSorted((one, other) => Number(one['viewPosition']) - Number(other['viewPosition']))
        .map(({ uuid, templateType }) => [uuid, templateType]),
    },
  ],
  getDigest: (held) => [
    {
      input: { start: '2026-02-28T00:00:00Z', end: '2026-03-02T00:00:00Z' },
      sees: ({ traffic }) => traffic.totalBytes,
      is: String(sumOf(held.rows('nodeUsageQuarters').filter((row) => day(row, 'quarter') === '2026-03-01'))),
    },
  ],
  getRecap: (held) => [
    {
      input: {},
      sees: ({ total }) => [total.users, total.nodes, total.traffic, total.distinctCountries],
      is: [
        held.rows('users').length,
        held.rows('nodes').length,
        String(sumOf(held.rows('nodeUsageDays'))),
        new Set(held.rows('nodes').map(({ countryCode }) => countryCode)).size,
      ],
    },
  ],
  getNodesBandwidth: (held) => [
    {
      input: PERIOD,
      sees: ({ categories, sparklineData, topNodes, series }) => [
        categories,
        sparklineData,
        topNodes.map(({ name, total }) => [name, total]),
        series.map(({ data }) => data),
      ],
      is: chart(held, held.rows('nodeUsageDays')),
    },
  ],
  getUserBandwidth: (held) => [
    {
      input: { ...PERIOD, uuid: held.world.users.eve },
      sees: ({ categories, sparklineData, topNodes, series }) => [
        categories,
        sparklineData,
        topNodes.map(({ name, total }) => [name, total]),
        series.map(({ data }) => data),
      ],
      is: chart(
        held,
        held.rows('userNodeUsage').filter(({ userId }) => userOf(held, userId)['username'] === 'eve'),
      ),
    },
  ],
  getNodeUsersBandwidth: (held) => [
    {
      input: { ...PERIOD, uuid: held.world.nodes.beta, topUsersLimit: 3 },
      sees: ({ sparklineData, topUsers }) => [sparklineData, topUsers.map(({ username, total }) => [username, total])],
      is: topUsers(held, ['beta']),
    },
  ],
  getNodesUsersBandwidth: (held) => [
    {
      input: { ...PERIOD, nodesUuids: [held.world.nodes.beta, held.world.nodes.gamma], topUsersLimit: 3 },
      sees: ({ sparklineData, topUsers }) => [sparklineData, topUsers.map(({ username, total }) => [username, total])],
      is: topUsers(held, ['beta', 'gamma']),
    },
  ],
  getNodesUsage: (held) => [
    {
      input: { ...PERIOD, nodesUuids: [held.world.nodes.beta] },
      sees: ({ nodes }) => nodes.map(({ uuid, users }) => [uuid, users.map(({ totalBytes }) => totalBytes)]),
      is: [[held.world.nodes.beta, userSums(held, ['beta']).map(([, total]) => total)]],
    },
  ],
  getUserBandwidthLegacy: (held) => [
    {
      input: { start: '2026-03-01T00:00:00Z', end: '2026-03-02T00:00:00Z', uuid: held.world.users.eve },
      sees: (rows) => rows.map(({ total }) => total).toSorted((one, other) => one - other),
      is: usageRows(held, Object.keys(held.world.nodes))
        .filter((row) => row['username'] === 'eve')
        .map(bytesOf)
        .toSorted((one, other) => one - other),
    },
  ],
  getNodeUsersBandwidthLegacy: (held) => [
    {
      input: { start: '2026-03-01T00:00:00Z', end: '2026-03-02T00:00:00Z', uuid: held.world.nodes.beta },
      sees: (rows) => rows.map(({ total }) => total).toSorted((one, other) => one - other),
      is: usageRows(held, ['beta'])
        .map(bytesOf)
        .toSorted((one, other) => one - other),
    },
  ],
  // Gold leads to alpha, and delta, whose members move something on both.
  getSquadUsage: (held) => [
    {
      input: { ...PERIOD, uuid: held.world.squads.gold, limit: 2 },
      sees: ({ users, hasMore }) => [hasMore, users],
      is: [true, goldMembers(held).slice(0, 2)],
    },
    {
      input: { ...PERIOD, uuid: held.world.squads.gold },
      sees: ({ users, hasMore }) => [hasMore, users],
      is: [false, goldMembers(held)],
    },
  ],
  getSquadUserUsage: (held) => [
    {
      input: { ...PERIOD, squadUuid: held.world.squads.gold, userUuid: held.world.users.eve },
      sees: ({ days }) => days.map(({ date, nodes }) => [date, nodes.reduce((sum, { totalBytes }) => sum + totalBytes, 0)]),
      is: DAYS.map((date) => [
        date,
        usageRows(held, ['alpha', 'delta'])
          .filter((row) => row['username'] === 'eve' && day(row, 'day') === date)
          .reduce((sum, row) => sum + bytesOf(row), 0),
      ]),
    },
  ],
}

const DAYS = ['2026-03-01', '2026-03-02'] as const
const PERIOD = { start: DAYS[0], end: DAYS[1] }
const bytesOf = (row: Row) => Number(row['uploadBytes']) + Number(row['downloadBytes'])

/** What users moved on these nodes in the period, with their names. */
function usageRows(held: Held, nodes: readonly string[]): Row[] {
  const ids = held.rows('nodes').flatMap(({ id, name }) => (nodes.includes(String(name)) ? [id] : []))
  return held
    .rows('userNodeUsage')
    .filter((row) => ids.includes(row['nodeId']) && DAYS.some((one) => one === day(row, 'day')))
    .map((row) => Object.assign({ username: userOf(held, row['userId'])['username'] }, row))
}

/** By user, the most first. */
function userSums(held: Held, nodes: readonly string[]): [unknown, number, number][] {
  const rows = usageRows(held, nodes)
  const names = [...new Set(rows.map(({ username }) => username))]
  return names
    .map((name): [unknown, number, number] => {
      const own = rows.filter(({ username }) => username === name)
      return [name, own.reduce((sum, row) => sum + bytesOf(row), 0), Number(own[0]?.['userId'])]
    })
    .toSorted((one, other) => other[1] - one[1] || one[2] - other[2])
}

function topUsers(held: Held, nodes: readonly string[]) {
  const rows = usageRows(held, nodes)
  const perDay = DAYS.map((date) => rows.filter((row) => day(row, 'day') === date).reduce((sum, row) => sum + bytesOf(row), 0))
  return [
    perDay,
    userSums(held, nodes)
      .slice(0, 3)
      .map(([name, total]) => [name, total]),
  ]
}

function goldMembers(held: Held) {
  const gold = held.rows('internalSquads').find(({ name }) => name === 'gold')?.['id']
  return held
    .rows('internalSquadMembers')
    .filter(({ squadId }) => squadId === gold)
    .map(({ userId }) => ({
      id: Number(userId),
      totalBytes: usageRows(held, ['alpha', 'delta'])
        .filter((row) => row['userId'] === userId)
        .reduce((sum, row) => sum + bytesOf(row), 0),
    }))
    .toSorted((one, other) => one.id - other.id)
}

/** Days, bytes of each, and per node with any its name, sum and days; the most first. */
function chart(held: Held, rows: readonly Row[]) {
  const of = (date: string, nodeId?: unknown) =>
    rows
      .filter((row) => day(row, 'day') === date && (nodeId === undefined || row['nodeId'] === nodeId))
      .reduce((sum, row) => sum + bytesOf(row), 0)
  const nodes = held
    .rows('nodes')
    .map(({ id, name }) => ({ name, data: DAYS.map((date) => of(date, id)) }))
    .map((node) => Object.assign(node, { total: node.data.reduce((sum, bytes) => sum + bytes, 0) }))
    .filter(({ total }) => total > 0)
    .toSorted((one, other) => other.total - one.total)
  return [DAYS, DAYS.map((date) => of(date)), nodes.map(({ name, total }) => [name, total]), nodes.map(({ data }) => data)]
}
