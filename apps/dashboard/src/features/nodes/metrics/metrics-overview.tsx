import { useTranslation } from 'react-i18next'
import { MetricStrip } from '../../../ui/chart/metric-strip.tsx'
import { RollingBytes } from '../../../ui/traffic/rolling-bytes.tsx'
import { METRICS_PERIOD_MS } from './metrics.queries.ts'
import { overviewOf, type NodeMetrics } from './metrics.rules.ts'

export function MetricsOverview({ nodes }: { nodes: readonly NodeMetrics[] }) {
  const { t } = useTranslation('node-metrics')
  const totals = overviewOf(nodes)
  return (
    <MetricStrip
      label={t('overview.label')}
      metrics={[
        { label: t('overview.nodes'), value: totals.nodes },
        { label: t('overview.active'), value: totals.active, hint: t('overview.activeHint') },
        { label: t('overview.online'), value: totals.online },
        { label: t('overview.download'), value: <RollingBytes bytes={totals.download} overMs={METRICS_PERIOD_MS} /> },
        { label: t('overview.upload'), value: <RollingBytes bytes={totals.upload} overMs={METRICS_PERIOD_MS} /> },
      ]}
    />
  )
}
