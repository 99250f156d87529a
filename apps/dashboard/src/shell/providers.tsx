import { DirectionProvider, localStorageColorSchemeManager, MantineProvider, useDirection } from '@mantine/core'
import { useNotifications } from '@mantine/notifications'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useLayoutEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { directionOf } from '../lib/languages.ts'
import { fetchCode, lazyPart } from '../lib/fetch-code.ts'
import { cssVariables, theme } from '../ui/theme.ts'

// Most sign-ins show no notification.
const toasts = async () => (await import('./toasts.tsx')).Toasts
const Toasts = lazyPart(toasts)

/** The code of toasts, so that one can be shown while the server is away. */
export async function fetchToasts(): Promise<void> {
  await fetchCode(toasts)
}

// Follows the system until a theme is chosen.
const colorSchemeManager = localStorageColorSchemeManager({ key: 'colorScheme' })

/**
 * Sets the theme on the html element. Mantine sets it after the first render. Elements measured before that would
 * flash in the colours of no theme.
 */
export function nameTheme(): void {
  const chosen = colorSchemeManager.get('auto')
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.dataset['mantineColorScheme'] = chosen === 'auto' ? system : chosen
}

/** Providers of every screen: direction, theme, toasts, query cache. */
export function Providers({ client, children }: { client: QueryClient; children: ReactNode }) {
  return (
    <DirectionProvider detectDirection={false}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemeManager}
      >
        <LanguageDirection />
        <FirstToast />
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  )
}

function FirstToast() {
  const isThere = useNotifications().notifications.length > 0
  const [wasThere, setWasThere] = useState(isThere)
  if (isThere && !wasThere) setWasThere(true)
  return wasThere ? (
    <Suspense fallback={null}>
      <Toasts />
    </Suspense>
  ) : null
}

function LanguageDirection() {
  const { i18n } = useTranslation()
  const { dir, setDirection } = useDirection()
  const language = i18n.resolvedLanguage ?? 'en'
  const wanted = directionOf(language)

  // The html element carries language and direction for the browser and for screen readers. Before anything is painted, or a
  // page that reads from the right would first stand the other way round.
  useLayoutEffect(() => {
    document.documentElement.lang = language
    if (dir !== wanted) setDirection(wanted)
  }, [language, wanted, dir, setDirection])
  return null
}
