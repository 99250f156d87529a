import { getAccount } from '@causeway/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isUnproven } from '../api/proof.ts'
import { accountQuery } from '../features/auth/account/account.queries.ts'

/** Whether this session may only set up a second factor, also when that became so while the panel is open. */
export function useIsSecondFactorDue(): boolean {
  const client = useQueryClient()
  const { data: account } = useQuery(accountQuery())
  // The cache of reads is outside React. Reads are refused as unproven for no other reason.
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ type, query }) => {
        if (type === 'updated' && query.state.status === 'error' && isUnproven(query.state.error))
          void client.invalidateQueries({ queryKey: [getAccount.name] })
      }),
    [client],
  )
  return account?.isSecondFactorDue === true
}
