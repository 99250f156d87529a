import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { createStore, useStore } from '../../lib/store.ts'

// The page below is keyed by this count: raising it mounts the page anew, with none of its old state.
const refreshes = createStore({ count: 0 })

export function useRefreshCount(): number {
  return useStore(refreshes).count
}

/** Forgets everything that was loaded and shows the current page from the start. */
export function useRefresh(): () => void {
  const client = useQueryClient()
  const router = useRouter()
  return () => {
    client.clear()
    refreshes.setState({ count: refreshes.getState().count + 1 })
    void router.invalidate()
  }
}
