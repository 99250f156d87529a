import { settableStatus, userStatus } from '@causeway/contract'
import { describe, expect, it } from 'vitest'
import {
  accessCounts,
  deviceLimitKind,
  EXPIRY_TIMES,
  expiryUrgency,
  linkName,
  statusAction,
  statusColor,
  tagChoices,
  tagProblem,
  usageOf,
  USER_STATUSES,
} from './users.rules.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const GIB = 1024 ** 3

describe('status', () => {
  it('USER-043 is one of four, each with a colour of its own', () => {
    expect([...USER_STATUSES].sort()).toEqual([...userStatus.options].sort())
    expect(new Set(USER_STATUSES.map(statusColor)).size).toBe(4)
    expect(settableStatus.options).toEqual(['ACTIVE', 'DISABLED'])
  })

  it.each([
    ['DISABLED', 'enable'],
    ['ACTIVE', 'disable'],
    ['LIMITED', 'disable'],
    ['EXPIRED', 'disable'],
  ] as const)('a user who is %s is offered: %s', (status, action) => {
    expect(statusAction(status)).toBe(action)
  })
})

describe('usage', () => {
  it.each([
    [0, 10, { used: 0, left: 100 }],
    [2.5, 10, { used: 25, left: 75 }],
    [9.999, 10, { used: 99, left: 1 }],
    [12, 10, { used: 120, left: 0 }],
  ])('%d of %d GiB', (used, limit, expected) => {
    expect(usageOf({ usedTrafficBytes: used * GIB, trafficLimitBytes: limit * GIB })).toEqual(expected)
  })

  it('a user without limit has no percentage', () => {
    expect(usageOf({ usedTrafficBytes: GIB, trafficLimitBytes: 0 })).toBeUndefined()
  })
})

it.each([
  ['2099-06-01T00:00:00.000Z', 'never'],
  ['2027-06-01T00:00:00.000Z', 'far'],
  ['2026-11-24T12:00:00.000Z', 'soon'],
  ['2026-11-24T12:00:01.000Z', 'far'],
  ['2026-11-21T12:00:00.000Z', 'past'],
])('an expiry at %s is %s', (at, urgency) => {
  expect(expiryUrgency(at, now)).toBe(urgency)
})

it('USER-045 a device limit of null is the fallback, 0 is off, anything else its own', () => {
  expect([null, 0, 3].map(deviceLimitKind)).toEqual(['fallback', 'off', 'own'])
})

it.each([
  ['vless://u@h:443?x=1#%F0%9F%87%A9%F0%9F%87%AA%20Berlin', '🇩🇪 Berlin'],
  ['vless://u@h:443?x=1#a#b', 'a#b'],
  ['vless://u@h:443#%E0%A4%A', '%E0%A4%A'],
  ['vless://u@h:443#', 'Host'],
  ['vless://u@h:443', 'Host'],
])('the link %s is called %s', (link, name) => {
  expect(linkName(link, 'Host')).toBe(name)
})

it('accessible nodes are counted once each, squads and inbounds too', () => {
  const node = (uuid: string, activeSquads: { squadName: string; activeInbounds: string[] }[]) => ({
    uuid,
    nodeName: uuid,
    countryCode: 'DE',
    configProfileUuid: uuid,
    configProfileName: 'p',
    activeSquads,
  })
  expect(accessCounts([])).toEqual({ nodes: 0, squads: 0, inbounds: 0 })
  expect(
    accessCounts([
      node('n1', [
        { squadName: 'a', activeInbounds: ['x', 'y'] },
        { squadName: 'b', activeInbounds: ['x'] },
      ]),
      node('n2', [{ squadName: 'a', activeInbounds: ['x'] }]),
    ]),
  ).toEqual({ nodes: 2, squads: 2, inbounds: 3 })
})

describe('tags', () => {
  it.each([
    ['', undefined],
    ['VIP_1', undefined],
    ['A'.repeat(15), undefined],
    ['A'.repeat(16), 'length'],
    ['vip', 'characters'],
    ['V I', 'characters'],
    ['ВИП', 'characters'],
  ])('%j: %s', (tag, problem) => {
    expect(tagProblem(tag)).toBe(problem)
  })

  it('offers what is known, and what is typed as new unless it is known', () => {
    expect(tagChoices(['VIP', 'GOLD'], '')).toEqual([
      { tag: 'VIP', isNew: false },
      { tag: 'GOLD', isNew: false },
    ])
    expect(tagChoices(['VIP', 'GOLD'], 'VI')).toEqual([
      { tag: 'VIP', isNew: false },
      { tag: 'VI', isNew: true },
    ])
    expect(tagChoices(['VIP'], 'VIP')).toEqual([{ tag: 'VIP', isNew: false }])
  })
})

it('expiry times lie every hour and a half from 06:00 to 18:00', () => {
  expect(EXPIRY_TIMES).toEqual(['06:00', '07:30', '09:00', '10:30', '12:00', '13:30', '15:00', '16:30', '18:00'])
})
