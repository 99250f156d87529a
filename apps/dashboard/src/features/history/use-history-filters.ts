import { historyKinds } from '@causeway/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { HistoryQuestion } from './history.queries.ts'

const NAMES = ['actor', 'kind', 'action', 'target', 'from', 'to'] as const

/** The filters stand in the address. */
export function useHistoryFilters(): { question: HistoryQuestion; set: (change: Partial<HistoryQuestion>) => void } {
  const search = useSearch({
    strict: false,
    select: (all: Record<string, unknown>) => NAMES.map((name) => textOf(all[name])).join('\n'),
  })
  const navigate = useNavigate()
  const [actor, kind, action, target, from, to] = search.split('\n').map((text) => (text === '' ? undefined : text))
  return {
    question: { actor, kind: historyKinds.find((each) => each === kind), action, target, from, to },
    set: (change) => void navigate({ to: '.', search: (old) => ({ ...old, ...change }), replace: true }),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
