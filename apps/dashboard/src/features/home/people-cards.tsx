import { listNodes, type UserGroup } from '@causeway/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/rights/may.tsx'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { MetricStrip, type Metric } from '../../ui/chart/metric-strip.tsx'
import { HomeSection } from './home-section.tsx'
import { UsersLink } from '../users/parts/users-link.tsx'
import { nodesQuery } from '../nodes/nodes.queries.ts'
import { QUERY_TIMES, useUserCounts } from './home.queries.ts'

/** Which users each figure counts. */
const ONLINE = {
  onlineNow: 'onlineNow',
  lastDay: 'onlineLastDay',
  lastWeek: 'onlineLastWeek',
  neverOnline: 'neverOnline',
} as const satisfies Record<string, UserGroup>
const ONLINE_NAMES = ['onlineNow', 'lastDay', 'lastWeek', 'neverOnline'] as const
const STATUSES = ['ACTIVE', 'EXPIRED', 'LIMITED', 'DISABLED'] as const

export function OnlineCard() {
  const { t, i18n } = useTranslation('home')
  const stats = useUserCounts()
  const hasFleet = useMay()(listNodes)
  const fleet = useQuery({ ...nodesQuery(), ...QUERY_TIMES.nodes, enabled: hasFleet })
  const total = fleet.data && numberFormat(i18n.language).format(fleet.data.length)
  const nodes: Metric = {
    label: t('online.nodes'),
    value: fleet.data?.filter(({ isConnected }) => isConnected).length,
    link: (figure) => (
      <Link to="/dashboard/management/nodes" aria-label={t('listOf', { what: t('online.nodes'), figure })}>
        {figure}
      </Link>
    ),
    ...(total === undefined ? {} : { unit: `/ ${total}` }),
  }
  return (
    <HomeSection title={t('online.title')}>
      <MetricStrip
        label={t('online.title')}
        metrics={[
          ...ONLINE_NAMES.map((name) => ({
            label: t(`online.${name}`),
            value: stats.data?.onlineStats[name],
            link: (figure: ReactNode) => (
              <UsersLink among={ONLINE[name]} label={t('listOf', { what: t(`online.${name}`), figure })}>
                {figure}
              </UsersLink>
            ),
          })),
          ...(hasFleet ? [nodes] : []),
        ]}
      />
    </HomeSection>
  )
}

export function UsersCard() {
  const { t } = useTranslation('home')
  const { t: users } = useTranslation('users')
  const stats = useUserCounts()
  return (
    <HomeSection title={t('users.title')}>
      <MetricStrip
        label={t('users.title')}
        metrics={[
          {
            label: t('users.total'),
            value: stats.data?.users.totalUsers,
            link: (figure) => <UsersLink label={t('listOf', { what: t('users.total'), figure })}>{figure}</UsersLink>,
          },
          ...STATUSES.map((status) => ({
            label: users(`status.${status}`),
            value: stats.data?.users.statusCounts[status],
            link: (figure: ReactNode) => (
              <UsersLink status={status} label={t('listOf', { what: users(`status.${status}`), figure })}>
                {figure}
              </UsersLink>
            ),
          })),
        ]}
      />
    </HomeSection>
  )
}
