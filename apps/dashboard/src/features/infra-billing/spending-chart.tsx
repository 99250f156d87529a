import type { BillingNode } from '@causeway/contract'
import { Group, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { dateFormat, ownZone } from '../../lib/numbers/formats.ts'
import { useNow } from '../../lib/time/now.ts'
import { toSeries } from '../../ui/chart/chart-series.ts'
import { MONEY_BY_MONTH } from '../../ui/chart/chart-unit.ts'
import { Chart } from '../../ui/chart/chart.tsx'
import { ZoneNote } from '../installation/parts/zone-note.tsx'
import { useTimeZone } from '../installation/parts/use-time-zone.ts'
import { billingNodesQuery, providersQuery, spendingQuery } from './infra-billing.queries.ts'
import { expectedMonths, formatUsd } from './money.ts'
import classes from './infra-billing.module.css'

const HEIGHT = 260

/** Payments by provider in each of the last twelve months, and what the next ones will cost. Without any there is nothing. */
export function SpendingChart() {
  const { t } = useTranslation('infra-billing')
  const { data, isPending } = useQuery(spendingQuery())
  const bills = useQuery(billingNodesQuery()).data?.billingNodes ?? []
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
  const isSpent = series.length > 0
  if (!isPending && !isSpent && bills.length === 0) return null
  return (
    <section className={classes['spending']}>
      <Group justify="space-between" mb="xs">
        <Title order={2} fz="md">
          {t('spending.title')}
        </Title>
        <ZoneNote />
      </Group>
      <ExpectedMonths bills={bills} />
      {isPending && <Skeleton height={HEIGHT} aria-busy />}
      {isSpent && (
        <Chart
          label={t('spending.title')}
          days={months}
          series={series}
          unit={MONEY_BY_MONTH}
          filterLabel={t('spending.filter')}
          height={HEIGHT}
        />
      )}
    </section>
  )
}

/** Coming bills, estimated from former payments. */
function ExpectedMonths({ bills }: { bills: readonly BillingNode[] }) {
  const { t, i18n } = useTranslation('infra-billing')
  const now = new Date(useNow())
  const zone = useTimeZone() ?? ownZone()
  const providers = useQuery(providersQuery()).data?.providers
  if (providers === undefined || bills.length === 0) return null
  const monthOf = (month: string) =>
    dateFormat(i18n.language, { calendar: 'gregory', month: 'long', timeZone: 'UTC' }).format(new Date(`${month}-01`))
  return (
    <>
      <dl className={classes['expected']} aria-label={t('expected.label')}>
        {expectedMonths(bills, providers, now, zone).map(({ month, amount, bills: count, unknown }, ahead) => (
          <div key={month}>
            <dt>{t(ahead === 0 ? 'expected.rest' : 'expected.month', { month: monthOf(month) })}</dt>
            <dd>
              <bdi>{count > 0 && unknown === count ? '–' : `≈ ${formatUsd(amount, i18n.language)}`}</bdi>{' '}
              <small>
                {t('expected.bills', { count })}
                {unknown > 0 && ` · ${t('expected.unknown', { count: unknown })}`}
              </small>
            </dd>
          </div>
        ))}
      </dl>
      <Text size="xs" c="dimmed" mb="sm">
        {t('expected.hint')}
      </Text>
    </>
  )
}
