import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { splitBytes } from '../../lib/numbers/bytes.ts'
import { MetricStrip } from '../../ui/chart/metric-strip.tsx'
import { realtimeUsageQuery } from './nodes.queries.ts'
import { realtimeTotals } from './nodes.rules.ts'

/** The current hour over all nodes. */
export function NodesMetrics() {
  const { t, i18n } = useTranslation('nodes')
  const { t: ui } = useTranslation('ui')
  const usage = useQuery(realtimeUsageQuery())
  const totals = usage.data && realtimeTotals(usage.data)
  const size = (bytes: number | undefined) => {
    if (bytes === undefined) return { value: usage.isError ? '–' : undefined }
    const { amount, unit } = splitBytes(bytes, i18n.language)
    return { value: amount, unit }
  }
  const speed = size(totals?.speedBps)
  const note = t('metrics.hour')
  return (
    <MetricStrip
      label={t('metrics.label')}
      metrics={[
        { label: t('metrics.upload'), ...size(totals?.uploadBytes), note },
        { label: t('metrics.download'), ...size(totals?.downloadBytes), note },
        {
          label: t('metrics.speed'),
          ...speed,
          ...(speed.unit === undefined ? {} : { unit: ui('perSecond', { unit: speed.unit }) }),
          note,
        },
        {
          label: t('metrics.active'),
          value: totals ? totals.activeNodes : size(undefined).value,
          note,
        },
      ]}
    />
  )
}
