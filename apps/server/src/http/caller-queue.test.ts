import { expect, test } from 'vitest'
import { systemCaller, type Caller } from '../ctx.ts'
import { CallerQueue } from './caller-queue.ts'

const ann: Caller = { ...systemCaller, kind: 'apiToken', uuid: 'ann' }
const bob: Caller = { ...systemCaller, kind: 'apiToken', uuid: 'bob' }

/** Work that ends when it is told to. */
function piece() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let hasBegun = false
  const work = async () => {
    hasBegun = true
    await promise
  }
  return { work, end: resolve, hasBegun: () => hasBegun }
}
const soon = () => new Promise((resolve) => setTimeout(resolve, 5))

test('one caller has one piece of work at a time, in the order asked for, and does not hold up another', async () => {
  const queue = new CallerQueue(10)
  const [first, second, other] = [piece(), piece(), piece()]
  const asked = [queue.run(ann, first.work), queue.run(ann, second.work), queue.run(bob, other.work)]
  await soon()
  expect([first, second, other].map(({ hasBegun }) => hasBegun())).toEqual([true, false, true])
  first.end()
  await soon()
  expect(second.hasBegun()).toBe(true)
  second.end()
  other.end()
  await Promise.all(asked)
})

test('what waits is bounded per caller, and a place is free again when work has ended or failed', async () => {
  const queue = new CallerQueue(2)
  const pieces = [piece(), piece(), piece()]
  const asked = pieces.map(({ work }) => queue.run(ann, work))
  await expect(queue.run(ann, async () => {})).rejects.toMatchObject({ status: 429, retryAfterSeconds: 1 })
  await expect(queue.run(bob, async () => 'served')).resolves.toBe('served')
  for (const { end } of pieces) end()
  await Promise.all(asked)
  await expect(queue.run(ann, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  await expect(queue.run(ann, async () => 'served')).resolves.toBe('served')
})

test('other work of the event loop is done between two pieces', async () => {
  const queue = new CallerQueue(10)
  const order: string[] = []
  const asked = ['a', 'b'].map((name) => queue.run(ann, async () => void order.push(name)))
  setImmediate(() => {
    order.push('other')
  })
  await Promise.all(asked)
  expect(order).toEqual(['a', 'other', 'b'])
})
