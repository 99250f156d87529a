import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dayTotals, lastDays, toSeries } from '../../ui/chart-series.ts'
import { MetricStrip } from '../../ui/metric-strip.tsx'
import { HomeSection } from './home-section.tsx'
import { bandwidthQuery, HISTORY_DAYS, nodesHistoryQuery } from './home.queries.ts'
import { direction, localSize } from './home.rules.ts'
import classes from './home.module.css'

/** The five periods of the wire, and over how many of the last days their line runs; none where it would not fit. */
const PERIODS = [
  { name: 'bandwidthLastTwoDays', historyDays: 2 },
  { name: 'bandwidthLastSevenDays', historyDays: 7 },
  { name: 'bandwidthLast30Days', historyDays: 30 },
  { name: 'bandwidthCalendarMonth', historyDays: 0 },
  { name: 'bandwidthCurrentYear', historyDays: 0 },
] as const

export function BandwidthCard() {
  const { t, i18n } = useTranslation('home')
  const bandwidth = useQuery(bandwidthQuery())
  const history = useHistory()
  return (
    <HomeSection title={t('bandwidth.title')}>
      <MetricStrip
        label={t('bandwidth.title')}
        metrics={PERIODS.map(({ name, historyDays }) => {
          const period = bandwidth.data?.[name]
          return {
            label: t(`bandwidth.${name}`),
            value: period && <bdi>{localSize(period.current, i18n.language)}</bdi>,
            note: period && <Difference text={period.difference} />,
            ...(history && historyDays > 2 ? { history: history.slice(-historyDays) } : {}),
          }
        })}
      />
    </HomeSection>
  )
}

/** Bytes of the whole fleet per day, oldest first. */
function useHistory(): number[] | undefined {
  const [now] = useState(() => new Date())
  const usage = useQuery(nodesHistoryQuery(now))
  return useMemo(() => {
    if (!usage.data) return undefined
    const days = lastDays(HISTORY_DAYS, now)
    const points = usage.data.map(({ nodeUuid, nodeName, total, date }) => ({ key: nodeUuid, name: nodeName, total, date }))
    return dayTotals(toSeries(points, days), days.length)
  }, [usage.data, now])
}

function Difference({ text }: { text: string }) {
  const { t, i18n } = useTranslation('home')
  const points = direction(text)
  const size = localSize(text.replace('-', ''), i18n.language)
  return (
    <span className={classes['difference']} title={t('bandwidth.difference')}>
      {points === 'up' && <IconArrowUp size={12} aria-label={t('bandwidth.more')} />}
      {points === 'down' && <IconArrowDown size={12} aria-label={t('bandwidth.less')} />}
      <bdi>{size}</bdi>
    </span>
  )
}
