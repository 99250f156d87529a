import { expect, it } from 'vitest'
import { worldOutline, writtenWorldOutline } from './world-outline.ts'

it('the outline of the world is what its data give: node scripts/world-outline.ts', () => {
  const outline = worldOutline()
  expect(outline === writtenWorldOutline()).toBe(true)
  expect(outline.length).toBeLessThan(60_000)
})
