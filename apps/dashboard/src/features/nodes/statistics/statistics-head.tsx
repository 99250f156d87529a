import type { listNodesUsageByDay, Reply } from '@causeway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { dateFormat } from '../../../lib/numbers/formats.ts'
import { CountryFlag } from '../../../ui/country-flag.tsx'
import { perWholeDay } from '../../../ui/chart/chart-series.ts'
import { MetricStrip } from '../../../ui/chart/metric-strip.tsx'
import { RollingBytes } from '../../../ui/traffic/rolling-bytes.tsx'
import { nodeShares, sum } from './node-series.ts'
import classes from './statistics.module.css'

const TOP_NODES = 3
const POLL_MS = 30_000

/** Traffic of all nodes, and the top ones. */
export function StatisticsHead({ usage }: { usage: Reply<typeof listNodesUsageByDay> }) {
  const { t, i18n } = useTranslation('node-statistics')
  const shares = useMemo(() => nodeShares(usage), [usage])
  const totals = useMemo(() => usage.days.map((_, day) => sum(usage.nodes.map(({ bytes }) => bytes[day] ?? 0))), [usage])
  const perDay = perWholeDay(totals)
  const most = Math.max(...totals)
  const busiest = most > 0 ? usage.days[totals.indexOf(most)] : undefined
  return (
    <div className={classes['head']}>
      <MetricStrip
        label={t('figures')}
        metrics={[
          { label: t('total'), value: <RollingBytes bytes={sum(totals)} overMs={POLL_MS} />, history: totals.slice(0, -1) },
          { label: t('perDay'), value: perDay === null ? '–' : formatBytes(perDay, i18n.language), hint: t('perDayHint') },
          {
            label: t('busiest'),
            value:
              busiest === undefined
                ? '–'
                : dateFormat(i18n.language, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(busiest)),
            ...(busiest === undefined ? {} : { note: formatBytes(most, i18n.language) }),
          },
          { label: t('active'), value: usage.nodes.length },
        ]}
      />
      {shares.length > 0 && (
        <div className={classes['best']}>
          <p className={classes['topTitle']} aria-hidden>
            {t('top')}
          </p>
          <ol className={classes['top']} aria-label={t('top')}>
            {shares.slice(0, TOP_NODES).map(({ uuid, name, countryCode, total }) => (
              <li key={uuid}>
                <CountryFlag code={countryCode} />
                <span className={classes['topName']} dir="auto">
                  {name}
                </span>
                <bdi>{formatBytes(total, i18n.language)}</bdi>
              </li>
            ))}
          </ol>
        </div>
      )}
    </div>
  )
}
