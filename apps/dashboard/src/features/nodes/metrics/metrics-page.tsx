import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../../ui/frames/page-header.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { EmptyState, ErrorState, LoadingCards } from '../../../ui/frames/states.tsx'
import { EditNodeModal } from '../edit-node-modal.tsx'
import { NodeUsersDrawer } from '../statistics/node-users-drawer.tsx'
import { MetricsGrid } from './metrics-grid.tsx'
import { MetricsOverview } from './metrics-overview.tsx'
import { nodesTrafficQuery } from './metrics.queries.ts'
import { hasMetrics } from './metrics.rules.ts'
import classes from './metrics.module.css'

export default function MetricsPage() {
  const { t } = useTranslation('node-metrics')
  const { t: nodes } = useTranslation('nodes')
  const metrics = useQuery(nodesTrafficQuery())
  const shown = metrics.data?.nodes
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        trail={[{ label: nodes('title'), to: '/dashboard/management/nodes' }]}
        actions={<RefreshButton label={t('refresh')} onRefresh={() => void metrics.refetch()} />}
      />
      {metrics.isPending && <LoadingCards className={classes['grid']} height={280} />}
      {metrics.isError && shown === undefined && <ErrorState error={metrics.error} onRetry={() => void metrics.refetch()} />}
      {shown && !hasMetrics(shown) && <EmptyState sketch="cards" title={t('empty')} hint={t('emptyHint')} />}
      {shown && hasMetrics(shown) && (
        <>
          <MetricsOverview nodes={shown} />
          <MetricsGrid nodes={shown} readAt={metrics.dataUpdatedAt} isBehind={metrics.isError} />
        </>
      )}
      <EditNodeModal />
      <NodeUsersDrawer />
    </>
  )
}
