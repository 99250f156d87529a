import { createWebhook } from '@causeway/contract'
import { Button } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { CreateButton } from '../../ui/frames/create-modal.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { EmptyState, ErrorState, LoadingCards } from '../../ui/frames/states.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { GrowingList } from '../../ui/rows/growing-list.tsx'
import { CreateWebhookModal } from './create-webhook-modal.tsx'
import { EditWebhookModal } from './edit-webhook-modal.tsx'
import { RotateSecretModal } from './rotate-secret-modal.tsx'
import { TestWebhookModal } from './test-webhook-modal.tsx'
import { WebhookCard } from './webhook-card.tsx'
import { webhooksQuery } from './webhooks.queries.ts'
import cards from '../../ui/rows/card-list.module.css'

export default function WebhooksPage() {
  const { t } = useTranslation('webhooks')
  const list = useQuery(webhooksQuery())
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <RefreshButton label={t('refresh')} onRefresh={() => void list.refetch()} />
            <Button
              variant="default"
              leftSection={<IconListDetails size={16} aria-hidden />}
              renderRoot={(props) => <Link to="/dashboard/utils/webhook-events" {...props} />}
            >
              {t('eventsPage')}
            </Button>
            <May call={createWebhook}>
              <CreateButton label={t('create')} />
            </May>
          </>
        }
      />
      {list.isPending && <LoadingCards className={cards['grid']} height={180} />}
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.webhooks.length === 0 && <EmptyState sketch="rows" title={t('empty')} hint={t('emptyHint')} />}
      <GrowingList className={cards['grid']} label={t('title')} items={list.data?.webhooks ?? []}>
        {(hook) => <WebhookCard key={hook.uuid} hook={hook} />}
      </GrowingList>
      <CreateWebhookModal />
      <EditWebhookModal />
      <RotateSecretModal />
      <TestWebhookModal />
    </>
  )
}
