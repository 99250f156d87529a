import { expect, test } from 'vitest'
import { chooseLeader, type HostState } from './leader.rules.ts'

const a = { host: 'a', port: 5432 }
const b = { host: 'b', port: 5433 }
const refused = (code: string): HostState => ({
  kind: 'refused',
  host: a,
  reason: 'password authentication failed',
  error: Object.assign(new Error('password authentication failed'), { code }),
})

test('SCALE-002 the host that takes writes is chosen, wherever it stands in the address', () => {
  expect(
    chooseLeader(
      [
        { kind: 'standby', host: a },
        { kind: 'leader', host: b, timeline: 3 },
      ],
      0,
    ),
  ).toEqual({
    host: b,
    timeline: 3,
  })
  expect(
    chooseLeader(
      [
        { kind: 'leader', host: a, timeline: 3 },
        { kind: 'silent', host: b, reason: 'no answer' },
      ],
      3,
    ),
  ).toEqual({
    host: a,
    timeline: 3,
  })
})

test('SCALE-001 a former leader that believes it still leads is not chosen, alone or beside the new one', () => {
  const former: HostState = { kind: 'leader', host: a, timeline: 3 }
  expect(chooseLeader([former, { kind: 'leader', host: b, timeline: 4 }], 3)).toEqual({ host: b, timeline: 4 })
  expect(chooseLeader([former, { kind: 'silent', host: b, reason: 'no answer' }], 4)).toEqual({
    reason: 'No host of the database takes writes: a:5432 (a former leader), b:5433 (no answer).',
    refusal: undefined,
  })
})

test('SCALE-002 each host is named with its reason, and what an administrator has to mend comes before that', () => {
  const silent: HostState = { kind: 'silent', host: b, reason: 'connect ECONNREFUSED' }
  expect(chooseLeader([{ kind: 'standby', host: a }, silent], 0)).toEqual({
    reason: 'No host of the database takes writes: a:5432 (a standby), b:5433 (connect ECONNREFUSED).',
    refusal: undefined,
  })
  expect(chooseLeader([refused('28P01'), silent], 0)).toHaveProperty('refusal.message', 'password authentication failed')
  expect(chooseLeader([refused('57P03'), silent], 0)).toHaveProperty('refusal', undefined)
  expect(chooseLeader([refused('28P01'), { kind: 'standby', host: b }], 0)).toHaveProperty('refusal', undefined)
})
