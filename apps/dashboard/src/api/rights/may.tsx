import { getAccount, neededPermissions, type Endpoint } from '@causeway/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { seconds } from '../../lib/time/durations.ts'
import { apiQuery } from '../api-query.ts'

export const accountQuery = () => apiQuery(getAccount, {}, { staleTime: seconds(3600), quiet: true })

export type Call = Pick<Endpoint, 'name' | 'access'>

/** Whether the role of this session opens an endpoint, and its reseller where it has one. Until the role is known all is offered: the server decides. */
export function useMay(): (endpoint: Call) => boolean {
  const { data: account } = useQuery(accountQuery())
  const { permissions: held, reseller } = account ?? {}
  return (endpoint) =>
    (held === undefined || neededPermissions(endpoint).every((each) => held.includes(each))) &&
    (reseller?.opens.includes(endpoint.name) ?? true)
}

/** Offers what calls this endpoint, where the role opens it. */
export function May({ call, children }: { call: Call; children: ReactNode }) {
  return useMay()(call) ? children : null
}
