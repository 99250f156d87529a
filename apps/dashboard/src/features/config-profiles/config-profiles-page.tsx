import { createConfigProfile } from '@causeway/contract'
import { Button } from '@mantine/core'
import { IconFileCode, IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { CreateButton } from '../../ui/frames/create-modal.tsx'
import { GrowingList } from '../../ui/rows/growing-list.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { EmptyState, ErrorState, LoadingCards } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { ActiveNodesModal } from './active-nodes-modal.tsx'
import { ConfigProfileCard } from './config-profile-card.tsx'
import { configProfilesQuery } from './config-profiles.queries.ts'
import classes from './config-profiles.module.css'
import { CreateConfigProfileModal } from './create-config-profile-modal.tsx'
import { RenameConfigProfileModal } from './rename-config-profile-modal.tsx'
import { KeyPairModal } from './parts/key-pair-modal.tsx'

export default function ConfigProfilesPage() {
  const { t } = useTranslation('config-profiles')
  const profiles = useQuery(configProfilesQuery())
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
            <May call={createConfigProfile}>
              <CreateButton label={t('create')} />
            </May>
          </>
        }
      />
      {profiles.isPending && <LoadingCards className={classes['grid']} />}
      {profiles.isError && <ErrorState error={profiles.error} onRetry={() => void profiles.refetch()} />}
      {profiles.data?.configProfiles.length === 0 && <EmptyState title={t('empty')} hint={t('emptyHint')} icon={IconFileCode} />}
      <GrowingList className={classes['grid']} label={t('title')} items={profiles.data?.configProfiles ?? []}>
        {(profile) => <ConfigProfileCard key={profile.uuid} profile={profile} />}
      </GrowingList>
      <CreateConfigProfileModal />
      <RenameConfigProfileModal profiles={profiles.data?.configProfiles ?? []} />
      <ActiveNodesModal />
      <KeyPairModal isOpen={keyPair.value !== undefined} onClose={keyPair.close} />
    </>
  )
}
