import { DirectionProvider, localStorageColorSchemeManager, MantineProvider, useDirection } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { directionOf } from '../lib/languages.ts'
import { cssVariables, theme } from '../ui/theme.ts'
import { ToastRoom } from './toast-room.tsx'

// Follows the system until somebody chooses.
const colorSchemeManager = localStorageColorSchemeManager({ key: 'colorScheme' })

/** What every screen stands on: direction, theme, toasts, query cache. */
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
        <Notifications position="bottom-right" autoClose={5000} containerWidth={380} />
        <ToastRoom />
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  )
}

function LanguageDirection() {
  const { i18n } = useTranslation()
  const { dir, setDirection } = useDirection()
  const language = i18n.resolvedLanguage ?? 'en'
  const wanted = directionOf(language)

  // The html element carries language and direction for the browser and for screen readers.
  useEffect(() => {
    document.documentElement.lang = language
    if (dir !== wanted) setDirection(wanted)
  }, [language, wanted, dir, setDirection])
  return null
}
