import { createConfigProfile, reorderConfigProfiles } from '@causeway/contract'
import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { CreateButton } from '../../ui/frames/create-modal.tsx'
import { GrowingList } from '../../ui/rows/growing-list.tsx'
import { OrderButton, OrderModal } from '../../ui/rows/order-modal.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { EmptyState, ErrorState, LoadingCards } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { ActiveNodesModal } from './active-nodes-modal.tsx'
import { ConfigProfileCard } from './config-profile-card.tsx'
import { configProfilesQuery, useReorderConfigProfiles } from './config-profiles.queries.ts'
import classes from './config-profiles.module.css'
import { CreateConfigProfileModal } from './create-config-profile-modal.tsx'
import { RenameConfigProfileModal } from './rename-config-profile-modal.tsx'
import { KeyPairModal } from './parts/key-pair-modal.tsx'

export default function ConfigProfilesPage() {
  const { t } = useTranslation('config-profiles')
  const profiles = useQuery(configProfilesQuery())
  const all = profiles.data?.configProfiles ?? []
  const keyPair = useDialog('keys')
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <RefreshButton
              label={t('refresh')}
              isBusy={profiles.isFetching && !profiles.isPending}
              onRefresh={() => void profiles.refetch()}
            />
            <Button variant="default" leftSection={<IconKey size={16} aria-hidden />} onClick={() => keyPair.open('new')}>
              {t('keyPair.open')}
            </Button>
            <May call={reorderConfigProfiles}>
              <OrderButton count={all.length} />
            </May>
            <May call={createConfigProfile}>
              <CreateButton label={t('create')} />
            </May>
          </>
        }
      />
      {profiles.isPending && <LoadingCards className={classes['grid']} />}
      {profiles.isError && <ErrorState error={profiles.error} onRetry={() => void profiles.refetch()} />}
      {profiles.data?.configProfiles.length === 0 && <EmptyState sketch="cards" title={t('empty')} hint={t('emptyHint')} />}
      <GrowingList className={classes['grid']} label={t('title')} items={all}>
        {(profile) => <ConfigProfileCard key={profile.uuid} profile={profile} />}
      </GrowingList>
      <CreateConfigProfileModal />
      <RenameConfigProfileModal profiles={all} />
      <OrderModal things={all} useReorder={useReorderConfigProfiles} />
      <ActiveNodesModal />
      <KeyPairModal isOpen={keyPair.value !== undefined} onClose={keyPair.close} />
    </>
  )
}
