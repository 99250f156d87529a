import type { QueryClient } from '@tanstack/react-query'
import { fetchCode, fetchShown } from '../lib/fetch-code.ts'
import type { Panel } from '../panel.tsx'

const code = async () => (await import('../panel.tsx')).openPanel

/** Opens the panel at the browser's address. */
export async function fetchPanel(client: QueryClient): Promise<Panel> {
  return (await fetchShown(code))(client)
}

/** Only ahead: what has not come is fetched again when it is shown. */
export function fetchPanelAhead(): void {
  void fetchCode(code).catch(() => undefined)
}
