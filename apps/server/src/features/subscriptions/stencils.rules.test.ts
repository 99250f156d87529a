import { expect, it, vi } from 'vitest'
import type { Stencil } from '@causeway/subscription'
import { Stencils } from './stencils.rules.ts'

const stencil = (length: number): Stencil => ({
  format: { kind: 'links' },
  contentType: 'text/plain',
  texts: ['x'.repeat(length)],
  isAscii: true,
  holes: [],
})

it.each([
  ['kinds', 10],
  ['letters', 50_000],
])('whoever asks for as many %s as there is room for takes it from the others for a minute, not for ever', (_, length) => {
  const stencils = new Stencils()
  const made = stencil(length)
  for (let kind = 0; kind < 1000; kind++) stencils.find(`${kind}`, 0, () => made)
  const make = vi.fn<() => Stencil>(() => made)
  expect(stencils.find('other', 59_000, make)).toBeNull()
  expect(make).not.toHaveBeenCalled()
  expect(stencils.find('0', 59_000, make)).toBe(made)
  expect(stencils.find('other', 60_000, make)).toBe(made)
  expect(stencils.find('other', 60_000, make)).toBe(made)
  expect(make).toHaveBeenCalledTimes(1)
})

it('each external squad brings room for texts of its members', () => {
  const made = stencil(50_000)
  const kept = (squads: number) => {
    const stencils = new Stencils(squads)
    return Array.from({ length: 900 }, (_, kind) => stencils.find(`${kind}`, 0, () => made)).filter(Boolean).length
  }
  expect([kept(0), kept(50), kept(1000)]).toEqual([80, 580, 640])
})

it('long names of kinds take room, too', () => {
  const stencils = new Stencils()
  for (let kind = 0; kind < 50; kind++) stencils.find(`${kind}`.padEnd(100_000), 0, () => null)
  const make = vi.fn<() => Stencil>(() => stencil(1))
  expect(stencils.find('other', 0, make)).toBeNull()
  expect(make).not.toHaveBeenCalled()
})
