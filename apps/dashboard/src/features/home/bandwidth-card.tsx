import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { MetricStrip } from '../../ui/chart/metric-strip.tsx'
import { useTimeZone } from '../installation/parts/use-time-zone.ts'
import { ZoneNote } from '../installation/parts/zone-note.tsx'
import { HomeSection } from './home-section.tsx'
import { bandwidthQuery } from './home.queries.ts'
import { historyQuery } from './parts/history.queries.ts'
import { wholeDays } from './parts/history-series.ts'
import { direction, localSize } from './home.rules.ts'
import classes from './home.module.css'

/** The five periods of the wire, and over how many of the last whole days their line runs; none where it would not fit. */
const PERIODS = [
  { name: 'bandwidthLastTwoDays', historyDays: 0 },
  { name: 'bandwidthLastSevenDays', historyDays: 7 },
  { name: 'bandwidthLast30Days', historyDays: 30 },
  { name: 'bandwidthCalendarMonth', historyDays: 0 },
  { name: 'bandwidthCurrentYear', historyDays: 0 },
] as const

export function BandwidthCard() {
  const { t, i18n } = useTranslation('home')
  const bandwidth = useQuery(bandwidthQuery(useTimeZone()))
  const history = useQuery(historyQuery('month')).data
  return (
    <HomeSection title={t('bandwidth.title')} aside={<ZoneNote />}>
      <MetricStrip
        label={t('bandwidth.title')}
        metrics={PERIODS.map(({ name, historyDays }) => {
          const period = bandwidth.data?.[name]
          return {
            label: t(`bandwidth.${name}`),
            value: period && <bdi>{localSize(period.current, i18n.language)}</bdi>,
            note: period && <Difference period={period} />,
            hint: t(`bandwidth.against.${name}`),
            ...(history && historyDays > 0 ? { history: wholeDays(history, historyDays) ?? [] } : {}),
          }
        })}
      />
    </HomeSection>
  )
}

/** How much more or less than before. Of a time before the first figures nothing can be said. */
function Difference({ period }: { period: { previous: string; difference: string } }) {
  const { t, i18n } = useTranslation('home')
  const text = period.difference
  if (Number.parseFloat(period.previous) === 0) return <span title={t('bandwidth.nothingBefore')}>–</span>
  const points = direction(text)
  const size = localSize(text.replace('-', ''), i18n.language)
  return (
    <span className={classes['difference']}>
      {points === 'up' && <IconArrowUp size={12} aria-label={t('bandwidth.more')} />}
      {points === 'down' && <IconArrowDown size={12} aria-label={t('bandwidth.less')} />}
      <bdi>{size}</bdi>
    </span>
  )
}
