import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { Cache } from './cache.ts'

it('reads each key once, and again once everything is forgotten', () => {
  const cache = new Cache<string>({ most: 10 })
  let count = 0
  const find = (key: string) => cache.find(key, () => `${key} ${(count += 1)}`)
  expect([find('a'), find('b'), find('a')]).toEqual(['a 1', 'b 2', 'a 1'])
  cache.forget()
  expect([find('a'), find('a')]).toEqual(['a 3', 'a 3'])
})

it('shares one reading among callers at the same time, and reads again when it has become old', async () => {
  const cache = new Cache<Promise<number>>({ most: 10, isFresh: (ageMs) => ageMs < 30 })
  let count = 0
  const find = () => cache.find('', () => sleep(50, (count += 1)))
  expect(await Promise.all([find(), find()])).toEqual([1, 1])
  expect(await find()).toBe(1)
  await sleep(40)
  expect(await find()).toBe(2)
})

it('judges freshness by the value, which is not known while it is read', async () => {
  const isFresh = vi.fn<(age: number, value: string | null | undefined) => boolean>((_age, value) => value !== null)
  const cache = new Cache<Promise<string | null>>({ most: 10, isFresh })
  const first = cache.find('', () => Promise.resolve(null))
  expect(cache.find('', () => Promise.resolve('in vain'))).toBe(first)
  expect(isFresh).toHaveBeenCalledWith(0, undefined)
  expect(await first).toBeNull()
  expect(await cache.find('', () => Promise.resolve('found'))).toBe('found')
})

it('keeps no failure, and nothing that was being read when everything was forgotten', async () => {
  const cache = new Cache<Promise<string>>({ most: 10 })
  await expect(cache.find('', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  const old = cache.find('', () => sleep(10, 'old'))
  cache.forget()
  const renewed = cache.find('', () => sleep(20, 'new'))
  expect([await old, await renewed]).toEqual(['old', 'new'])
  expect(await cache.find('', () => Promise.resolve('in vain'))).toBe('new')
})

it('a failure that comes late leaves its successor in place', async () => {
  const cache = new Cache<Promise<string>>({ most: 10 })
  const failing = cache.find('', () => sleep(10).then(() => Promise.reject(new Error('away'))))
  cache.forget()
  const renewed = cache.find('', () => Promise.resolve('new'))
  await expect(failing).rejects.toThrow('away')
  expect(cache.find('', () => Promise.resolve('in vain'))).toBe(renewed)
})

it('drops everything beyond its bound, by number or by weight', () => {
  const read = vi.fn<(text: string) => string>((text) => text)
  const few = new Cache<string>({ most: 2 })
  for (const key of ['a', 'b', 'b', 'c', 'c', 'a']) few.find(key, () => read(key))
  expect(read.mock.calls.flat()).toEqual(['a', 'b', 'c', 'a'])
  read.mockClear()
  const heavy = new Cache<string>({ most: 4, weigh: (value) => value.length })
  for (const key of ['aaaa', 'b', 'b', 'cc', 'b', 'd', 'b', 'e', 'b']) heavy.find(key, () => read(key))
  expect(read.mock.calls.flat()).toEqual(['aaaa', 'b', 'cc', 'd', 'e', 'b'])
})
