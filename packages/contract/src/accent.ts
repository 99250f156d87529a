import { z } from 'zod'

// The colour of actions that an operator chooses. It is only a wish: every shade is brought to a contrast that can be read, in both
// themes. Colours of states are no part of it.

export const accentColor = z
  .string()
  .regex(/^#[\da-fA-F]{6}$/, 'must be a colour such as #22b8cf')
  .transform((text) => text.toLowerCase())

/** Surfaces that the accent stands on: of each theme the one that is nearest to it. */
export const ACCENT_GROUNDS = { dark: '#1c232c', light: '#eceff3' } as const
export type AccentScheme = keyof typeof ACCENT_GROUNDS

/** WCAG 2.2: words, and what is known by its shape. */
export const WORDS_CONTRAST = 4.5
export const SHAPE_CONTRAST = 3
const STEPS = 100
const MOST_DARKENING = 20

export interface AccentShades {
  /** Words and lines on the surfaces. */
  accent: string
  /** Of filled buttons, under the pointer too, and the words on them. */
  filled: string
  filledHover: string
  onFilled: string
  /** Of badges and chosen entries, and the words on them. */
  tint: string
  tintHover: string
  onTint: string
}

export function accentShades(color: string, scheme: AccentScheme): AccentShades {
  const ground = ACCENT_GROUNDS[scheme]
  const away = scheme === 'dark' ? WHITE : BLACK
  const shape = reach(color, away, SHAPE_CONTRAST, [ground])
  // White words where a little darkness makes them readable: black ones on a strong colour look like a fault.
  const darker = reachWithin(shape, BLACK, WORDS_CONTRAST, [WHITE], MOST_DARKENING)
  const isWhite = darker !== undefined && contrastOf(darker, ground) >= SHAPE_CONTRAST
  const filled = isWhite ? darker : shape
  const onFilled = isWhite || contrastOf(filled, WHITE) > contrastOf(filled, BLACK) ? WHITE : BLACK
  const accent = reach(color, away, WORDS_CONTRAST, [ground])
  const tint = mixOf(ground, filled, 0.16)
  const tintHover = mixOf(ground, filled, 0.24)
  return {
    accent,
    filled,
    // Away from the words, which are read even better then.
    filledHover: mixOf(filled, onFilled === BLACK ? WHITE : BLACK, 0.12),
    onFilled,
    tint,
    tintHover,
    onTint: reach(accent, away, WORDS_CONTRAST, [tint, tintHover]),
  }
}

/** Of the element in the start document that carries it. */
export const ACCENT_STYLE_ID = 'accent'

/** The style sheet that gives the dashboard the colour. It outweighs that of the component library, wherever it stands. */
export function accentStyle(color: string): string {
  const schemes = (['dark', 'light'] as const)
    .map((scheme) => {
      const { accent, filled, filledHover, onFilled, tint, tintHover, onTint } = accentShades(color, scheme)
      const shades = { 0: mixOf(filled, WHITE, 0.9), 4: accent, 5: accent, 6: filled, 7: filledHover, 8: filledHover, 9: accent }
      const lines = {
        '--accent': accent,
        '--on-cyan': onFilled,
        ...Object.fromEntries(Object.entries(shades).map(([step, shade]) => [`${FAMILY}-${step}`, shade])),
        [`${FAMILY}-filled`]: filled,
        [`${FAMILY}-filled-hover`]: filledHover,
        [`${FAMILY}-light`]: tint,
        [`${FAMILY}-light-hover`]: tintHover,
        [`${FAMILY}-light-color`]: onTint,
        [`${FAMILY}-outline`]: accent,
        [`${FAMILY}-outline-hover`]: `${accent}0d`,
        [`${FAMILY}-text`]: accent,
        '--mantine-color-anchor': accent,
      }
      const text = Object.entries(lines).map(([name, value]) => `${name}:${value}`)
      return `html:root[data-mantine-color-scheme='${scheme}']{${text.join(';')}}`
    })
    .join('')
  return `${schemes}${ICONS}`
}

/** Signs in boxes, which the component library colours by its own shade. */
const ICONS =
  '.mantine-Checkbox-root{--checkbox-icon-color:var(--on-cyan)!important}.mantine-Radio-root{--radio-icon-color:var(--on-cyan)!important}'

/** The family of shades that actions have in the component library. */
const FAMILY = '--mantine-color-cyan'

/** The same for the page of subscribers, which knows two colours of it. */
export function accentStyleOfPage(color: string): string {
  const lines = (scheme: AccentScheme) => {
    const { accent } = accentShades(color, scheme)
    const on = contrastOf(accent, BLACK) > contrastOf(accent, WHITE) ? BLACK : WHITE
    return `:root{--a:${accent};--on:${on}}`
  }
  return `${lines('light')}@media(prefers-color-scheme:dark){${lines('dark')}}`
}

const BLACK = '#000000'
const WHITE = '#ffffff'

/** The color, or the nearest mix with black or white that has the contrast to all of the grounds. */
function reach(color: string, away: string, contrast: number, grounds: readonly string[]): string {
  return reachWithin(color, away, contrast, grounds, STEPS) ?? away
}

/** The same with at most so many hundredths of the other. */
function reachWithin(
  color: string,
  away: string,
  contrast: number,
  grounds: readonly string[],
  most: number,
): string | undefined {
  for (let step = 0; step < most; step += 1) {
    const mixed = mixOf(color, away, step / STEPS)
    if (grounds.every((ground) => contrastOf(mixed, ground) >= contrast)) return mixed
  }
  return undefined
}

/** WCAG's ratio of two colors, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** `part` of the second color in the first. */
function mixOf(one: string, other: string, part: number): string {
  const others = channelsOf(other)
  const mixed = channelsOf(one).map((channel, place) => Math.round(channel + ((others[place] ?? 0) - channel) * part))
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
}
