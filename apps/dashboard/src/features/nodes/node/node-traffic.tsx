import { usageUsageHistoryPeriod } from '@causeway/contract'
import { SegmentedControl, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { BYTES_BY_HOUR, BYTES_BY_LOCAL_DAY } from '../../../ui/chart/chart-unit.ts'
import { Chart } from '../../../ui/chart/chart.tsx'
import { PageSection } from '../../../ui/frames/page-section.tsx'
import { ErrorState } from '../../../ui/frames/states.tsx'
import { stepNames } from '../../home/parts/history-series.ts'
import { historyQuery } from '../../home/parts/history.queries.ts'
import { usePeriod } from '../../home/parts/use-period.ts'
import { bytesOf } from './node.rules.ts'

const HEIGHT = 240

/** Traffic by the hour or the day, over the period in the address. */
export function NodeTraffic({ uuid }: { uuid: string }) {
  const { t } = useTranslation('nodes')
  const { t: home } = useTranslation('home')
  const { value, choose } = usePeriod()
  const { data, error, refetch } = useQuery(historyQuery(value))
  const steps = useMemo(() => (data ? stepNames(data) : []), [data])
  const series = useMemo(() => {
    if (!data) return []
    const values = bytesOf(uuid, data)
    return [{ key: uuid, name: t('page.traffic'), values, total: values.reduce((sum, bytes) => sum + bytes, 0) }]
  }, [data, uuid, t])
  return (
    <PageSection
      title={t('page.traffic')}
      aside={
        <SegmentedControl
          size="xs"
          aria-label={home('history.period')}
          value={value}
          onChange={(period) => choose(usageUsageHistoryPeriod.parse(period))}
          data={usageUsageHistoryPeriod.options.map((period) => ({ value: period, label: home(`history.${period}`) }))}
        />
      }
    >
      {data ? (
        <Chart
          label={t('page.traffic')}
          days={steps}
          series={series}
          unit={data.step === 'hour' ? BYTES_BY_HOUR : BYTES_BY_LOCAL_DAY}
          running={steps.length - 1}
          height={HEIGHT}
          allSmallText={t('page.noTraffic')}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={HEIGHT} />
      )}
    </PageSection>
  )
}
