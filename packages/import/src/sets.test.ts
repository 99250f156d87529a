import { expect, test } from 'vitest'
import { TextSet } from './text-set.ts'
import { UuidIndex } from './uuid-index.ts'

const uuid = (number: number) =>
  `${((number * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`

test('numbers are found by their uuids, however many there are, and no other uuid has one', () => {
  const index = new UuidIndex()
  for (let number = 0; number < 50_000; number++) expect(index.add(uuid(number), number * 2)).toBe(true)
  expect(index.add(uuid(7), 1)).toBe(false)
  expect(index.size).toBe(50_000)
  for (let number = 0; number < 50_000; number++) if (index.get(uuid(number)) !== number * 2) throw new Error(`lost ${number}`)
  expect(index.get(uuid(50_000))).toBeUndefined()
  expect(index.get(uuid(7).toUpperCase())).toBe(14)
})

test('texts are known once they were added, and no others', () => {
  const set = new TextSet()
  for (let number = 0; number < 50_000; number++) if (!set.add(`name_${number}`)) throw new Error(`two are one: ${number}`)
  for (let number = 0; number < 50_000; number++) if (!set.has(`name_${number}`)) throw new Error(`lost ${number}`)
  expect(set.add('name_7')).toBe(false)
  expect([set.has('name_50000'), set.has('')]).toEqual([false, false])
})
