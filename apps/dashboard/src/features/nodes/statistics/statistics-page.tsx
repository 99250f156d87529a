import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../../ui/frames/page-header.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { ErrorState } from '../../../ui/frames/states.tsx'
import { ZoneNote } from '../../installation/parts/zone-note.tsx'
import { NodeUsersDrawer } from './node-users-drawer.tsx'
import { SharesTable } from './shares-table.tsx'
import { StatisticsChart } from './statistics-chart.tsx'
import { FigureSwitch, PeriodSelect, usePeriod } from './statistics-controls.tsx'
import { StatisticsHead } from './statistics-head.tsx'
import classes from './statistics.module.css'
import { nodesUsageQuery } from './statistics.queries.ts'

const LOADING_HEIGHT = 640

export default function StatisticsPage() {
  const { t } = useTranslation('node-statistics')
  const { t: nodes } = useTranslation('nodes')
  const { days } = usePeriod()
  const usage = useQuery(nodesUsageQuery(days))
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        trail={[{ label: nodes('title'), to: '/dashboard/management/nodes' }]}
        actions={
          <>
            <div className={classes['zone']}>
              <ZoneNote />
            </div>
            <FigureSwitch />
            <PeriodSelect />
            <RefreshButton label={t('refresh')} isBusy={usage.isPlaceholderData} onRefresh={() => void usage.refetch()} />
          </>
        }
      />
      {usage.isPending && <Skeleton height={LOADING_HEIGHT} aria-busy />}
      {usage.isError && !usage.data && <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.data && (
        <>
          <StatisticsHead usage={usage.data} />
          <StatisticsChart usage={usage.data} readAt={usage.dataUpdatedAt} />
          <SharesTable usage={usage.data} />
        </>
      )}
      <NodeUsersDrawer />
    </>
  )
}
