import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HashedSet } from './hashed-set.ts'

const first = '550e8400-e29b-41d4-a716-446655440000'
const second = '123e4567-e89b-12d3-a456-426614174000'
const third = '00000000-0000-4000-8000-000000000001'

describe('the hash of a set of users', () => {
  it.each([
    [[], '0000000000000000'],
    [['a'], '0002b606000565d0'],
    [['a', 'b'], '0000000100000025'],
    [[first], '-6a5957487275060a'],
    [[second], '-2a1aabc1-2b709df3'],
    [[third], '36cf8b86-6ee91190'],
    [[first, second, third], '768c770137ec8a77'],
    [[first, third], '-5c96dcc2-1c9c1786'],
  ])('has the text that agents compute: %j', (members, text) => {
    expect(new HashedSet(members).hash).toBe(text)
  })

  it('pads short negative numbers with the sign inside the eight characters', () => {
    expect([...shortHashes()].some((hash) => /0-[0-9a-f]/.test(hash))).toBe(true)
    for (const hash of shortHashes()) expect(hash.length).toBeGreaterThanOrEqual(16)
  })

  it('depends on the members only, not on the order or the history', () => {
    const members = fc.array(fc.string())
    fc.assert(
      fc.property(members, members, (kept, gone) => {
        const set = new HashedSet([...gone, ...kept])
        for (const member of gone) if (!kept.includes(member)) set.remove(member)
        const fresh = new HashedSet(kept.toReversed())
        expect(set.hash).toBe(fresh.hash)
        expect(set.size).toBe(fresh.size)
        expect(new Set(set.values())).toEqual(new Set(kept))
      }),
    )
  })

  it('does not change when a member is added twice or an absent one removed', () => {
    const set = new HashedSet(['a'])
    expect(set.add('a')).toBe(false)
    expect(set.remove('b')).toBe(false)
    expect(set.hash).toBe('0002b606000565d0')
    expect(set.remove('a')).toBe(true)
    expect(set.hash).toBe('0000000000000000')
    set.add('b')
    set.clear()
    expect([set.size, set.hash, set.has('b')]).toEqual([0, '0000000000000000', false])
  })
})

/** XOR of many members reaches every magnitude, small negative numbers among them. */
function* shortHashes(): Generator<string> {
  for (let left = 0; left < 2000; left++) yield new HashedSet([String.fromCharCode(left) + 'ab', 'zz' + left]).hash
}
