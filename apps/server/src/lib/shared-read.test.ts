import { expect, test } from 'vitest'
import { sharedRead } from './shared-read.ts'

function readings() {
  const begun: { resolve: (value: number) => void; reject: (error: Error) => void }[] = []
  const read = sharedRead(() => new Promise<number>((resolve, reject) => void begun.push({ resolve, reject })))
  return { begun, read }
}

test('all who ask while something is being read share the reading after it, which sees what they have done before', async () => {
  const { begun, read } = readings()
  const first = read()
  const later = [read(), read(), read()]
  expect(begun).toHaveLength(1)
  begun[0]?.resolve(1)
  await expect(first).resolves.toBe(1)
  await expect.poll(() => begun.length).toBe(2)
  // Asked after the second has begun: not its share.
  const last = read()
  begun[1]?.resolve(2)
  await expect(Promise.all(later)).resolves.toEqual([2, 2, 2])
  await expect.poll(() => begun.length).toBe(3)
  begun[2]?.resolve(3)
  await expect(last).resolves.toBe(3)
})

test('a reading that fails fails for those who asked for it, and the next one is read', async () => {
  const { begun, read } = readings()
  const first = read()
  const second = read()
  begun[0]?.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.resolve(2)
  await expect(second).resolves.toBe(2)
  const third = read()
  begun[2]?.resolve(3)
  await expect(third).resolves.toBe(3)
})
