import { describe, expect, it } from 'vitest'
import { QUERY_TIMES } from './home.queries.ts'
import {
  averageCpu,
  cpuColor,
  direction,
  endingAuthority,
  endingCertificates,
  expiringSoon,
  localSize,
  totalMemoryMib,
} from './home.rules.ts'
import type { Node, User } from '@causeway/contract'

const process = (memory: string, cpu: string) => ({ name: 'REST API-0', memory, cpu })

it.each([
  [0, 'teal'],
  [29.9, 'teal'],
  [30, 'yellow'],
  [69.9, 'yellow'],
  [70, 'red'],
  [180, 'red'],
])('HOME-003 a process at %d%% CPU is %s', (cpu, color) => {
  expect(cpuColor(cpu)).toBe(color)
})

describe('processes', () => {
  it("HOME-004 total memory is the sum of the processes' MiB, other units converted", () => {
    expect(totalMemoryMib([process('100.50 MiB', '1'), process('20.25 MiB', '1')])).toBeCloseTo(120.75)
    expect(totalMemoryMib([process('1.00 GiB', '1'), process('512.00 KiB', '1'), process('0', '1')])).toBeCloseTo(1024.5)
    expect(totalMemoryMib([])).toBe(0)
  })

  it('HOME-005 average CPU has one decimal', () => {
    expect(averageCpu([process('1 MiB', '1.1'), process('1 MiB', '2.2'), process('1 MiB', '3.4')])).toBe(2.2)
    expect(averageCpu([process('1 MiB', '0.33')])).toBe(0.3)
    expect(averageCpu([])).toBe(0)
  })
})

describe('periods of the queries', () => {
  it('HOME-016 system info and bandwidth are stale after 5 s and read every 5.1 s', () => {
    expect(QUERY_TIMES.stats).toEqual({ staleTime: 5000, refetchInterval: 5100 })
  })

  it('HOME-017 health is stale and read again after 10 s', () => {
    expect(QUERY_TIMES.health).toEqual({ staleTime: 10_000, refetchInterval: 10_000 })
  })
})

it.each([
  ['4.66 GiB', 'en', '4.66 GiB'],
  ['-4.66 GiB', 'ru', '-4,66 GiB'],
  ['0', 'en', '0 B'],
  ['unknown', 'en', 'unknown'],
])('the size %s reads in %s: %s', (text, locale, expected) => {
  expect(localSize(text, locale)).toBe(expected)
})

it.each([
  ['1.00 GiB', 'up'],
  ['-1.00 GiB', 'down'],
  ['0', 'same'],
])('a difference of %s points %s', (difference, expected) => {
  expect(direction(difference)).toBe(expected)
})

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
