import {
  createTheme,
  defaultVariantColorsResolver,
  isLightColor,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineTheme,
} from '@mantine/core'
import type { MouseEvent } from 'react'

// Mantine reads its dark surfaces from this tuple. 0: text, 2: dimmed text, 3: placeholder, 4: hairline, 5: hover, 6:
// field and default button, 7: body.
const dark: MantineColorsTuple = [
  '#dde4ec',
  '#b9c3cf',
  '#93a0af',
  '#8491a1',
  '#28303a',
  '#222a34',
  '#1c232c',
  '#0c0f14',
  '#090c10',
  '#06080b',
]

// Their <header> would count as a second banner of the page.
const plainHeader = { attributes: { header: { role: 'presentation' } } }
/** One style of titles for all dialogs. */
const titled = { title: { minWidth: 0, fontSize: 'var(--mantine-font-size-lg)', fontWeight: 600, lineHeight: 1.4 } }
const still = { transitionProps: { duration: 150 } }

/**
 * Typing into a searchable list replaces the chosen text; appended to it, the search would find nothing. Enter takes
 * the first match.
 */
const searched = {
  selectFirstOptionOnChange: true,
  // As the browser itself does on Tab.
  onMouseDown: (event: MouseEvent<HTMLInputElement>) => {
    const input = event.currentTarget
    if (input.readOnly || input === document.activeElement) return
    event.preventDefault()
    input.focus()
    input.select()
  },
}

/** A dialog gives the focus back to where it was; the entry that opened it goes with its menu, the menu's button stays. */
function focusTarget(): void {
  const button = document.activeElement?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  if (button) document.getElementById(button)?.focus({ preventScroll: true })
}

/** The delay before a button's tooltip appears. */
export const TOOLTIP_DELAY_MS = 300

const LIGHT_SHADE = 9
const DARK_SHADE = 6
const LUMINANCE_THRESHOLD = 0.2

export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: { light: LIGHT_SHADE, dark: DARK_SHADE },
  autoContrast: true,
  // Mantine picks the colour of words on a filled surface once, for the light theme's shade; ours depends on the theme.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input)
    const name = input.color || input.theme.primaryColor
    return input.variant === 'filled' && name in input.theme.colors ? { ...colors, color: `var(--on-${name})` } : colors
  },
  luminanceThreshold: LUMINANCE_THRESHOLD,
  respectReducedMotion: true,
  cursorType: 'pointer',
  defaultRadius: 'md',
  radius: { xs: '0.25rem', sm: '0.25rem', md: '0.5rem', lg: '0.5rem', xl: '0.5rem' },
  colors: { dark },
  fontFamily: "'Montserrat Variable', 'Vazirmatn Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SFMono-Regular', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  // Four sizes: small print, text, section, page title.
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.8125rem', lg: '1rem', xl: '1.375rem' },
  lineHeights: { xs: '1.35', sm: '1.45', md: '1.45', lg: '1.4', xl: '1.3' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.8125rem', lineHeight: '1.45' },
      h4: { fontSize: '0.8125rem', lineHeight: '1.45' },
      h5: { fontSize: '0.75rem', lineHeight: '1.35' },
      h6: { fontSize: '0.75rem', lineHeight: '1.35' },
    },
  },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  // Not by `Modal.extend()`: naming the components here would load all of them with the sign-in page.
  components: {
    Button: { defaultProps: { size: 'sm' }, styles: { label: { fontWeight: 600 } } },
    InputWrapper: { styles: { label: { marginBottom: 4 }, description: { marginBottom: 4 } } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'md' } },
    Badge: {
      defaultProps: { radius: 'sm', tt: 'none', fw: 500 },
      // A name is shortened at its own end, whichever way the page is read.
      styles: { label: { unicodeBidi: 'plaintext' } },
    },
    Modal: {
      defaultProps: { ...still, ...plainHeader, centered: true, overlayProps: { backgroundOpacity: 0.6 } },
      styles: titled,
    },
    Drawer: {
      defaultProps: { ...still, ...plainHeader, position: 'right', overlayProps: { backgroundOpacity: 0.6 } },
      styles: titled,
    },
    Select: { defaultProps: searched },
    Menu: { defaultProps: { ...still, shadow: 'md', position: 'bottom-end', withinPortal: true, onClose: focusTarget } },
    Tooltip: { defaultProps: { ...still, openDelay: TOOLTIP_DELAY_MS, withArrow: true } },
  },
})

/**
 * Tokens that our style sheets use instead of colours: the four surfaces from back to front, the hairline, the accent
 * of actions, states (each with a word or an icon beside it), and quiet signs.
 */
