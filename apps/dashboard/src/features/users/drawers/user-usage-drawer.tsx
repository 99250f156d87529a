import type { User } from '@causeway/contract'
import { Group, Select, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { dayTotals, lastDays, toSeries } from '../../../ui/chart/chart-series.ts'
import { Chart } from '../../../ui/chart/chart.tsx'
import { CountryFlag } from '../../../ui/country-flag.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { Sparkline } from '../../../ui/chart/sparkline.tsx'
import { EmptyState, ErrorState } from '../../../ui/frames/states.tsx'
import { UserDrawer } from './user-drawer.tsx'
import { useTimeZone } from '../../installation/parts/use-time-zone.ts'
import { ZoneNote } from '../../installation/parts/zone-note.tsx'
import { usageQuery } from '../users.queries.ts'
import classes from './user-drawers.module.css'

const USAGE_DRAWER_WIDTH = 900
const PERIODS = [7, 14, 30, 60, 90, 180, 365]
const CHART_HEIGHT = 360
const TOP_NODES = 3

/** Closing it forgets period, mode and filters: they live in what is mounted only while it is open. */
export function UserUsageDrawer() {
  const { t } = useTranslation('users')
  return (
    <UserDrawer name="usage" width={USAGE_DRAWER_WIDTH} title={(user) => t('usageDrawer.title', { name: user?.username ?? '…' })}>
      {(user) => <Usage user={user} />}
    </UserDrawer>
  )
}

function Usage({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const [dayCount, setDayCount] = useState(PERIODS[0] ?? 7)
  // The range is fixed while the drawer is open, and taken anew by refresh: midnight must not move it under the reader.
  const [now, setNow] = useState(() => new Date())
  const zone = useTimeZone()
  const usage = useQuery(usageQuery(user.uuid, dayCount, now, zone))
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Select
          aria-label={t('usageDrawer.period')}
          data={PERIODS.map((days) => ({ value: String(days), label: t('usageDrawer.days', { count: days }) }))}
          value={String(dayCount)}
          onChange={(value) => setDayCount(Number(value))}
          allowDeselect={false}
          w={160}
        />
        <RefreshButton
          label={t('refresh')}
          isBusy={usage.isFetching && !usage.isPending}
          onRefresh={() => {
            setNow(new Date())
            void usage.refetch()
          }}
        />
        <ZoneNote />
      </Group>
      {usage.isPending && <Skeleton height={CHART_HEIGHT + 80} aria-busy />}
      {usage.isError && !usage.data && <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.data && usage.data.length === 0 && <EmptyState sketch="chart" title={t('usageDrawer.empty')} />}
      {usage.data && usage.data.length > 0 && <UsageFigures rows={usage.data} dayCount={dayCount} now={now} zone={zone} />}
    </Stack>
  )
}

interface FiguresProps {
  rows: readonly { nodeUuid: string; nodeName: string; countryCode: string; total: number; date: string }[]
  dayCount: number
  now: Date
  zone: string | undefined
}

function UsageFigures({ rows, dayCount, now, zone }: FiguresProps) {
  const { t, i18n } = useTranslation('users')
  const days = useMemo(() => lastDays(dayCount, now, zone), [dayCount, now, zone])
  const series = useMemo(
    () =>
      toSeries(
        rows.map(({ nodeUuid, nodeName, total, date }) => ({ key: nodeUuid, name: nodeName, total, date })),
        days,
      ),
    [rows, days],
  )
  const countries = new Map(rows.map(({ nodeUuid, countryCode }) => [nodeUuid, countryCode]))
  const [wanted, setWanted] = useState<readonly string[]>([])
  const chosen = wanted.length === 0 ? series : series.filter(({ key }) => wanted.includes(key))
  const totals = dayTotals(chosen, days.length)
  const total = totals.reduce((sum, bytes) => sum + bytes, 0)
  return (
    <>
      <div className={classes['usageHead']}>
        <div className={classes['usageTotal']}>
          <Text size="xs" c="dimmed">
            {t('usageDrawer.total')}
          </Text>
          <div className={classes['usageTotalLine']}>
            <Text size="xl" fw={600}>
              {formatBytes(total, i18n.language)}
            </Text>
            <Sparkline values={totals} label={t('usageDrawer.trend')} width={140} height={28} />
          </div>
        </div>
        <ol className={classes['topNodes']} aria-label={t('usageDrawer.top')}>
          {chosen.slice(0, TOP_NODES).map(({ key, name, total: bytes }) => (
            <li key={key}>
              <CountryFlag code={countries.get(key) ?? 'XX'} />
              <span className={classes['topName']} dir="auto">
                {name}
              </span>
              <bdi>{formatBytes(bytes, i18n.language)}</bdi>
            </li>
          ))}
        </ol>
      </div>
      <Chart
        label={t('usageDrawer.chart')}
        days={days}
        series={series}
        filterLabel={t('usageDrawer.filter')}
        onFilter={setWanted}
        height={CHART_HEIGHT}
        emptyText={t('usageDrawer.empty')}
      />
    </>
  )
}
