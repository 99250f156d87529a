import { expect, test } from 'vitest'
import { MissThrottle } from './misses.rules.ts'

const nothingOpened = () => Promise.resolve([])

/** Looks a link up that leads nowhere, or to somebody. Gives the seconds to wait instead, if any. */
async function look(throttle: MissThrottle, address: string, link: string, { isFound = false, now = 0 } = {}) {
  const entered = await throttle.enter(address, link, () => now)
  if (typeof entered === 'number') return entered
  entered(isFound)
  return undefined
}

async function missMany(throttle: MissThrottle, address: string, times: number): Promise<void> {
  for (let index = 0; index < times; index++) await look(throttle, address, `miss ${index}`)
}

test('an address that tries many unknown links waits for the rest of the minute', async () => {
  const throttle = new MissThrottle(nothingOpened)
  await missMany(throttle, '192.0.2.1', 59)
  expect(await look(throttle, '192.0.2.1', 'one more', { now: 1000 })).toBeUndefined()
  expect(await look(throttle, '192.0.2.1', 'next', { now: 30_000 })).toBe(30)
  expect(await look(throttle, '192.0.2.2', 'next', { now: 30_000 })).toBeUndefined()
  expect(await look(throttle, '192.0.2.1', 'next', { now: 60_000 })).toBeUndefined()
})

test('of a thousand guesses at once no more are looked up than may be missed', async () => {
  const throttle = new MissThrottle(nothingOpened)
  let lookUps = 0
  const guess = async (index: number) => {
    const entered = await throttle.enter('192.0.2.1', `guess ${index}`, () => 0)
    if (typeof entered === 'number') return
    lookUps++
    await Promise.resolve()
    entered(false)
  }
  await Promise.all(Array.from({ length: 1000 }, (_, index) => guess(index)))
  expect(lookUps).toBe(60)
})

test('a thousand customers of one address who come at once are all served', async () => {
  const throttle = new MissThrottle(nothingOpened)
  const waits = await Promise.all(
    Array.from({ length: 1000 }, async (_, index) => {
      const entered = await throttle.enter('192.0.2.1', `customer ${index}`, () => 0)
      if (typeof entered === 'number') return entered
      await Promise.resolve()
      // One look-up in ten is cut short by the database: it says nothing of the customer.
      entered(index % 10 === 0 ? undefined : true)
      return undefined
    }),
  )
  expect(waits.filter((wait) => wait !== undefined)).toEqual([])
  expect(await look(throttle, '192.0.2.1', 'newcomer')).toBeUndefined()
})

test('customers whose links are good are served from an address that is held back', async () => {
  const throttle = new MissThrottle(nothingOpened)
  await look(throttle, '192.0.2.1', 'good', { isFound: true })
  await look(throttle, '192.0.2.1', 'revoked since', { isFound: true })
  await look(throttle, '192.0.2.1', 'revoked since')
  await missMany(throttle, '192.0.2.1', 100)
  expect(await look(throttle, '192.0.2.1', 'good', { isFound: true })).toBeUndefined()
  expect(await look(throttle, '192.0.2.1', 'revoked since')).toBe(60)
})

test('after a restart, links that apps had opened before are served from an address that is held back', async () => {
  let reads = 0
  const throttle = new MissThrottle(() => {
    reads++
    return reads === 1 ? Promise.reject(new Error('the database is away')) : Promise.resolve(['latest', 'earlier'])
  })
  await missMany(throttle, '192.0.2.1', 60)
  expect(reads).toBe(0)
  expect(await look(throttle, '192.0.2.1', 'latest', { isFound: true })).toBe(60)
  expect(await look(throttle, '192.0.2.1', 'latest', { isFound: true })).toBeUndefined()
  expect(await look(throttle, '192.0.2.1', 'earlier', { isFound: true })).toBeUndefined()
  expect(await look(throttle, '192.0.2.1', 'a guess')).toBe(60)
  expect(reads).toBe(2)
})

test.each([
  ['2001:db8::1', '2001:db8::2', true],
  ['2001:db8:0:0:aaaa::1', '2001:db8::2', true],
  ['2001:db8:0:1::1', '2001:db8::1', false],
  ['::1', '::2', true],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
])('%s and %s are counted together: %s', async (one, other, isTogether) => {
  const throttle = new MissThrottle(nothingOpened)
  await missMany(throttle, one, 100)
  expect((await look(throttle, other, 'x')) !== undefined).toBe(isTogether)
})
