import '../src/lib/zod-jitless.ts'
import '@fontsource-variable/montserrat/index.css'
import '@fontsource-variable/vazirmatn/index.css'
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '../src/ui/base.css'
import { notifications } from '@mantine/notifications'
import i18n from 'i18next'
import { afterEach, vi } from 'vitest'
import { cleanup } from 'vitest-browser-react'
import { endSession } from '../src/api/session.ts'
import { endFakeApi, fakeFetch } from './fake-api.ts'

globalThis.fetch = fakeFetch

afterEach(async () => {
  keepTheme()
  await cleanup()
  vi.restoreAllMocks()
  vi.useRealTimers()
  notifications.clean()
  endSession()
  // Files of one page come in any order, and some show parts of the screen by themselves.
  if (i18n.isInitialized && i18n.language !== 'en') await i18n.changeLanguage('en')
  document.documentElement.removeAttribute('dir')
  localStorage.clear()
  sessionStorage.clear()
  // By this the library of growing text fields measures; it is as wide as the last field was, on a narrower screen too wide.
  for (const measure of document.querySelectorAll('body > textarea')) measure.remove()
  // What the editor tells screen readers; it stays when the editor goes.
  for (const told of document.querySelectorAll('.monaco-aria-container')) told.remove()
  endFakeApi()
})

/** The theme comes and goes with a screen; what moves while the next one is put together would keep what it inherited without it. */
function keepTheme(): void {
  const theme = document.querySelector('body style[data-mantine-styles="true"]')
  if (!theme || document.querySelector('style[data-kept]')) return
  const kept = document.createElement('style')
  kept.dataset['kept'] = ''
  kept.textContent = theme.textContent
  document.head.append(kept)
}
