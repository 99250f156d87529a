import { historyKinds, isUuid } from '@causeway/contract'
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
    question: {
      actor: actor !== undefined && (actor === 'system' || isUuid(actor)) ? actor : undefined,
      kind: historyKinds.find((each) => each === kind),
      action,
      target,
      from: instantOf(from),
      to: instantOf(to),
    },
    set: (change) => void navigate({ to: '.', search: (old) => ({ ...old, ...change }), replace: true }),
  }
}

/** A text in an address that is no date filters nothing. */
function instantOf(text: string | undefined): string | undefined {
  const at = new Date(text ?? '')
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
