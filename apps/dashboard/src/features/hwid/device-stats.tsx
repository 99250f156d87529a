import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isAbsent } from '../../api/call-error.ts'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { MetricStrip } from '../../ui/chart/metric-strip.tsx'
import { ShareBar } from '../../ui/frames/share-bar.tsx'
import { ErrorState } from '../../ui/frames/states.tsx'
import { deviceStatsQuery } from './hwid.queries.ts'
import { topShares } from './hwid.rules.ts'
import classes from './hwid.module.css'

const MOST = 5

/** How many devices there are, and of what kind. */
export function DeviceStats() {
  const { t } = useTranslation('hwid')
  const stats = useQuery(deviceStatsQuery())
  // The list below says it.
  if (isAbsent(stats.error)) return null
  if (stats.isError && !stats.data) return <ErrorState error={stats.error} onRetry={() => void stats.refetch()} />
  const sums = stats.data?.stats
  return (
    <>
      <MetricStrip
        label={t('stats.label')}
        metrics={[
          { label: t('stats.total'), value: sums?.totalHwidDevices },
          { label: t('stats.unique'), value: sums?.totalUniqueDevices },
          { label: t('stats.average'), value: sums?.averageHwidDevicesPerUser },
        ]}
      />
      {sums?.totalHwidDevices !== 0 && (
        <div className={classes['shares']}>
          <Shares
            title={t('stats.byPlatform')}
            counts={stats.data?.byPlatform.map(({ platform, count }) => ({ name: platform, count }))}
          />
          <Shares title={t('stats.byApp')} counts={stats.data?.byApp.map(({ app, count }) => ({ name: app, count }))} />
        </div>
      )}
    </>
  )
}

interface SharesProps {
  title: string
  /** Undefined while they are loading. */
  counts: { name: string; count: number }[] | undefined
}

/** The server's name for an unknown value. */
const UNKNOWN = 'Unknown'

function Shares({ title, counts }: SharesProps) {
  const { t, i18n } = useTranslation('hwid')
  return (
    <section className={classes['share']}>
      <Text component="h2" size="xs" c="dimmed" fw={600} mb={6}>
        {title}
      </Text>
      <ul className={classes['bars']} aria-label={title}>
        {topShares(counts ?? [], MOST).map(({ name, count, part }) => (
          <li key={name ?? ''} className={classes['bar']}>
            <span className={classes['barName']}>
              <bdi>{name === undefined ? t('stats.others') : name === UNKNOWN ? t('stats.unknown') : name}</bdi>
            </span>
            <ShareBar part={part} />
            <span className={classes['barCount']}>{numberFormat(i18n.language).format(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
