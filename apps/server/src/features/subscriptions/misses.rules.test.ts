import { expect, test } from 'vitest'
import { MissThrottle } from './misses.rules.ts'

function missMany(throttle: MissThrottle, address: string, times: number, now = 0): void {
  for (let index = 0; index < times; index++) throttle.enter(address, `miss ${index}`, now)
}

test('an address that tries many unknown links waits for the rest of the minute', () => {
  const throttle = new MissThrottle()
  missMany(throttle, '192.0.2.1', 59)
  expect(throttle.enter('192.0.2.1', 'one more', 1000)).toBeUndefined()
  expect(throttle.enter('192.0.2.1', 'next', 30_000)).toBe(30)
  expect(throttle.enter('192.0.2.2', 'next', 30_000)).toBeUndefined()
  expect(throttle.enter('192.0.2.1', 'next', 60_000)).toBeUndefined()
})

test('links that are tried at once count before the first of them is looked up', () => {
  const throttle = new MissThrottle()
  const waits = Array.from({ length: 1000 }, (_, index) => throttle.enter('192.0.2.1', `guess ${index}`, 0))
  expect(waits.filter((wait) => wait === undefined)).toHaveLength(60)
})

test('customers whose links are good are served from an address that is held back', () => {
  const throttle = new MissThrottle()
  throttle.found('192.0.2.1', 'good')
  throttle.found('192.0.2.1', 'revoked since')
  throttle.missed('revoked since')
  missMany(throttle, '192.0.2.1', 100)
  expect(throttle.enter('192.0.2.1', 'good', 0)).toBeUndefined()
  expect(throttle.enter('192.0.2.1', 'revoked since', 0)).toBe(60)
})

test('good links never hold back anybody, however many come from one address', () => {
  const throttle = new MissThrottle()
  for (let index = 0; index < 1000; index++) {
    expect(throttle.enter('192.0.2.1', `customer ${index}`, 0)).toBeUndefined()
    throttle.found('192.0.2.1', `customer ${index}`)
  }
  expect(throttle.enter('192.0.2.1', 'newcomer', 0)).toBeUndefined()
})

test.each([
  ['2001:db8::1', '2001:db8::2', true],
  ['2001:db8:0:0:aaaa::1', '2001:db8::2', true],
  ['2001:db8:0:1::1', '2001:db8::1', false],
  ['::1', '::2', true],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
])('%s and %s are counted together: %s', (one, other, isTogether) => {
  const throttle = new MissThrottle()
  missMany(throttle, one, 100)
  expect(throttle.enter(other, 'x', 0) !== undefined).toBe(isTogether)
})
