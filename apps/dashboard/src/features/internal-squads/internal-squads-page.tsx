import { createInternalSquad, reorderInternalSquads } from '@causeway/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { CreateButton } from '../../ui/frames/create-modal.tsx'
import { GrowingList } from '../../ui/rows/growing-list.tsx'
import { OrderButton, OrderModal } from '../../ui/rows/order-modal.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { EmptyState, ErrorState, LoadingCards } from '../../ui/frames/states.tsx'
import { MoveMembersModal } from './move-members-modal.tsx'
import { RenameInternalSquadModal } from './rename-internal-squad-modal.tsx'
import { CreateInternalSquadModal } from './create-internal-squad-modal.tsx'
import { EditInternalSquadDrawer } from './parts/edit-internal-squad-drawer.tsx'
import { InternalSquadCard } from './internal-squad-card.tsx'
import { internalSquadsQuery, useReorderInternalSquads } from './internal-squads.queries.ts'
import classes from './internal-squads.module.css'

export default function InternalSquadsPage() {
  const { t } = useTranslation('internal-squads')
  const squads = useQuery(internalSquadsQuery())
  const all = squads.data?.internalSquads ?? []
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <RefreshButton label={t('refresh')} onRefresh={() => void squads.refetch()} />
            <May call={reorderInternalSquads}>
              <OrderButton count={all.length} />
            </May>
            <May call={createInternalSquad}>
              <CreateButton label={t('create')} />
            </May>
          </>
        }
      />
      {squads.isPending && <LoadingCards className={classes['grid']} />}
      {squads.isError && <ErrorState error={squads.error} onRetry={() => void squads.refetch()} />}
      {squads.data?.internalSquads.length === 0 && <EmptyState sketch="cards" title={t('empty')} hint={t('emptyHint')} />}
      <GrowingList className={classes['grid']} label={t('title')} items={all}>
        {(squad) => <InternalSquadCard key={squad.uuid} squad={squad} />}
      </GrowingList>
      <CreateInternalSquadModal />
      <RenameInternalSquadModal squads={all} />
      <MoveMembersModal squads={all} />
      <OrderModal things={all} useReorder={useReorderInternalSquads} />
      <EditInternalSquadDrawer name="edit" />
    </>
  )
}
