import type { User } from '@causeway/contract'
import { Skeleton, Text } from '@mantine/core'
import { IconAlertTriangle, IconCalendarOff, IconRotateClockwise } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { wholeDay } from '../../../lib/time/dates.ts'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { dayTotals, lastDays, toSeries } from '../../../ui/chart/chart-series.ts'
import { BYTES_BY_MONTH } from '../../../ui/chart/chart-unit.ts'
import { Chart } from '../../../ui/chart/chart.tsx'
import { PageSection } from '../../../ui/frames/page-section.tsx'
import { ErrorState } from '../../../ui/frames/states.tsx'
import { useTimeZone } from '../../installation/parts/use-time-zone.ts'
import { ZoneNote } from '../../installation/parts/zone-note.tsx'
import { usageQuery } from '../users.queries.ts'
import { UserHeatMap } from './user-heat-map.tsx'
import { byMonths, whatComes } from './user.rules.ts'
import classes from './user.module.css'

/** Thirteen months, so that a month can be compared with that of the year before. */
const DAYS = 396
const CHART_HEIGHT = 240
/** How many finished days tell the pace. */
const PACE_DAYS = 7

/** Coming events, and the traffic of thirteen months: by days as a heat map, by months and nodes as bars. */
export function UserYear({ user }: { user: User }) {
  const { t, i18n } = useTranslation('users')
  const [now] = useState(() => new Date())
  const zone = useTimeZone()
  const usage = useQuery(usageQuery(user.uuid, DAYS, now, zone))
  const days = useMemo(() => lastDays(DAYS, now, zone), [now, zone])
  const series = useMemo(
    () =>
      toSeries(
        (usage.data ?? []).map(({ nodeUuid, nodeName, total, date }) => ({ key: nodeUuid, name: nodeName, total, date })),
        days,
      ),
    [usage.data, days],
  )
  const totals = useMemo(() => dayTotals(series, days.length), [series, days])
  const monthly = useMemo(() => byMonths(series, days), [series, days])
  const total = totals.reduce((sum, bytes) => sum + bytes, 0)
  const bytesPerDay = totals.slice(-PACE_DAYS - 1, -1).reduce((sum, bytes) => sum + bytes, 0) / PACE_DAYS
  if (usage.isPending || zone === undefined) return <Skeleton height={520} mb="lg" aria-busy />
  if (usage.isError && !usage.data) return <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />
  return (
    <>
      <ComingNext user={user} now={now} zone={zone} bytesPerDay={bytesPerDay} />
      <PageSection
        title={t('page.year')}
        aside={
          <Text span size="xs" c="dimmed">
            {t('page.yearTotal', { total: formatBytes(total, i18n.language) })} <ZoneNote />
          </Text>
        }
      >
        <UserHeatMap days={days} totals={totals} series={series} />
        <Chart
          label={t('usageDrawer.chart')}
          days={monthly.months}
          series={monthly.series}
          unit={BYTES_BY_MONTH}
          filterLabel={t('usageDrawer.filter')}
          isQuiet
          running={monthly.months.length - 1}
          height={CHART_HEIGHT}
          emptyText={t('usageDrawer.empty')}
          allSmallText={t('usageDrawer.empty')}
        />
      </PageSection>
    </>
  )
}

const ICONS = { reset: IconRotateClockwise, usedUp: IconAlertTriangle, expiry: IconCalendarOff } as const

interface NextProps {
  user: User
  now: Date
  zone: string
  bytesPerDay: number
}

/** Coming events, soonest first. */
function ComingNext({ user, now, zone, bytesPerDay }: NextProps) {
  const { t, i18n } = useTranslation('users')
  const coming = whatComes(user, { now, zone, bytesPerDay })
  return (
    <PageSection title={t('page.next')}>
      {coming.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('page.nothingNext')}
        </Text>
      )}
      <ol className={classes['next']}>
        {coming.map(({ what, at }) => {
          const Icon = ICONS[what]
          return (
            <li key={what} data-past={at < now || undefined} data-what={what}>
              <Icon size={18} aria-hidden />
              <span>{t(`page.coming.${what}`)}</span>
              <strong>
                <RelativeTime at={at.toISOString()} />
              </strong>
              <small>{wholeDay(at, i18n.language, { timeZone: zone })}</small>
            </li>
          )
        })}
      </ol>
    </PageSection>
  )
}
