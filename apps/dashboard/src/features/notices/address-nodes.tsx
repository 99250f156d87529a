import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { addressNodesQuery } from './notices.queries.ts'

/** How many nodes the condition on addresses can ask. */
export function AddressNodes({ isExplained = false }: { isExplained?: boolean }) {
  const { t } = useTranslation('notices')
  const { data } = useQuery(addressNodesQuery())
  if (data === undefined) return null
  const { able, total } = data
  return (
    <span>
      {t('addressNodes', { able, total })}
      {isExplained && able < total && <>. {t('addressNodesHint')}</>}
    </span>
  )
}
