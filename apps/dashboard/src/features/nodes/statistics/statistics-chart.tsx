import type { listNodesUsageByDay, Reply } from '@causeway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { BYTES_BY_DAY, SPEED_BY_DAY } from '../../../ui/chart/chart-unit.ts'
import { Chart } from '../../../ui/chart/chart.tsx'
import { asSpeeds, nodeSeries } from './node-series.ts'
import { useFigure } from './statistics-controls.tsx'
import classes from './statistics.module.css'

const HEIGHT = 500

export function StatisticsChart({ usage, readAt }: { usage: Reply<typeof listNodesUsageByDay>; readAt: number }) {
  const { t } = useTranslation('node-statistics')
  const { figure } = useFigure()
  const series = useMemo(() => nodeSeries(usage), [usage])
  const speeds = useMemo(
    () => (figure === 'speed' ? asSpeeds(series, usage.runningSince, readAt) : undefined),
    [figure, series, usage.runningSince, readAt],
  )
  return (
    <section className={classes['chart']} aria-label={t('chart')}>
      <Chart
        label={t(figure === 'speed' ? 'speedChart' : 'chart')}
        days={usage.days}
        series={speeds ?? series}
        unit={speeds ? SPEED_BY_DAY : BYTES_BY_DAY}
        filterLabel={t('filter')}
        running={usage.days.length - 1}
        leftOutElsewhere={speeds ? series.length - speeds.length : 0}
        height={HEIGHT}
        allSmallText={t('allSmall')}
      />
    </section>
  )
}
