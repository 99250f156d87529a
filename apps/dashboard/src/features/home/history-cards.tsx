import { Group, SegmentedControl, Skeleton } from '@mantine/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { usageUsageHistoryPeriod, type UsageHistoryPeriod } from '@causeway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { BYTES_BY_HOUR, BYTES_BY_LOCAL_DAY, PEOPLE } from '../../ui/chart/chart-unit.ts'
import { Chart } from '../../ui/chart/chart.tsx'
import { ErrorState } from '../../ui/frames/states.tsx'
import { ZoneNote } from '../installation/parts/zone-note.tsx'
import { HomeSection } from './home-section.tsx'
import { historyQuery } from './home.queries.ts'
import { onlineSeries, stepNames, trafficSeries } from './history-series.ts'
import classes from './home.module.css'

const HEIGHT = 240

/** Traffic of nodes and users online, over the period in the address. */
export function HistoryCards() {
  const { t } = useTranslation('home')
  const period = usePeriod()
  const history = useQuery(historyQuery(period.value))
  const { data } = history
  const traffic = useMemo(() => data && trafficSeries(data), [data])
  const online = useMemo(() => data && onlineSeries(data, t('history.online')), [data, t])
  const steps = useMemo(() => (data ? stepNames(data) : []), [data])
  const running = steps.length - 1
  return (
    <div className={classes['history']}>
      <HomeSection
        title={t('history.traffic')}
        aside={
          <Group gap="sm">
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
            running={running}
            isLegendClosed
            height={HEIGHT}
          />
        ) : (
          <Coming history={history} />
        )}
      </HomeSection>
      <HomeSection title={t('history.online')} aside={data?.step === 'day' && <ZoneNote zone={data.timeZone} />}>
        {online && data ? (
          <Chart
            label={t('history.online')}
            days={steps}
            series={online}
            unit={PEOPLE[data.step]}
            running={running}
            height={HEIGHT}
            allSmallText={t('history.nobody')}
            emptyText={t('history.uncounted')}
          />
        ) : (
          <Coming history={history} />
        )}
      </HomeSection>
    </div>
  )
}

/** In the place of a chart: its shape, or why there is none. */
function Coming({ history: { error, refetch } }: { history: Pick<UseQueryResult, 'error' | 'refetch'> }) {
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton height={HEIGHT} />
}

interface Period {
  value: UsageHistoryPeriod
  choose: (period: UsageHistoryPeriod) => void
}

/** Stands in the address as `?period=`; the last 24 hours when it says nothing else. */
function usePeriod(): Period {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const asked = usageUsageHistoryPeriod.safeParse(search['period'])
  return {
    value: asked.data ?? 'day',
    choose: (period) => void navigate({ to: '.', search: (old) => ({ ...old, period }), replace: true }),
  }
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
