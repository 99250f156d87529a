import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../lib/formats.ts'
import { MetricStrip } from '../../ui/metric-strip.tsx'
import { HomeSection } from './home-section.tsx'
import { nodesQuery } from '../nodes/nodes.queries.ts'
import { QUERY_TIMES, systemStatsQuery } from './home.queries.ts'

const STATUSES = ['ACTIVE', 'EXPIRED', 'LIMITED', 'DISABLED'] as const
const ONLINE = ['onlineNow', 'lastDay', 'lastWeek', 'neverOnline'] as const

export function OnlineCard() {
  const { t, i18n } = useTranslation('home')
  const stats = useQuery(systemStatsQuery())
  const fleet = useQuery({ ...nodesQuery(), ...QUERY_TIMES.nodes })
  const total = fleet.data && numberFormat(i18n.language).format(fleet.data.length)
  return (
    <HomeSection title={t('online.title')}>
      <MetricStrip
        label={t('online.title')}
        metrics={[
          ...ONLINE.map((name) => ({ label: t(`online.${name}`), value: stats.data?.onlineStats[name] })),
          {
            label: t('online.nodes'),
            value: fleet.data?.filter(({ isConnected }) => isConnected).length,
            ...(total === undefined ? {} : { unit: `/ ${total}` }),
          },
        ]}
      />
    </HomeSection>
  )
}

export function UsersCard() {
  const { t } = useTranslation('home')
  const { t: users } = useTranslation('users')
  const stats = useQuery(systemStatsQuery())
  return (
    <HomeSection title={t('users.title')}>
      <MetricStrip
        label={t('users.title')}
        metrics={[
          { label: t('users.total'), value: stats.data?.users.totalUsers },
          ...STATUSES.map((status) => ({
            label: users(`status.${status}`),
            value: stats.data?.users.statusCounts[status],
          })),
        ]}
      />
    </HomeSection>
  )
}
