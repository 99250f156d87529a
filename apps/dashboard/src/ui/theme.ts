import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

// Mantine reads its dark surfaces from this tuple: 0 text, 2 dimmed text, 3 placeholder, 4 hairline, 5 hover, 6 field and
// default button, 7 body.
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

/** The four surfaces, back to front. */
const surfaces = { page: '#0c0f14', panel: '#12161c', raised: '#171c24', field: '#1c232c' } as const

// Their <header> would count as a second banner of the page.
const plainHeader = { attributes: { header: { role: 'presentation' } } }
const still = { transitionProps: { duration: 150 } }

export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: { light: 6, dark: 6 },
  autoContrast: true,
  luminanceThreshold: 0.2,
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
    Badge: { defaultProps: { radius: 'sm', tt: 'none', fw: 500 } },
    Modal: { defaultProps: { ...still, ...plainHeader, centered: true, overlayProps: { backgroundOpacity: 0.6 } } },
    Drawer: { defaultProps: { ...still, ...plainHeader, position: 'right', overlayProps: { backgroundOpacity: 0.6 } } },
    Menu: { defaultProps: { ...still, shadow: 'md', position: 'bottom-end', withinPortal: true } },
    Tooltip: { defaultProps: { ...still, openDelay: 300, withArrow: true } },
  },
})

/** Names our four surfaces and puts Mantine's own on them. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--surface-page': surfaces.page,
    '--surface-panel': surfaces.panel,
    '--surface-raised': surfaces.raised,
    '--surface-field': surfaces.field,
    '--hairline': '#28303a',
  },
  light: {},
  dark: {
    '--mantine-color-body': surfaces.page,
    '--mantine-color-default': surfaces.field,
    '--mantine-color-default-hover': '#222a34',
    '--mantine-color-default-border': '#303a46',
    '--mantine-color-text': '#dde4ec',
    '--mantine-color-bright': '#f2f5f8',
    '--mantine-color-dimmed': '#93a0af',
    '--mantine-color-placeholder': '#8491a1',
    '--mantine-color-error': '#ff8787',
  },
})