const palette = {
  dark: {
    '--surface-page': '#0c0f14',
    '--surface-panel': '#12161c',
    '--surface-raised': '#171c24',
    '--surface-field': '#1c232c',
    '--hairline': '#28303a',
    '--accent': '#22b8cf',
    '--good': '#38d9a9',
    '--warn': '#fcc419',
    '--warn-mark': '#fcc419',
    '--warn-tint': '#2e2a1a',
    '--bad': '#ff6b6b',
    '--idle': '#adb5bd',
    '--info': '#4dabf7',
    '--quiet': '#8491a1',
    '--track': '#28303a',
    // Not `--button-hover`, from which Mantine colours its filled buttons.
    '--button-raised': '#28313c',
    '--button-raised-hover': '#323d4a',
    '--skeleton': '#252d37',
    '--flag-edge': '#8491a1',
  },
  light: {
    '--surface-page': '#eceff3',
    '--surface-panel': '#ffffff',
    '--surface-raised': '#ffffff',
    '--surface-field': '#ffffff',
    '--hairline': '#d3dae2',
    '--accent': '#0b7285',
    '--good': '#066e4e',
    // Amber that can be read is brown: words are as light as they may be, and stand on amber where they are on a badge.
    '--warn': '#855000',
    '--warn-mark': '#d98200',
    '--warn-tint': '#ffeab8',
    '--bad': '#b32424',
    '--idle': '#525d69',
    '--info': '#1864ab',
    '--quiet': '#5d6975',
    '--track': '#dfe4ea',
    '--button-raised': '#e6eaef',
    '--button-raised-hover': '#d9dfe6',
    '--skeleton': '#e3e8ed',
    '--flag-edge': '#3b4653',
  },
} as const

/** The editors' own surfaces: they stay dark in the light theme too. */
export const editorColors = {
  'editor.foreground': '#dde4ec',
  'editor.background': palette.dark['--surface-panel'],
  'editorGutter.background': palette.dark['--surface-panel'],
  'minimap.background': palette.dark['--surface-panel'],
  'editorStickyScroll.background': palette.dark['--surface-raised'],
  'editorWidget.background': palette.dark['--surface-raised'],
  'editorWidget.border': palette.dark['--hairline'],
  'input.background': palette.dark['--surface-field'],
  focusBorder: palette.dark['--accent'],
  'editorLineNumber.foreground': palette.dark['--quiet'],
  'editorError.foreground': palette.dark['--bad'],
  'editorWarning.foreground': palette.dark['--warn'],
} as const

/** Names our colours in both themes and puts Mantine's own surfaces and texts on them. */
export const cssVariables: CSSVariablesResolver = (theme) => ({
  variables: {},
  light: {
    ...palette.light,
    ...wordsOnFilled(theme, LIGHT_SHADE),
    '--mantine-color-body': palette.light['--surface-page'],
    '--mantine-color-default': palette.light['--surface-field'],
    '--mantine-color-default-hover': '#eaeef2',
    '--mantine-color-default-border': '#c4ccd5',
    '--mantine-color-text': '#1c2530',
    '--mantine-color-bright': '#0d131a',
    '--mantine-color-dimmed': '#525e6b',
    '--mantine-color-placeholder': '#66727f',
    '--mantine-color-error': palette.light['--bad'],
    // Mantine's own yellow cannot be read on white.
    '--mantine-color-yellow-light-color': palette.light['--warn'],
    '--mantine-color-yellow-text': palette.light['--warn'],
    '--mantine-color-yellow-light': palette.light['--warn-tint'],
    '--mantine-color-teal-light-color': palette.light['--good'],
  },
  dark: {
    ...palette.dark,
    ...wordsOnFilled(theme, DARK_SHADE),
    '--mantine-color-body': palette.dark['--surface-page'],
    '--mantine-color-default': palette.dark['--surface-field'],
    '--mantine-color-default-hover': '#222a34',
    '--mantine-color-default-border': '#303a46',
    '--mantine-color-text': '#dde4ec',
    '--mantine-color-bright': '#f2f5f8',
    '--mantine-color-dimmed': '#93a0af',
    '--mantine-color-placeholder': '#8491a1',
    '--mantine-color-error': '#ff8787',
    // Mantine's own are as heavy as buttons.
    '--mantine-color-yellow-light': palette.dark['--warn-tint'],
    '--mantine-color-red-light': '#33191d',
  },
})

/** Black or white, whichever can be read on a filled surface of each colour. */
function wordsOnFilled(theme: MantineTheme, shade: number): Record<string, string> {
  return Object.fromEntries(
    Object.entries(theme.colors).map(([name, shades]) => [
      `--on-${name}`,
      isLightColor(shades[shade] ?? '', LUMINANCE_THRESHOLD) ? 'var(--mantine-color-black)' : 'var(--mantine-color-white)',
    ]),
  )
}
