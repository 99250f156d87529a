import { ACCENT_GROUNDS, contrastOf } from '@causeway/contract'
import { DEFAULT_THEME, mergeMantineTheme } from '@mantine/core'
import { expect, it } from 'vitest'
import { cssVariables, theme } from './theme.ts'

const SURFACES = ['--surface-page', '--surface-panel', '--surface-raised', '--surface-field'] as const

it('a chosen accent is computed against the surface of each theme on which it is hardest to read', () => {
  const { dark, light } = cssVariables(mergeMantineTheme(DEFAULT_THEME, theme))
  const of = (colors: Record<string, string>) => SURFACES.map((name) => colors[name] ?? '')
  expect(of(dark).toSorted((a, b) => contrastOf(a, '#ffffff') - contrastOf(b, '#ffffff'))[0]).toBe(ACCENT_GROUNDS.dark)
  expect(of(light).toSorted((a, b) => contrastOf(a, '#000000') - contrastOf(b, '#000000'))[0]).toBe(ACCENT_GROUNDS.light)
})
