import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differingNames, isSameSet, mergeForeign, type EditFields } from './edit-merge.ts'

type Form = { name: string; limit: number | ''; squads: string[] }
const fields: EditFields<Form> = {
  name: { label: 'Name' },
  limit: { label: 'Limit' },
  squads: { label: 'Squads', isSame: isSameSet((uuid) => uuid) },
}
const base: Form = { name: 'a', limit: '', squads: ['x', 'y'] }
const form = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  limit: fc.constantFrom<number | ''>('', 0, 1),
  squads: fc.uniqueArray(fc.constantFrom('x', 'y', 'z')),
})

describe('what two people made of one thing', () => {
  it('takes over what only the other changed, and keeps what only we changed', () => {
    const merged = mergeForeign(fields, base, { ...base, name: 'mine' }, { ...base, limit: 5 })
    expect(merged).toEqual({
      base: { ...base, limit: 5 },
      values: { ...base, name: 'mine', limit: 5 },
      taken: ['limit'],
      conflicts: [],
    })
  })

  it('decides nothing where both changed one field, and has nothing to decide where both made the same of it', () => {
    const mine = { ...base, name: 'mine', limit: 5 }
    const merged = mergeForeign(fields, base, mine, { ...base, name: 'theirs', limit: 5 })
    expect(merged).toEqual({ base: { ...base, limit: 5 }, values: mine, taken: [], conflicts: ['name'] })
  })

  it('does not take another order for a change', () => {
    expect(differingNames(fields, { ...base, squads: ['y', 'x'] }, base)).toEqual([])
    expect(differingNames(fields, { ...base, squads: ['x'] }, base)).toEqual(['squads'])
  })

  it('loses nothing, whoever changed what', () => {
    fc.assert(
      fc.property(form, form, form, (start, mine, theirs) => {
        const { base: after, values, taken, conflicts } = mergeForeign(fields, start, mine, theirs)
        const byMe = differingNames(fields, mine, start)
        const byThem = differingNames(fields, theirs, start)
        // What we entered stands; what we left alone shows what the other made of it.
        expect(differingNames(fields, values, mine)).toEqual(taken)
        expect(differingNames(fields, values, theirs).filter((name) => !byMe.includes(name))).toEqual([])
        // Whatever the other changed is shown, or asked about, or is the same as ours.
        expect([...taken, ...conflicts].sort()).toEqual(
          byThem.filter((name) => differingNames(fields, mine, theirs).includes(name)).sort(),
        )
        // What would be sent is ours alone, and never silently against theirs.
        for (const name of differingNames(fields, values, after)) expect(byMe).toContain(name)
        expect(differingNames(fields, theirs, after).sort()).toEqual([...conflicts].sort())
      }),
    )
  })
})
