import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { MetricStrip } from '../../ui/metric-strip.tsx'
import { HomeSection } from './home-section.tsx'
import { systemStatsQuery } from './home.queries.ts'

const STATUSES = ['ACTIVE', 'EXPIRED', 'LIMITED', 'DISABLED'] as const
const ONLINE = ['onlineNow', 'lastDay', 'lastWeek', 'neverOnline'] as const

export function OnlineCard() {
  const { t } = useTranslation('home')
  const stats = useQuery(systemStatsQuery())
  return (
    <HomeSection title={t('online.title')}>
      <MetricStrip
        label={t('online.title')}
        metrics={ONLINE.map((name) => ({
          label: t(`online.${name}`),
          value: stats.data?.onlineStats[name],
        }))}
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
