import { expect, test } from 'vitest'
import { advisedRenewal, failureOf, pauseMs, renewalAt, sentenceOfFailure, type Problem } from './certificates.rules.ts'

const problem = (kind: string, more: Partial<Problem> = {}): Problem => ({
  status: 403,
  type: `urn:ietf:params:acme:error:${kind}`,
  detail: 'no',
  retryAfterMs: 0,
  ...more,
})

test('SHIP-007 a certificate of 90 days is renewed after 60', () => {
  expect(renewalAt(new Date('2026-01-01'), new Date('2026-04-01'))).toEqual(new Date('2026-03-02'))
})

test('SHIP-007 a directory brings a renewal forward, and never puts it off', () => {
  const [usual, now] = [new Date('2026-03-02'), new Date('2026-02-01')]
  const at = (start: string, end: string, random = 0.5) =>
    advisedRenewal(usual, { start: new Date(start), end: new Date(end) }, now, random)
      ?.toISOString()
      .slice(0, 10)
  // The usual time lies in the window, or before it.
  expect(at('2026-03-01', '2026-03-03')).toBeUndefined()
  expect(at('2026-03-10', '2026-03-12')).toBeUndefined()
  expect([at('2026-02-10', '2026-02-20', 0), at('2026-02-10', '2026-02-20')]).toEqual(['2026-02-10', '2026-02-15'])
  // The window is over, or turned round.
  expect(at('2026-01-10', '2026-01-12')).toBe('2026-02-01')
  expect(at('2026-02-20', '2026-02-10')).toBeUndefined()
})

test('SHIP-008 pauses between failed tries grow from 5 minutes to a day, and are never shorter than the directory asks', () => {
  const minutes = (attempts: number) => pauseMs(attempts, 0) / 60_000
  expect([1, 2, 3, 4, 5, 6, 7, 8, 50].map(minutes)).toEqual([5, 15, 60, 180, 360, 720, 1440, 1440, 1440])
  expect(pauseMs(1, 7_200_000)).toBe(7_200_000)
  expect(pauseMs(7, 7_200_000)).toBe(86_400_000)
})

test.each([
  [problem('rateLimited'), false, 'rateLimited'],
  [problem('', { status: 429 }), false, 'rateLimited'],
  [problem('serverInternal', { status: 500 }), false, 'directoryAway'],
  [undefined, false, 'directoryAway'],
  [problem('externalAccountRequired'), false, 'accountRefused'],
  [problem('unauthorized'), false, 'accountRefused'],
  [problem('invalidContact'), false, 'accountRefused'],
  [problem('rejectedIdentifier'), false, 'refused'],
  [problem('caa'), true, 'refused'],
  [problem('dns'), true, 'nameUnknown'],
  [problem('connection', { detail: 'no valid A records found' }), true, 'nameUnknown'],
  [problem('connection', { detail: 'timeout' }), true, 'portClosed'],
  [problem('unauthorized', { detail: 'Invalid response: 404' }), true, 'otherServer'],
  [problem('incorrectResponse'), true, 'otherServer'],
  [problem('tls'), true, 'otherServer'],
] as const)('SHIP-008 what the directory said (%j, challenge: %s) is %s', (said, isChallenge, failure) => {
  expect(failureOf(said, isChallenge)).toBe(failure)
})

test('SHIP-008 a failure is told with what to do', () => {
  expect(sentenceOfFailure('portClosed', 'panel.example', 'port 443')).toBe(
    'The directory does not reach panel.example at port 443. Open the firewall, and let the name lead here.',
  )
})
