import { getAccount } from '@causeway/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { accountQuery } from '../api/rights/may.tsx'
import { isRefused } from '../api/proof.ts'

/** Whether this session may only set up a second factor. A refused read tells that this, or the role, has changed. */
export function useIsSecondFactorDue(): boolean {
  const client = useQueryClient()
  const { data: account } = useQuery(accountQuery())
  // The cache of reads is outside React.
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ type, query }) => {
        if (type === 'updated' && query.queryKey[0] !== getAccount.name && isRefused(query.state.error))
          void client.invalidateQueries({ queryKey: [getAccount.name] })
      }),
    [client],
  )
  return account?.isSecondFactorDue === true
}
