import type { Node, User } from '@causeway/contract'
import { expect, it } from 'vitest'
import { sampleRollout, sampleRolloutNode } from '../../../../test/samples.ts'
import {
  endingAuthority,
  endingCertificates,
  expiringSoon,
  failedRollouts,
  foldItems,
  unprovenRollouts,
  urgentFirst,
} from './attention.rules.ts'

it('users who expire within three days are told apart', () => {
  const now = Date.parse('2026-11-21T00:00:00Z')
  const user = (expireAt: string) => ({ expireAt }) as User // only the expiry is looked at
  const soon = expiringSoon([user('2026-11-22T00:00:00Z'), user('2026-11-24T00:00:00Z'), user('2026-11-24T00:00:01Z')], now)
  expect(soon.map(({ expireAt }) => expireAt)).toEqual(['2026-11-22T00:00:00Z', '2026-11-24T00:00:00Z'])
})

it('certificates that have ended or do so within a month are told of, those that end first before others', () => {
  const now = Date.parse('2026-11-21T00:00:00Z')
  const node = (certificateExpiresAt: string | null, isDisabled = false) => ({ certificateExpiresAt, isDisabled }) as Node // only these are looked at
  const ends = ['2026-12-20T00:00:00Z', '2026-11-20T00:00:00Z', '2026-12-22T00:00:00Z']
  const nodes = [...ends.map((end) => node(end)), node(null), node('2026-11-22T00:00:00Z', true)]
  expect(endingCertificates(nodes, now).map((one) => one.certificateExpiresAt)).toEqual([ends[1], ends[0]])
  expect(endingAuthority('2027-11-20T00:00:00Z', now)).toBe('2027-11-20T00:00:00Z')
  expect(endingAuthority('2027-11-22T00:00:00Z', now)).toBeUndefined()
  expect(endingAuthority(undefined, now)).toBeUndefined()
})

it('a roll-out that was put back is told of until somebody has saved the profile; one that somebody took back is not', () => {
  const endedAt = '2026-02-01T00:00:00.000Z'
  const [failed, saved] = ['2026-01-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'].map((profileUpdatedAt) =>
    sampleRollout({ state: 'failed', endedAt, profileUpdatedAt }),
  )
  if (!failed || !saved) throw new Error('two were made')
  const others = [sampleRollout(), sampleRollout({ state: 'takenBack', endedAt, profileUpdatedAt: failed.profileUpdatedAt })]
  expect(failedRollouts([saved, failed, ...others])).toEqual([failed])
})

it('roll-outs that wait for a user to prove the revision are told of, others that run are not', () => {
  const waiting = sampleRollout({ nodes: [sampleRolloutNode({ state: 'unproven' }), sampleRolloutNode({ wave: 2 })] })
  const running = sampleRollout({ nodes: [sampleRolloutNode({ state: 'watched' })] })
  expect(unprovenRollouts([running, waiting])).toEqual([waiting])
})

it('what is broken stands before chores, in its order; long lists fold', () => {
  const items = (['yellow', 'red', 'gray', 'red', 'yellow'] as const).map((color, place) => ({ color, place }))
  expect(urgentFirst(items).map(({ place }) => place)).toEqual([1, 3, 0, 4, 2])
  const many = (count: number) => Array.from({ length: count }, () => ({ color: 'red' as const }))
  expect(foldItems(many(8))).toMatchObject({ shown: { length: 8 }, folded: 0 })
  expect(foldItems(many(9))).toMatchObject({ shown: { length: 6 }, folded: 3 })
})
