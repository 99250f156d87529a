import { expect, it } from 'vitest'
import {
  ACCENT_GROUNDS,
  accentColor,
  accentShades,
  accentStyle,
  accentStyleOfPage,
  contrastOf,
  SHAPE_CONTRAST,
  WORDS_CONTRAST,
} from './accent.ts'

/** 343 colours over the whole space, with black, white, and the greys between them. */
const LEVELS = [0, 43, 85, 128, 170, 213, 255].map((level) => level.toString(16).padStart(2, '0'))
const COLORS = LEVELS.flatMap((red) => LEVELS.flatMap((green) => LEVELS.map((blue) => `#${red}${green}${blue}`)))

it('any color can be read in both themes: words on it, and itself on the surfaces', () => {
  const wrong = COLORS.flatMap((color) =>
    (['dark', 'light'] as const).flatMap((scheme) => {
      const { accent, filled, filledHover, onFilled, tint, tintHover, onTint } = accentShades(color, scheme)
      const ground = ACCENT_GROUNDS[scheme]
      const pairs = [
        [accent, ground, WORDS_CONTRAST],
        [filled, ground, SHAPE_CONTRAST],
        [onFilled, filled, WORDS_CONTRAST],
        [onFilled, filledHover, WORDS_CONTRAST],
        [onTint, tint, WORDS_CONTRAST],
        [onTint, tintHover, WORDS_CONTRAST],
      ] as const
      return pairs.filter(([one, other, least]) => contrastOf(one, other) < least).map((pair) => [color, scheme, ...pair])
    }),
  )
  expect(wrong).toEqual([])
})

it('a color that can be read already is taken as it is', () => {
  expect(accentShades('#22b8cf', 'dark')).toMatchObject({ accent: '#22b8cf', filled: '#22b8cf', onFilled: '#000000' })
  expect(accentShades('#0b7285', 'light')).toMatchObject({ accent: '#0b7285', filled: '#0b7285', onFilled: '#ffffff' })
  expect(accentShades('#9061f9', 'dark')).toMatchObject({ accent: '#9a6ffa', onFilled: '#ffffff' })
  expect([contrastOf('#000000', '#ffffff'), contrastOf('#777777', '#ffffff').toFixed(2)]).toEqual([21, '4.48'])
})

it('the style sheets name the colors of actions, and none of a state', () => {
  const names = [...accentStyle('#8b5cf6').matchAll(/(--[\w-]+):(?!var)/g)].map(([, name = '']) => name)
  expect(new Set(names.filter((name) => !name.startsWith('--mantine-color-cyan')))).toEqual(
    new Set(['--accent', '--on-cyan', '--mantine-color-anchor']),
  )
  expect(accentStyleOfPage('#8b5cf6')).toMatch(
    /^:root\{--a:#\w{6};--on:#\w{6}\}@media\(prefers-color-scheme:dark\)\{:root\{.*\}\}$/,
  )
})

it.each(['22b8cf', '#22b8c', '#22b8cg', 'red', '#22b8cf;}', ''])('%j is no color', (text) => {
  expect(accentColor.safeParse(text).success).toBe(false)
})

it('a color is kept in small letters', () => {
  expect(accentColor.parse('#22B8CF')).toBe('#22b8cf')
})
