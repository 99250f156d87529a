import { expect, test } from 'vitest'
import { isRequestResource, RecentRequests } from './recent-requests.rules.ts'

test('counts the answers of the last minute, and no older ones', () => {
  const recent = new RecentRequests()
  expect([recent.perMinute(0), recent.latency(50, 0), recent.latency(95, 0)]).toEqual([0, 0, 0])
  for (const at of [1000, 1500, 30_000]) recent.note(10, at)
  expect(recent.perMinute(30_000)).toBe(3)
  expect(recent.perMinute(61_500)).toBe(1)
  expect(recent.perMinute(95_000)).toBe(0)
})

test('tells latencies by nearest rank, of the last minute', () => {
  const recent = new RecentRequests()
  recent.note(9999, 0)
  for (let ms = 1; ms <= 100; ms++) recent.note(101 - ms, 70_000)
  expect([50, 95, 100].map((percentile) => recent.latency(percentile, 70_000))).toEqual([50, 95, 100])
  recent.note(7, 200_000)
  expect([50, 95].map((percentile) => recent.latency(percentile, 200_000))).toEqual([7, 7])
})

test('keeps the newest answers of a busy minute, and counts all of them', () => {
  const recent = new RecentRequests()
  for (let index = 0; index < 5000; index++) recent.note(index < 3000 ? 1 : 2, 1000 + index)
  expect(recent.perMinute(6000)).toBe(5000)
  expect(recent.latency(1, 6000)).toBe(2)
})

test.each([
  ['FSReqCallback', true],
  ['GetAddrInfoReqWrap', true],
  ['TCPConnectWrap', true],
  ['WriteWrap', true],
  ['TCPSocketWrap', false],
  ['TCPServerWrap', false],
  ['Timeout', false],
])('%s is a request: %s', (name, isRequest) => {
  expect(isRequestResource(name)).toBe(isRequest)
})
