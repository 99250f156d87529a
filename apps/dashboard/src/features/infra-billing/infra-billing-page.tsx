import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, type CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { dayIn } from '../../lib/time/dates.ts'
import { dateFormat, ownZone } from '../../lib/numbers/formats.ts'
import { useNow } from '../../lib/time/now.ts'
import { MetricStrip } from '../../ui/chart/metric-strip.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useTimeZone } from '../installation/parts/use-time-zone.ts'
import { ProviderNodesModal } from './provider-nodes-modal.tsx'
import { BillingHistoryTable } from './billing-history-table.tsx'
import { BillingNodesTable } from './billing-nodes-table.tsx'
import { CreateBillingNodeModal } from './create-billing-node-modal.tsx'
import { CreateBillingRecordModal } from './create-billing-record-modal.tsx'
import { billingNodesQuery, BILLING_READS } from './infra-billing.queries.ts'
import { formatUsd } from './money.ts'
import { ProviderDrawer } from './provider-drawer.tsx'
import { ProvidersTable } from './providers-table.tsx'
import { SpendingChart } from './spending-chart.tsx'
import { UpdateBillingDateModal } from './update-billing-date-modal.tsx'
import classes from './infra-billing.module.css'

export default function InfraBillingPage() {
  const { t } = useTranslation('infra-billing')
  const client = useQueryClient()
  const record = useDialog('record')
  useRecordKey(() => record.open('new'))
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        trail={[{ label: t('nodes'), to: '/dashboard/management/nodes' }]}
        actions={
          <>
            <RefreshButton
              label={t('refresh')}
              onRefresh={() => BILLING_READS.forEach(({ name }) => void client.invalidateQueries({ queryKey: [name] }))}
            />
            <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => record.open('new')}>
              {t('record.create')}
            </Button>
          </>
        }
      />
      <BillingMetrics />
      <SpendingChart />
      <div className={classes['lists']}>
        <div className={classes['pair']}>
          <BillingNodesTable />
          <BillingHistoryTable />
        </div>
        <ProvidersTable />
      </div>
      <CreateBillingRecordModal />
      <CreateBillingNodeModal />
      <UpdateBillingDateModal />
      <ProviderNodesModal />
      <ProviderDrawer />
    </>
  )
}

function BillingMetrics() {
  const { t, i18n } = useTranslation('infra-billing')
  const now = useNow()
  const zone = useTimeZone() ?? ownZone()
  const { data } = useQuery(billingNodesQuery())
  const stats = data?.stats
  const sum = (amount: number) => {
    const text = formatUsd(amount, i18n.language)
    return (
      <bdi className={classes['sum']} style={{ '--sum-length': text.length } as CSSProperties}>
        {text}
      </bdi>
    )
  }
  // The month that the figures beside it are of, whatever calendar the reader's language goes by.
  const month = dateFormat(i18n.language, { calendar: 'gregory', month: 'long', year: 'numeric', timeZone: zone }).format(now)
  return (
    <MetricStrip
      label={t('stats.label')}
      metrics={[
        { label: t('stats.upcoming'), value: stats?.upcomingNodesCount },
        { label: t('stats.month'), value: stats && sum(stats.currentMonthPayments) },
        { label: t('stats.total'), value: stats && sum(stats.totalSpent) },
        { label: t('stats.day'), value: Number(dayIn(zone, new Date(now)).slice(8)), note: month },
      ]}
    />
  )
}

/** On this page mod+K is for the payment; the palette, which has it elsewhere, must not hear of it. */
function useRecordKey(open: () => void): void {
  // Keys pressed anywhere reach us only through the window, and there before anybody else.
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      event.stopImmediatePropagation()
      open()
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    // The top bar does not offer the key for what it does elsewhere (shell/header/header.module.css).
    document.documentElement.toggleAttribute('data-palette-key-taken', true)
    return () => {
      window.removeEventListener('keydown', onKeyDown, { capture: true })
      document.documentElement.removeAttribute('data-palette-key-taken')
    }
  })
}
