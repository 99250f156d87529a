import type { QueryClient } from '@tanstack/react-query'
import { lazy, type ComponentType } from 'react'
import { fetchCode, fetchShown } from '../../lib/fetch-code.ts'
import type { Panel } from '../../panel.tsx'

/** From here on it is shown that the panel is on its way, or that the server is away. */
const PATIENCE_MS = 500

const code = async () => (await import('../../panel.tsx')).openPanel

/** Opens the panel at the browser's address. */
export async function fetchPanel(client: QueryClient): Promise<Panel> {
  return (await fetchShown(code))(client)
}

/** The panel's pages; where its code does not come soon, what can be drawn now and waits for them. */
export async function panelFirst(client: QueryClient): Promise<ComponentType> {
  const pages = fetchPanel(client).then(({ Pages }) => ({ default: Pages }))
  const Late = lazy(() => pages)
  const { promise: isLate, resolve } = Promise.withResolvers<{ default: ComponentType }>()
  setTimeout(() => resolve({ default: Late }), PATIENCE_MS)
  const first = await Promise.race([pages, isLate]).catch(() => isLate)
  return first.default
}

/** Only ahead: what has not come is fetched again when it is shown. */
export function fetchPanelAhead(): void {
  void fetchCode(code).catch(() => undefined)
}
