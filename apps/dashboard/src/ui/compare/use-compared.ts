import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { daysOf, idsOf, MOST_COMPARED } from './compare.rules.ts'

const USUAL_DAYS = 30

export interface Compared {
  ids: readonly string[]
  days: number
  add: (id: string) => void
  remove: (id: string) => void
  /** The others are compared with it from now on. */
  putFirst: (id: string) => void
  choose: (days: number) => void
}

/** The compared things and the period are in the address, so that a link shows the same. */
export function useCompared(periods: readonly number[]): Compared {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const text = search['ids']
  const ids = useMemo(() => idsOf(text), [text])
  const put = (change: Record<string, string>) =>
    void navigate({ to: '.', search: (old) => ({ ...old, ...change }), replace: true, resetScroll: false })
  const putIds = (next: readonly string[]) => put({ ids: next.join(',') })
  return {
    ids,
    days: daysOf(search['days'], periods, USUAL_DAYS),
    add: (id) => putIds([...ids, id].slice(0, MOST_COMPARED)),
    remove: (id) => putIds(ids.filter((one) => one !== id)),
    putFirst: (id) => putIds([id, ...ids.filter((one) => one !== id)]),
    choose: (days) => put({ days: String(days) }),
  }
}
