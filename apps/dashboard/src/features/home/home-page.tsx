import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { accountQuery } from '../../api/rights/may.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { Attention } from './attention/attention.tsx'
import { BandwidthCard } from './bandwidth-card.tsx'
import { FirstSteps } from './first-steps.tsx'
import { FleetGrid } from './fleet-grid.tsx'
import { HistoryCard } from './history-card.tsx'
import { FleetMap } from './fleet-map.tsx'
import { HomeHead } from './home-head.tsx'
import { HomeMenu } from './home-menu.tsx'
import { ResellerHome } from './reseller-home.tsx'
import { StaleBanner } from './stale-banner.tsx'
import { OnlineCard, UsersCard } from './people-cards.tsx'
import { PanelUsageCard, ProcessesCard } from './process-cards.tsx'
import { SystemCard } from './system-card.tsx'
import { TopUsersCard } from './top-users-card.tsx'
import classes from './home.module.css'

export default function HomePage() {
  const { t } = useTranslation('home')
  const { data: account } = useQuery(accountQuery())
  return (
    <>
      <PageHeader title={t('title')} isHome actions={<HomeMenu />} />
      {account?.reseller ? <ResellerHome room={account.reseller} /> : <PanelHome />}
    </>
  )
}

/** All of the panel, as far as the role opens it. */
function PanelHome() {
  return (
    <div className={classes['page']}>
      <HomeHead>
        <StaleBanner />
        <FirstSteps />
        <Attention />
      </HomeHead>
      <HistoryCard />
      <FleetGrid />
      <FleetMap />
      <TopUsersCard />
      <BandwidthCard />
      <div className={classes['pair']}>
        <OnlineCard />
        <UsersCard />
      </div>
      <div className={`${classes['pair']} ${classes['small']}`}>
        <SystemCard />
        <PanelUsageCard />
        <ProcessesCard />
      </div>
    </div>
  )
}
