import { expect, test } from 'vitest'
import { ListMemory } from './json-rows.ts'

const LARGE = 300 * 1024

test('memory of a large list is used again once it is given back, and not before', () => {
  const memory = new ListMemory()
  const [first, second] = [memory.take(LARGE), memory.take(LARGE)]
  expect(second).not.toBe(first)
  memory.give(first)
  expect(memory.take(LARGE)).toBe(first)
  expect(memory.take(LARGE)).not.toBe(first)
})

test('memory of small lists, of huge ones and of many at once is left to the collector', () => {
  const memory = new ListMemory()
  const small = memory.take(1000)
  memory.give(small)
  memory.give(Buffer.alloc(9 * 1024 * 1024))
  const given = Array.from({ length: 9 }, (): Buffer => Buffer.alloc(LARGE))
  for (const buffer of given) memory.give(buffer)
  const taken = Array.from({ length: 9 }, () => memory.take(LARGE))
  expect(taken.filter((buffer) => given.includes(buffer))).toHaveLength(4)
  expect(memory.take(1000)).not.toBe(small)
})
