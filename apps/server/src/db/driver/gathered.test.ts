import { expect, test } from 'vitest'
import { gathered } from './gathered.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

function finder(answer: (keys: string[]) => Promise<string[]> = async (keys) => keys.filter((key) => key !== 'nobody')) {
  const asked: string[][] = []
  const find = gathered(
    (keys) => {
      asked.push(keys)
      return answer(keys)
    },
    (row) => row,
  )
  return { find, asked }
}

test('what is asked for in one turn is found by one statement, and each gets its own', async () => {
  const { find, asked } = finder(async (keys) => keys.filter((key) => key !== 'nobody').toReversed())
  expect(await Promise.all(['a', 'b', 'nobody', 'a'].map(find))).toEqual(['a', 'b', undefined, 'a'])
  expect(asked).toEqual([['a', 'b', 'nobody']])
})

test('what is asked for later is not answered with what was found before', async () => {
  let row: string[] = []
  const { find } = finder(async () => row)
  const early = find('a')
  await turn()
  row = ['a']
  expect(await find('a')).toBe('a')
  expect(await early).toBeUndefined()
})

test('a statement has no more than fifty, and the others do not wait for it', async () => {
  const { find, asked } = finder((keys) => (keys.includes('0') ? new Promise(() => {}) : Promise.resolve(keys)))
  const found = Array.from({ length: 120 }, (_, number) => find(String(number)))
  expect(await Promise.all(found.slice(50))).toEqual(Array.from({ length: 70 }, (_, number) => String(50 + number)))
  expect(asked.map((keys) => keys.length)).toEqual([50, 50, 20])
})

test('where it fails, it fails for those who asked together, and the next who ask are answered', async () => {
  let isDown = true
  const { find } = finder(async (keys) => {
    if (isDown) throw new Error('the database is away')
    return keys
  })
  const results = await Promise.allSettled([find('a'), find('b')])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isDown = false
  expect(await find('a')).toBe('a')
})
