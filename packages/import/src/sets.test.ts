import { expect, test } from 'vitest'
import { NumberIndex } from './number-index.ts'
import { LaterRows } from './remnawave/later-rows.ts'
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

test('numbers keep their place while the index grows', () => {
  const index = new NumberIndex()
  const numbers = Array.from({ length: 5000 }, (_, place) => place * 7919 + 2 ** 33)
  for (const [place, number] of numbers.entries()) expect(index.add(number)).toBe(place)
  expect(index.add(numbers[17] ?? 0)).toBe(17)
  expect(numbers.map((number) => index.find(number))).toEqual(numbers.map((_, place) => place))
  expect(index.find(1)).toBeUndefined()
  expect(index.size).toBe(5000)
})

test('rows of later versions refer to users by number, and get back the uuid and the used bytes of each', () => {
  const later = new LaterRows()
  const uuid = (number: number) => `0a1b2c3d-4e5f-4000-9000-${String(number).padStart(12, '0')}`
  const numbers = Array.from({ length: 3000 }, (_, place) => place * 3 + 1)
  later.takeNodes([{ id: '7', uuid: uuid(0) }])
  later.takeTotals(
    numbers.map((number) => ({
      t_id: String(number),
      used_traffic_bytes: String(number * 10),
      lifetime_used_traffic_bytes: '5',
      online_at: number % 2 === 0 ? '2024-05-02 12:00:00.5' : null,
      last_connected_node_uuid: uuid(number % 5),
      first_connected_at: 'infinity',
    })),
  )
  for (const number of numbers) {
    const row = later.user({ t_id: String(number), uuid: uuid(number), username: 'x' })
    expect(row).toEqual({
      t_id: String(number),
      uuid: uuid(number),
      username: 'x',
      used_traffic_bytes: String(number * 10),
      lifetime_used_traffic_bytes: '5',
      online_at: number % 2 === 0 ? '2024-05-02 12:00:00.5' : null,
      last_connected_node_uuid: uuid(number % 5),
      first_connected_at: 'infinity',
    })
  }
  const usage = (user: number) => later.dependent({ user_id: String(user), node_id: '7', total_bytes: '9' })
  expect(usage(2998)).toMatchObject({ user_uuid: uuid(2998), node_uuid: uuid(0), upload_bytes: '0', download_bytes: '9' })
  expect(usage(2)).toMatchObject({ user_uuid: 'number 2' })
  expect(later.user({ t_id: '5', uuid: uuid(5) })).toMatchObject({ used_traffic_bytes: '0', online_at: null })
})
