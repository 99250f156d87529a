import { createNodePlugin, reorderNodePlugins } from '@causeway/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { NewNameForm } from '../../api/naming.tsx'
import { May } from '../../api/rights/may.tsx'
import { CreateButton, CreateModal } from '../../ui/frames/create-modal.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { EmptyState, ErrorState, LoadingCards } from '../../ui/frames/states.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { GrowingList } from '../../ui/rows/growing-list.tsx'
import { OrderButton, OrderModal } from '../../ui/rows/order-modal.tsx'
import { AssignPluginModal } from './assign-plugin-modal.tsx'
import { EditPluginModal } from './edit-plugin-modal.tsx'
import { pluginsQuery, useCreatePlugin, useReorderPlugins } from './node-plugins.queries.ts'
import { PluginCard } from './plugin-card.tsx'
import { SharedListModal } from './shared-list-modal.tsx'
import { SharedLists } from './shared-lists.tsx'
import classes from './node-plugins.module.css'

export default function NodePluginsPage() {
  const { t } = useTranslation('node-plugins')
  const navigate = useNavigate()
  const list = useQuery(pluginsQuery())
  const all = list.data?.nodePlugins ?? []
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <RefreshButton label={t('refresh')} onRefresh={() => void list.refetch()} />
            <Button variant="default" renderRoot={(props) => <Link to="/dashboard/nodes/torrents" {...props} />}>
              {t('torrents.title')}
            </Button>
            <May call={reorderNodePlugins}>
              <OrderButton count={all.length} />
            </May>
            <May call={createNodePlugin}>
              <CreateButton label={t('create')} />
            </May>
          </>
        }
      />
      {list.isPending && <LoadingCards className={classes['grid']} height={150} />}
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.nodePlugins.length === 0 && <EmptyState sketch="rows" title={t('empty')} hint={t('emptyHint')} />}
      <GrowingList className={classes['grid']} label={t('title')} items={all}>
        {(plugin) => <PluginCard key={plugin.uuid} plugin={plugin} />}
      </GrowingList>
      <div className={classes['below']}>
        <SharedLists />
      </div>
      <CreateModal title={t('create')} width={440}>
        {() => (
          <NewNameForm
            schema={createNodePlugin.body.shape.name}
            words={{ label: t('name'), hint: t('nameHint') }}
            useCreate={useCreatePlugin}
            bodyOf={(name) => ({ name })}
            onCreated={(thing) => void navigate({ to: '.', search: { edit: thing.uuid }, replace: true })}
          />
        )}
      </CreateModal>
      <OrderModal things={all} useReorder={useReorderPlugins} />
      <EditPluginModal />
      <AssignPluginModal />
      <SharedListModal />
    </>
  )
}
