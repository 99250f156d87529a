import type { Measured } from './measure.ts'

// The views of the users list that have a target. Filters differ from sample to sample, as a total that was
// counted for one view is kept for a few seconds.

const SORTABLE = [
  'username',
  'shortUuid',
  'status',
  'trafficLimitBytes',
  'trafficLimitStrategy',
  'expireAt',
  'createdAt',
  'updatedAt',
  'usedTrafficBytes',
  'lifetimeUsedTrafficBytes',
  'onlineAt',
  'firstConnectedAt',
  'lastTrafficResetAt',
  'subLastOpenedAt',
  'subLastUserAgent',
  'subRevokedAt',
  'description',
  'tag',
  'telegramId',
  'email',
  'hwidDeviceLimit',
] as const
const SYLLABLES = [
  'anna',
  'ivan',
  'sara',
  'omid',
  'maria',
  'pavel',
  'chen',
  'reza',
  'julia',
  'nina',
  'amir',
  'olga',
  'lena',
  'petr',
  'wang',
  'meyer',
  'zhao',
  'kari',
  'nova',
  'ross',
  'silva',
  'berg',
  'orlo',
  'tana',
]
const PAGE = 25

export interface ListFacts {
  users: number
  squads: string[]
}

export function usersListCases({ users, squads }: ListFacts): Measured[] {
  const lastStart = Math.floor((users - 1) / PAGE) * PAGE
  return [
    { name: 'default page with total', targetMs: 50, path: () => view({}) },
    ...SORTABLE.flatMap((column) =>
      [false, true].map((isDescending) => ({
        name: `sort by ${column} ${isDescending ? 'down' : 'up'}`,
        targetMs: 150,
        path: () => view({ sorting: [{ id: column, desc: isDescending }] }),
      })),
    ),
    { name: 'filter username, selective', targetMs: 50, path: (sample) => filtered('username', selective(sample, users)) },
    { name: 'filter username, broad', targetMs: 400, path: (sample) => filtered('username', syllable(sample)) },
    { name: 'filter email, selective', targetMs: 50, path: (sample) => filtered('email', selective(sample, users)) },
    { name: 'filter email, broad', targetMs: 400, path: (sample) => filtered('email', syllable(sample)) },
    { name: 'filter shortUuid, selective', targetMs: 50, path: (sample) => filtered('shortUuid', selective(sample, users)) },
    {
      name: 'filter description, broad',
      targetMs: 400,
      path: (sample) => filtered('description', ['Paid', 'Family', 'refund', 'bank', 'Trial', 'Friend'][sample % 6] ?? 'Paid'),
    },
    {
      name: 'filter tag',
      targetMs: 400,
      path: (sample) => filtered('tag', ['FREE', 'VIP', 'TRIAL', 'TEAM', 'PARTNER'][sample % 5] ?? 'FREE'),
    },
    {
      name: 'filter username broad, sorted by use',
      targetMs: 400,
      path: (sample) =>
        view({ filters: [{ id: 'username', value: syllable(sample) }], sorting: [{ id: 'usedTrafficBytes', desc: true }] }),
    },
    {
      name: 'filter status',
      targetMs: 50,
      path: (sample) => filtered('status', ['ACTIVE', 'LIMITED', 'EXPIRED', 'DISABLED'][sample % 4] ?? 'ACTIVE'),
    },
    {
      name: 'filter squad',
      targetMs: 400,
      path: (sample) => filtered('activeInternalSquads', squads[sample % squads.length] ?? ''),
    },
    { name: 'last page', targetMs: 250, path: () => view({ start: lastStart }) },
    {
      name: 'last page, sorted by username',
      targetMs: 250,
      path: () => view({ start: lastStart, sorting: [{ id: 'username', desc: false }] }),
    },
    {
      name: 'middle page',
      targetMs: 250,
      path: (sample) => view({ start: Math.floor(users / 2 / PAGE) * PAGE + sample * PAGE }),
    },
  ]
}

interface View {
  start?: number
  filters?: { id: string; value: string }[]
  sorting?: { id: string; desc: boolean }[]
}

function view({ start = 0, filters = [], sorting = [] }: View): string {
  const query = new URLSearchParams({
    start: String(start),
    size: String(PAGE),
    filters: JSON.stringify(filters),
    sorting: JSON.stringify(sorting),
  })
  return `/api/users?${query.toString()}`
}

function filtered(id: string, value: string): string {
  return view({ filters: [{ id, value }] })
}

/** The seeded names and addresses end in the user's number to the base of 36, so five digits of it name a handful. */
export function selective(sample: number, users: number): string {
  const number = Math.floor((users * ((sample * 37) % 100)) / 100) + 1
  return number.toString(36).padStart(4, '0')
}

function syllable(sample: number): string {
  return SYLLABLES[sample % SYLLABLES.length] ?? 'anna'
}
