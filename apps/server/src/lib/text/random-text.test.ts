import { expect, test } from 'vitest'
import { randomText } from './random-text.ts'

test('random texts have their length, differ, and use each of 60 letters about as often', () => {
  const texts = Array.from({ length: 2000 }, () => randomText(30))
  expect(new Set(texts).size).toBe(texts.length)
  expect(texts.every((text) => /^[\w-]{30}$/.test(text) && !/[IlOi]/.test(text))).toBe(true)
  const counts = new Map<string, number>()
  for (const letter of texts.join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  expect(counts.size).toBe(60)
  // 1000 each on average, with a deviation of 31: six deviations are exceeded once in 500 million letters.
  for (const [letter, count] of counts) expect({ letter, isEven: Math.abs(count - 1000) < 190 }).toEqual({ letter, isEven: true })
})
