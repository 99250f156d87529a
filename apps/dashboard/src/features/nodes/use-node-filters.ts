import { useNavigate, useSearch } from '@tanstack/react-router'
import { NODE_STATES, type NodeFilters } from './nodes.rules.ts'

/** Which nodes are shown stands in the address: a link shows the same, and back goes back. */
export function useNodeFilters() {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const filters: NodeFilters = {
    state: NODE_STATES.find((state) => state === search['state']),
    country: typeof search['country'] === 'string' ? search['country'] : undefined,
    search: typeof search['search'] === 'string' ? search['search'] : undefined,
  }
  // Each pause in the typing is no place to go back to.
  const change = (next: NodeFilters) =>
    void navigate({ to: '.', search: (old) => ({ ...old, ...next }), replace: next.search !== filters.search })
  return { filters, change }
}
