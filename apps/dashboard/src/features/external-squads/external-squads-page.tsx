import { createExternalSquad, reorderExternalSquads, updateExternalSquad } from '@causeway/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { NewNameForm, RenameModal } from '../../api/naming.tsx'
import { May } from '../../api/rights/may.tsx'
import { CreateButton, CreateModal } from '../../ui/frames/create-modal.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { EmptyState, ErrorState, LoadingCards } from '../../ui/frames/states.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { GrowingList } from '../../ui/rows/growing-list.tsx'
import { OrderButton, OrderModal } from '../../ui/rows/order-modal.tsx'
import { EditExternalSquadDrawer } from './edit-external-squad-drawer.tsx'
import { ExternalSquadCard } from './external-squad-card.tsx'
import {
  externalSquadsQuery,
  useCreateExternalSquad,
  useRenameExternalSquad,
  useReorderExternalSquads,
} from './external-squads.queries.ts'
import { PreviewSquadDrawer } from './preview-squad-drawer.tsx'
import classes from './external-squads.module.css'

export default function ExternalSquadsPage() {
  const { t } = useTranslation('external-squads')
  const navigate = useNavigate()
  const squads = useQuery(externalSquadsQuery())
  const all = squads.data?.externalSquads ?? []
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <RefreshButton label={t('refresh')} onRefresh={() => void squads.refetch()} />
            <May call={reorderExternalSquads}>
              <OrderButton count={all.length} />
            </May>
            <May call={createExternalSquad}>
              <CreateButton label={t('create')} />
            </May>
          </>
        }
      />
      {squads.isPending && <LoadingCards className={classes['grid']} />}
      {squads.isError && <ErrorState error={squads.error} onRetry={() => void squads.refetch()} />}
      {squads.data?.externalSquads.length === 0 && <EmptyState sketch="cards" title={t('empty')} hint={t('emptyHint')} />}
      <GrowingList className={classes['grid']} label={t('title')} items={all}>
        {(squad) => <ExternalSquadCard key={squad.uuid} squad={squad} />}
      </GrowingList>
      <CreateModal title={t('create')} width={440}>
        {() => (
          <NewNameForm
            schema={createExternalSquad.body.shape.name}
            words={{ label: t('name'), hint: t('nameHint') }}
            useCreate={useCreateExternalSquad}
            bodyOf={(name) => ({ name })}
            onCreated={(thing) => void navigate({ to: '.', search: { edit: thing.uuid }, replace: true })}
          />
        )}
      </CreateModal>
      <RenameModal
        things={all}
        title={(name) => t('renameTitle', { name })}
        words={{ label: t('name'), hint: t('nameHint'), action: t('rename') }}
        schema={updateExternalSquad.body.shape.name.unwrap()}
        useRename={useRenameExternalSquad}
      />
      <OrderModal things={all} useReorder={useReorderExternalSquads} />
      <EditExternalSquadDrawer />
      <PreviewSquadDrawer squads={all} />
    </>
  )
}
