import { expect, test } from 'vitest'
import { compared } from './against.rules.ts'

test('WIRE-017 a hot path may lose 5 % against the state before, and a page of 1,000 users 10 %', () => {
  const side = (figure: number) => ({ p50: figure, processorMs: figure })
  const isMissed = (name: string, now: number) => compared(name, side(2), side(now)).isMissed
  expect([isMissed('create user', 2.09), isMissed('create user', 2.11), isMissed('create user', 1)]).toEqual([false, true, false])
  expect([isMissed('users, page of 1,000', 2.19), isMissed('users, page of 1,000', 2.21)]).toEqual([false, true])
  // Other work on the machine lengthens one of both only.
  const noisy = { p50: 3, processorMs: 2.02 }
  expect(compared('create user', side(2), noisy)).toMatchObject({ isMissed: false, loss: expect.closeTo(0.01) })
})
