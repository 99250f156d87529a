import type { CallInput, getUsersImpact } from '@causeway/contract'
import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { impactQuery } from '../users.queries.ts'

/** Before something cuts people off: how many, how many of them online now, on how many nodes. */
export function ImpactText({ who }: { who: CallInput<typeof getUsersImpact> }) {
  const { t, i18n } = useTranslation('users')
  const impact = useQuery(impactQuery(who))
  if (impact.isPending) return <Skeleton height={16} width={260} />
  // An unknown number is said to be unknown; it never stops the action.
  if (impact.isError) return <Text size="sm">{t('impact.unknown')}</Text>
  const number = numberFormat(i18n.language)
  const { users, onlineNow, nodes } = impact.data
  return (
    <Text size="sm" fw={600} component="span" role="note">
      {t('impact.users', { count: users, shown: number.format(users) })} ·{' '}
      {t('impact.online', { count: onlineNow, shown: number.format(onlineNow) })} ·{' '}
      {t('impact.nodes', { count: nodes, shown: number.format(nodes) })}
    </Text>
  )
}
