import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { whenAtRest } from '../../lib/when-idle.ts'
import { fetchPalette } from '../palette/command-palette.tsx'
import { navGroups } from '../nav.ts'
import { fetchToasts } from '../providers.tsx'

/**
 * Prefetches code and texts of the search and of all pages once the first screen has been drawn and the browser is
 * idle, so that they are there when the server is not. In development a page is hundreds of files, so prefetching is
 * off; so it is where the reader asked the browser to save data.
 */
export function useFetchAhead(): void {
  const router = useRouter()
  useEffect(() => {
    if (import.meta.env.DEV || isDataSaved()) return
    let isOver = false
    async function fetchAll(): Promise<void> {
      const pages = navGroups.flatMap(({ entries }) => entries.flatMap((entry) => [entry, ...(entry.children ?? [])]))
      await fetchToasts().catch(() => undefined)
      await fetchPalette().catch(() => undefined)
      // One after the other, so that a click meanwhile waits for little.
      for (const { to } of pages) if (to !== undefined && !isOver) await router.preloadRoute({ to }).catch(() => undefined)
    }
    const forget = whenAtRest(() => void fetchAll())
    return () => {
      isOver = true
      forget()
    }
  }, [router])
}

/** Only some browsers tell. */
function isDataSaved(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection')
  return typeof connection === 'object' && connection !== null && 'saveData' in connection && connection.saveData === true
}
