import type { Account } from '../auth/account/account.queries.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { accountQuery } from '../../api/rights/may.tsx'
import { MetricStrip } from '../../ui/chart/metric-strip.tsx'
import { ResellerRoomFacts } from '../resellers/parts/reseller-room.tsx'
import { UsersLink } from '../users/parts/users-link.tsx'
import { HomeSection } from './home-section.tsx'
import { nearLimitQuery, nextToExpireQuery, QUERY_TIMES } from './home.queries.ts'
import { OnlineCard, UsersCard } from './people-cards.tsx'
import { TopUsersCard } from './top-users-card.tsx'
import classes from './home.module.css'

/** The home page of a reseller: its limits, and figures of its own users. */
export function ResellerHome({ room: first }: { room: NonNullable<Account['reseller']> }) {
  const { t } = useTranslation('admins')
  const { data: account } = useQuery({ ...accountQuery(), ...QUERY_TIMES.nodes })
  return (
    <div className={classes['page']}>
      <HomeSection title={t('reseller.room')}>
        <ResellerRoomFacts room={account?.reseller ?? first} />
      </HomeSection>
      <div className={classes['pair']}>
        <UsersCard />
        <OnlineCard />
      </div>
      <SoonCard />
      <TopUsersCard />
    </div>
  )
}

const GROUPS = ['expiringThisWeek', 'nearLimit'] as const

function SoonCard() {
  const { t } = useTranslation('views')
  const { t: home } = useTranslation('home')
  const totals = [useQuery(nextToExpireQuery()).data?.total, useQuery(nearLimitQuery()).data?.total]
  return (
    <HomeSection title={home('attention.title')}>
      <MetricStrip
        label={home('attention.title')}
        metrics={GROUPS.map((group, place) => ({
          label: t(`ready.${group}`),
          value: totals[place],
          link: (figure: ReactNode) => (
            <UsersLink among={group} label={home('listOf', { what: t(`ready.${group}`), figure })}>
              {figure}
            </UsersLink>
          ),
        }))}
      />
    </HomeSection>
  )
}
