import { Group, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toSeries } from '../../ui/chart/chart-series.ts'
import { MONEY_BY_MONTH } from '../../ui/chart/chart-unit.ts'
import { Chart } from '../../ui/chart/chart.tsx'
import { ZoneNote } from '../installation/parts/zone-note.tsx'
import { spendingQuery } from './infra-billing.queries.ts'
import classes from './infra-billing.module.css'

const HEIGHT = 260

/** Payments by provider in each of the last twelve months. */
export function SpendingChart() {
  const { t } = useTranslation('infra-billing')
  const { data } = useQuery(spendingQuery())
  const months = useMemo(() => (data?.months ?? []).map((month) => `${month}-01`), [data])
  const series = useMemo(
    () =>
      toSeries(
        (data?.spending ?? []).map(({ month, providerUuid, providerName, amount }) => ({
          key: providerUuid,
          name: providerName,
          total: amount,
          date: `${month}-01`,
        })),
        months,
      ),
    [data, months],
  )
  if (data === undefined) return null
  return (
    <section className={classes['panel']}>
      <Group justify="space-between" mb="xs">
        <Title order={2} fz="md">
          {t('spending.title')}
        </Title>
        <ZoneNote />
      </Group>
      <Chart
        label={t('spending.title')}
        days={months}
        series={series}
        unit={MONEY_BY_MONTH}
        filterLabel={t('spending.filter')}
        height={HEIGHT}
        emptyText={t('spending.empty')}
      />
    </section>
  )
}
