import { Group, SegmentedControl, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { usageUsageHistoryPeriod } from '@causeway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { BYTES_BY_HOUR, BYTES_BY_LOCAL_DAY, PEOPLE, type ChartLine } from '../../ui/chart/chart-unit.ts'
import { Chart } from '../../ui/chart/chart.tsx'
import { ErrorState } from '../../ui/frames/states.tsx'
import { ZoneNote } from '../installation/parts/zone-note.tsx'
import { HomeSection } from './home-section.tsx'
import { historyQuery } from './parts/history.queries.ts'
import { finishedTotals, stepNames, trafficSeries } from './parts/history-series.ts'
import { Against } from './summary.tsx'
import { usePeriod, type Period } from './parts/use-period.ts'

const HEIGHT = 380

/** Traffic of nodes over users online, on one axis of time, beside the period before. The period stands in the address. */
export function HistoryCard() {
  const { t } = useTranslation('home')
  const period = usePeriod()
  const history = useQuery(historyQuery(period.value))
  const { data } = history
  const traffic = useMemo(() => data && trafficSeries(data), [data])
  const steps = useMemo(() => (data ? stepNames(data) : []), [data])
  const before = useMemo(
    () => data?.before && { name: t(`history.before.${period.value}`), values: data.before.bytes },
    [data, period.value, t],
  )
  const online = useMemo(
    (): ChartLine | undefined =>
      data && {
        name: t('history.online'),
        values: data.usersOnline,
        before: data.before?.usersOnline,
        unit: PEOPLE[data.step],
        isBelow: true,
      },
    [data, t],
  )
  const sums = data && finishedTotals(data)
  return (
    <HomeSection
      title={t('history.title')}
      aside={
        <Group gap="sm">
          {sums?.before !== undefined && <Against now={sums.now} earlier={sums.before} period={period.value} />}
          {data?.step === 'day' && <ZoneNote zone={data.timeZone} />}
          <PeriodSwitch {...period} />
        </Group>
      }
    >
      {traffic && data ? (
        <Chart
          label={t('history.traffic')}
          days={steps}
          series={traffic}
          unit={data.step === 'hour' ? BYTES_BY_HOUR : BYTES_BY_LOCAL_DAY}
          filterLabel={t('history.filter')}
          running={steps.length - 1}
          isQuiet
          line={online}
          before={before}
          height={HEIGHT}
        />
      ) : history.error ? (
        <ErrorState error={history.error} onRetry={() => void history.refetch()} />
      ) : (
        <Skeleton height={HEIGHT} />
      )}
    </HomeSection>
  )
}

function PeriodSwitch({ value, choose }: Period) {
  const { t } = useTranslation('home')
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('history.period')}
      value={value}
      onChange={(period) => choose(usageUsageHistoryPeriod.parse(period))}
      data={usageUsageHistoryPeriod.options.map((period) => ({ value: period, label: t(`history.${period}`) }))}
    />
  )
}
