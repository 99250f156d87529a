import { expect, test } from 'vitest'
import { cutOf } from './cut-off.rules.ts'
import { planChange, type AcknowledgedUser, type ActiveInbound, type WantedUser } from './delivery.rules.ts'

const KEY = '550e8400-e29b-41d4-a716-446655440000'
const OTHER_KEY = '550e8400-e29b-41d4-a716-446655440001'
const inbounds: ActiveInbound[] = ['A', 'B'].map((tag) => ({ tag, type: 'vless', rawInbound: {} }))
const wanted = (tags: string[], vlessUuid = KEY): WantedUser => ({
  userId: 1,
  username: 'ann',
  vlessUuid,
  trojanPassword: 'p',
  ssPassword: 'p',
  tags,
})
const acknowledged = (tags: string[]): AcknowledgedUser => ({ userId: 1, username: 'ann', vlessUuid: KEY, tags })
const cutAfter = (user: WantedUser | undefined, before: string[]) => {
  const change = planChange('ann', user, acknowledged(before), inbounds)
  return change && cutOf(change)
}

test.each<[string, WantedUser | undefined, string[], unknown]>([
  ['of a user without access all end', undefined, ['A', 'B'], { username: 'ann', tags: null }],
  ['of one that lost a squad those of its inbound', wanted(['B']), ['A', 'B'], { username: 'ann', tags: ['A'] }],
  ['of one that got a squad none', wanted(['A', 'B']), ['A'], undefined],
  ['of one that exchanged squads those of the former', wanted(['B']), ['A'], { username: 'ann', tags: ['A'] }],
  ['of one with a new key all', wanted(['A', 'B'], OTHER_KEY), ['A', 'B'], { username: 'ann', tags: ['A', 'B'] }],
  ['of a new one none', wanted(['A']), [], undefined],
])('PLUG-001 connections that end with access: %s', (_, user, before, cut) => {
  expect(cutAfter(user, before)).toEqual(cut)
})
