import { expect } from 'vitest'
import { byText, textOf, type Held, type Reads } from '../read.ts'
import type { Row } from '../rows.ts'

// Users, their devices and requests, computed once more in the plainest way.

const names = (users: readonly { username: string }[]) => users.map(({ username }) => username)
const by = (column: string) => (one: Row, other: Row) => (String(one[column]) < String(other[column]) ? -1 : 1)
const json = JSON.stringify

/** Newest first, as lists come without an order of the caller's. */
const usersWith = ({ rows }: Held, isWanted: (user: Row) => boolean) =>
  rows('users')
    .toSorted((one, other) => Number(other['id']) - Number(one['id']))
    .filter(isWanted)
    .map((user) => String(user['username']))

const deviceRows = ({ rows }: Held) => {
  const nameOf = new Map(rows('users').map(({ id, username, uuid }) => [id, { username: String(username), uuid }]))
  return rows('hwidDevices').map((device) => ({ ...device, ...nameOf.get(device['userId']) }) as Row)
}
const requestRows = ({ rows }: Held) => {
  const nameOf = new Map(rows('users').map(({ id, username, uuid }) => [id, { username: String(username), userUuid: uuid }]))
  return rows('subscriptionRequests').map((request) => ({ ...request, ...nameOf.get(request['userId']) }) as Row)
}
const keyed = (devices: readonly { hwid: string; userUuid: string }[]) =>
  devices.map(({ hwid, userUuid }) => `${userUuid} ${hwid}`).toSorted(byText)
const deviceKeys = (devices: readonly Row[]) =>
  devices.map(({ hwid, uuid }) => `${String(uuid)} ${String(hwid)}`).toSorted(byText)
/** How often each value stands there, as pairs in order. */
const counted = (values: readonly unknown[]) =>
  [...new Set(values)].map((value) => [value, values.filter((other) => other === value).length]).toSorted(byText)

/** The members of a user that stand in its own row or beside it. */
function wholeUser(held: Held, username: string) {
  const user = held.rows('users').find((row) => row['username'] === username) ?? {}
  const usage = held.rows('userUsage').find(({ userId }) => userId === user['id']) ?? {}
  const access = held.rows('userAccesses').find(({ userId }) => userId === user['id'])
  const squadNames = held
    .rows('internalSquadMembers')
    .filter(({ userId }) => userId === user['id'])
    .map(({ squadId }) => held.rows('internalSquads').find(({ id }) => id === squadId)?.['name'])
  const node = held.rows('nodes').find(({ id }) => id === usage['lastConnectedNodeId'])
  return {
    uuid: user['uuid'],
    shortUuid: user['shortUuid'],
    username,
    status: user['status'],
    tag: user['tag'],
    email: user['email'],
    telegramId: user['telegramId'],
    description: user['description'],
    trafficLimitBytes: user['trafficLimitBytes'],
    trafficLimitStrategy: user['trafficLimitStrategy'],
    vlessUuid: user['vlessUuid'],
    trojanPassword: user['trojanPassword'],
    ssPassword: user['ssPassword'],
    usedTrafficBytes: usage['usedTrafficBytes'],
    lifetimeUsedTrafficBytes: usage['lifetimeUsedTrafficBytes'],
    subLastUserAgent: access?.['subLastUserAgent'] ?? null,
    squads: squadNames.toSorted(byText),
    node: node?.['name'] ?? null,
  }
}
type Whole = ReturnType<typeof wholeUser>
const shown = (user: object): Whole => {
  // The answer of every endpoint that gives a user has these members.
  const { activeInternalSquads, lastConnectedNode, ...own } = user as Whole & {
    activeInternalSquads: { name: string }[]
    lastConnectedNode: { nodeName: string } | null
  }
  const wanted: Partial<Whole> = {}
  const whole: Record<string, unknown> = {
    ...own,
    squads: activeInternalSquads.map(({ name }) => name).toSorted(byText),
    node: lastConnectedNode?.nodeName ?? null,
  }
  for (const key of MEMBERS) wanted[key] = whole[key] as never // the members of `Whole` by its own keys
  return wanted as Whole
}
const MEMBERS = [
  'uuid',
  'shortUuid',
  'username',
  'status',
  'tag',
  'email',
  'telegramId',
  'description',
  'trafficLimitBytes',
  'trafficLimitStrategy',
  'vlessUuid',
  'trojanPassword',
  'ssPassword',
  'usedTrafficBytes',
  'lifetimeUsedTrafficBytes',
  'subLastUserAgent',
  'squads',
  'node',
] as const

const WHO = ['ann', 'cat', 'emil'] as const

