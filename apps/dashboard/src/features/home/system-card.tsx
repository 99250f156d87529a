import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../lib/numbers/bytes.ts'
import { shortDuration } from '../../lib/time/durations.ts'
import { MetricStrip } from '../../ui/chart/metric-strip.tsx'
import { HomeSection } from './home-section.tsx'
import { systemStatsQuery } from './home.queries.ts'
import classes from './home.module.css'

export function SystemCard() {
  const { t, i18n } = useTranslation('home')
  const { data } = useQuery(systemStatsQuery())
  const bytes = (value: number) => formatBytes(value, i18n.language)
  return (
    <HomeSection title={t('system.title')}>
      <MetricStrip
        label={t('system.title')}
        metrics={[
          {
            label: t('system.memory'),
            value: data && <bdi>{bytes(data.memory.active)}</bdi>,
            ...(data ? { unit: `/ ${bytes(data.memory.total)}` } : {}),
          },
          { label: t('system.cores'), value: data?.cpu.cores },
          {
            label: t('system.uptime'),
            value: data && <span className={classes['uptime']}>{shortDuration(data.uptime, i18n.language)}</span>,
          },
        ]}
      />
    </HomeSection>
  )
}
