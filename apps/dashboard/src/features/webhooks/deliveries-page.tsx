import { Button } from '@mantine/core'
import { IconRefresh, IconWebhook } from '@tabler/icons-react'
import { deliveryState, eventName, type Webhook, type WebhookDelivery } from '@causeway/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { shortTime } from '../../lib/time/dates.ts'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { EmptyState, ErrorState } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { listProps } from '../../ui/table/list-props.ts'
import { useAddressView, type StoredView } from '../../ui/table/use-address-view.ts'
import { DeliveryCard, deliveriesColumns, deliveriesDefaultView } from './deliveries-columns.tsx'
import { deliveriesViewKeys } from './deliveries.view.ts'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { deliveriesQuery, useWebhookActions, webhookQuery } from './webhooks.queries.ts'
import classes from './webhooks.module.css'

const route = getRouteApi('/dashboard/utils/webhooks/$uuid')
const KEPT: StoredView = { key: 'webhook-deliveries', version: 1, defaults: deliveriesDefaultView, keys: deliveriesViewKeys }

/** Deliveries of one webhook. */
export default function DeliveriesPage() {
  const { t } = useTranslation('webhooks')
  const { uuid } = route.useParams()
  const hook = useQuery(webhookQuery(uuid))
  const address = useAddressView(KEPT)
  const list = useQuery(deliveriesQuery(uuid, address.view))
  const drawer = useDialog('delivery')
  const { resendFailed } = useWebhookActions()
  const labels = useMemo(() => Object.fromEntries(deliveriesColumns.map(({ id }) => [id, t(`column.${id}`)])), [t])
  const options = useMemo(
    () => ({
      state: deliveryState.options.map((state) => ({ value: state, label: t(`state.${state}`) })),
      event: eventName.options.map((event) => ({ value: event, label: event })),
    }),
    [t],
  )
  const trail = [{ label: t('title'), to: '/dashboard/utils/webhooks' }] as const
  if (hook.isError) {
    return (
      <>
        <PageHeader title={t('deliveries.title')} trail={trail} />
        <ErrorState error={hook.error} onRetry={() => void hook.refetch()} />
      </>
    )
  }
  return (
    <>
      <PageHeader
        title={hook.data?.name ?? t('deliveries.title')}
        description={t('deliveries.description')}
        trail={trail}
        actions={
          <>
            <RefreshButton label={t('deliveries.refresh')} onRefresh={() => void list.refetch()} />
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              disabled={(hook.data?.failed ?? 0) === 0}
              loading={resendFailed.isPending}
              onClick={() => resendFailed.mutate({ uuid })}
            >
              {t('resendFailed')}
            </Button>
          </>
        }
      />
      {hook.data && <Standing hook={hook.data} />}
      <DataTable
        label={t('deliveries.title')}
        columns={deliveriesColumns}
        columnLabels={labels}
        rows={list.data?.deliveries}
        total={list.data?.total ?? 0}
        rowId={idOf}
        rowLabel={nameOf}
        {...listProps(list, address)}
        onOpen={(delivery) => drawer.open(delivery.uuid)}
        filterOptions={options}
        card={(delivery) => <DeliveryCard delivery={delivery} />}
        empty={<EmptyState icon={IconWebhook} title={t('deliveries.empty')} hint={t('deliveries.emptyHint')} />}
      />
      <DeliveryDrawer />
    </>
  )
}

/** Events that the list cannot show, and why it stands still. */
function Standing({ hook: { isPaused, stoppedAt, unread, unreadSince } }: { hook: Webhook }) {
  const { t, i18n } = useTranslation('webhooks')
  const isStopped = stoppedAt !== null
  if (!isPaused && !isStopped && unreadSince === null) return null
  return (
    <div className={classes['standing']} role="status">
      {isPaused && <p>{t('deliveries.paused')}</p>}
      {!isPaused && isStopped && <p>{t('deliveries.stopped')}</p>}
      {unreadSince !== null && (
        <p>{t('deliveries.unread', { count: unread, at: shortTime(new Date(unreadSince), i18n.language) })}</p>
      )}
    </div>
  )
}

const idOf = (delivery: WebhookDelivery) => delivery.uuid
const nameOf = (delivery: WebhookDelivery) => `${delivery.event} ${delivery.thing}`