export const userReads: Reads = {
  listUsers: (held) => [
    ...[
      { filters: [{ id: 'status', value: 'ACTIVE' }], is: (user: Row) => user['status'] === 'ACTIVE' },
      { filters: [{ id: 'status', value: 'LIMITED' }], is: (user: Row) => user['status'] === 'LIMITED' },
      { filters: [{ id: 'username', value: 'e' }], is: (user: Row) => String(user['username']).includes('e') },
      { filters: [{ id: 'tag', value: 'VIP' }], is: (user: Row) => user['tag'] === 'VIP' },
      { filters: [{ id: 'email', value: 'family' }], is: (user: Row) => textOf(user['email']).includes('family') },
      {
        filters: [
          { id: 'tag', value: 'VIP' },
          { id: 'status', value: 'ACTIVE' },
        ],
        is: (user: Row) => user['tag'] === 'VIP' && user['status'] === 'ACTIVE',
      },
      { filters: [], is: () => true },
    ].map(({ filters, is }) => ({
      input: { filters: json(filters), size: 100 } as never,
      sees: ({ users, total }: { users: { username: string }[]; total: number }) => [total, names(users)],
      is: [usersWith(held, is).length, usersWith(held, is)],
    })),
    {
      input: { sorting: json([{ id: 'username', desc: false }]), start: 2, size: 3 } as never,
      sees: ({ users, total }) => [total, names(users)],
      is: [
        held.rows('users').length,
        held
          .rows('users')
          .toSorted(by('username'))
          .slice(2, 5)
          .map(({ username }) => username),
      ],
    },
    {
      input: { sorting: json([{ id: 'usedTrafficBytes', desc: true }]), size: 2 } as never,
      sees: ({ users }) => users.map(shown),
      is: ['finn', 'fay'].map((name) => wholeUser(held, name)),
    },
  ],
  getUser: (held) => WHO.map((name) => ({ input: { uuid: held.world.users[name] }, sees: shown, is: wholeUser(held, name) })),
  getUserById: (held) => WHO.map((name) => ({ input: { uuid: held.world.users[name] }, sees: shown, is: wholeUser(held, name) })),
  getUserByUsername: (held) => WHO.map((name) => ({ input: { username: name }, sees: shown, is: wholeUser(held, name) })),
  getUserByShortUuid: (held) =>
    WHO.map((name) => ({ input: { shortUuid: `short-${name}` }, sees: shown, is: wholeUser(held, name) })),
  listUsersByEmail: (held) =>
    ['family@example.com', 'ann@example.com'].map((email) => ({
      input: { email },
      sees: (users) => names(users).toSorted(byText),
      is: usersWith(held, (user) => user['email'] === email).toSorted(byText),
    })),
  listUsersByTag: (held) =>
    ['VIP', 'TEST', 'OLD'].map((tag) => ({
      input: { tag },
      sees: (users) => names(users).toSorted(byText),
      is: usersWith(held, (user) => user['tag'] === tag).toSorted(byText),
    })),
  listUsersByTelegramId: (held) =>
    ['2', '9'].map((telegramId) => ({
      input: { telegramId } as never,
      sees: (users) => names(users).toSorted(byText),
      is: usersWith(held, (user) => String(user['telegramId']) === telegramId).toSorted(byText),
    })),
  listUserTags: ({ rows }) => [
    {
      input: {},
      sees: ({ tags }) => tags.toSorted(byText),
      is: [...new Set(rows('users').flatMap(({ tag }) => (tag === null ? [] : [textOf(tag)])))].toSorted(byText),
    },
  ],
  listUsersNearLimit: (held) => [
    {
      input: {},
      sees: ({ users, total }) => [total, names(users).toSorted(byText)],
      is: (() => {
        const usage = new Map(held.rows('userUsage').map(({ userId, usedTrafficBytes }) => [userId, Number(usedTrafficBytes)]))
        const near = usersWith(held, (user) => {
          const limit = Number(user['trafficLimitBytes'])
          return user['status'] === 'ACTIVE' && limit > 0 && (usage.get(user['id']) ?? 0) >= limit * 0.9
        })
        return [near.length, near.toSorted(byText)]
      })(),
    },
  ],
  listUserHwidDevices: (held) =>
    WHO.map((name) => {
      const own = deviceRows(held).filter(({ username }) => username === name)
      return {
        input: { userUuid: held.world.users[name] },
        sees: ({ total, devices }) => [total, keyed(devices)],
        is: [own.length, deviceKeys(own)],
      }
    }),
  listHwidDevices: (held) => [
    {
      input: {},
      sees: ({ total, devices }) => [total, keyed(devices)],
      is: [deviceRows(held).length, deviceKeys(deviceRows(held))],
    },
    {
      input: { filters: json([{ id: 'platform', value: 'iOS' }]) } as never,
      sees: ({ total, devices }) => [total, keyed(devices)],
      is: [2, deviceKeys(deviceRows(held).filter(({ platform }) => platform === 'iOS'))],
    },
  ],
  findHwidDevices: (held) =>
    ['', 'ann', 'clash', 'phone'].map((search) => {
      const found = deviceRows(held).filter((device) =>
        ['username', 'hwid', 'deviceModel'].some((column) => String(device[column]).includes(search)),
      )
      return {
        input: search === '' ? {} : { search },
        sees: ({ total, devices }) => [total, keyed(devices)],
        is: [found.length, deviceKeys(found)],
      }
    }),
  getHwidStats: (held) => [
    {
      input: {},
      sees: ({ byPlatform, byApp, stats }) => [
        byPlatform.map(({ platform, count }) => [platform, count]).toSorted(byText),
        byApp.map(({ app, count }) => [app, count]).toSorted(byText),
        stats,
      ],
      is: (() => {
        const devices = deviceRows(held)
        const holders = new Set(devices.map(({ username }) => username)).size
        return [
          counted(devices.map(({ platform }) => platform)),
          counted(devices.map(({ userAgent }) => String(userAgent).split('/')[0])),
          {
            totalUniqueDevices: new Set(devices.map(({ hwid }) => hwid)).size,
            totalHwidDevices: devices.length,
            averageHwidDevicesPerUser: Math.round((devices.length / holders) * 100) / 100,
          },
        ]
      })(),
    },
  ],
  listSubscriptionRequests: (held) => [
    {
      input: { size: 4 },
      sees: ({ total, records }) => [total, records.map(({ userUuid, userAgent }) => [userUuid, userAgent])],
      is: [
        requestRows(held).length,
        requestRows(held)
          .toSorted((one, other) => Number(other['id']) - Number(one['id']))
          .slice(0, 4)
          .map(({ userUuid, userAgent }) => [userUuid, userAgent]),
      ],
    },
    {
      input: { filters: json([{ id: 'userAgent', value: 'App/1' }]) } as never,
      sees: ({ total, records }) => [total, records.map(({ userUuid }) => userUuid)],
      is: [2, Array.from({ length: 2 }, () => held.world.users.ben)],
    },
  ],
  listUserSubscriptionRequests: (held) =>
    WHO.map((name) => {
      const own = requestRows(held).filter(({ username }) => username === name)
      return {
        input: { uuid: held.world.users[name] },
        sees: ({ total, records }) => [total, records.map(({ id }) => id).toSorted(byText)],
        is: [own.length, own.map(({ id }) => id).toSorted(byText)],
      }
    }),
  getSubscriptionRequestStats: (held) => [
    {
      input: {},
      sees: ({ byParsedApp }) => byParsedApp.map(({ app, count }) => [app, count]).toSorted(byText),
      is: counted(requestRows(held).map(({ userAgent }) => String(userAgent).split('/')[0])),
    },
  ],
  getUsersImpact: (held) => [
    {
      input: { uuids: [held.world.users.ann, held.world.users.fay] },
      sees: ({ users }) => users,
      is: 2,
    },
    {
      input: { status: 'DISABLED' },
      sees: ({ users }) => users,
      is: usersWith(held, ({ status }) => status === 'DISABLED').length,
    },
    { input: { all: true }, sees: ({ users }) => users, is: held.rows('users').length },
  ],
  previewExpiry: (held) => [
    {
      input: { all: true, expireAt: '2095-01-01T00:00:00.000Z' } as never,
      sees: (preview) => preview,
      is: {
        users: held.rows('users').length,
        past: expect.any(Number),
        endless: usersWith(held, ({ expireAt }) => String(expireAt).startsWith('2099')).length,
        movedBack: expect.any(Number),
      },
    },
  ],
  listSubscriptions: (held) => [
    {
      input: { start: 1, size: 4 },
      sees: ({ total, subscriptions }) => [total, subscriptions.map(({ user }) => [user.username, user.userStatus]).length],
      is: [held.rows('users').length, 4],
    },
  ],
  ...Object.fromEntries(
    (
      [
        ['getSubscriptionByUuid', (held: Held, name: (typeof WHO)[number]) => ({ uuid: held.world.users[name] })],
        ['getSubscriptionById', (held: Held, name: (typeof WHO)[number]) => ({ uuid: held.world.users[name] })],
        ['getSubscriptionByShortUuid', (_: Held, name: string) => ({ shortUuid: `short-${name}` })],
        ['getSubscriptionByUsername', (_: Held, name: string) => ({ username: name })],
        ['getSubscriptionInfo', (_: Held, name: string) => ({ shortUuid: `short-${name}` })],
      ] as const
    ).map(([endpoint, input]) => [
      endpoint,
      (held: Held) =>
        WHO.map((name) => ({
          input: input(held, name),
          sees: ({ user }: { user: Row }) => [
            user['username'],
            user['userStatus'],
            user['trafficUsedBytes'],
            user['trafficLimitBytes'],
            user['lifetimeTrafficUsedBytes'],
          ],
          is: (() => {
            const user = wholeUser(held, name)
            return [
              name,
              user.status,
              String(user.usedTrafficBytes),
              String(user.trafficLimitBytes),
              String(user.lifetimeUsedTrafficBytes),
            ]
          })(),
        })),
    ]),
  ),
}
