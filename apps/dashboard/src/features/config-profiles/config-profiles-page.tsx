import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconFileCode, IconPlus, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, ErrorState, LoadingCards } from '../../ui/states.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { ActiveNodesModal } from './active-nodes-modal.tsx'
import { ConfigProfileCard } from './config-profile-card.tsx'
import { configProfiles } from './config-profiles.queries.ts'
import classes from './config-profiles.module.css'
import { CreateConfigProfileModal } from './create-config-profile-modal.tsx'

export default function ConfigProfilesPage() {
  const { t } = useTranslation('config-profiles')
  const { t: shell } = useTranslation('shell')
  const profiles = useQuery(configProfiles())
  const create = useDialog('create')
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        breadcrumbs={[{ label: shell('dashboard'), to: '/dashboard/home' }, { label: t('title') }]}
        actions={
          <>
            <Tooltip label={t('refresh')}>
              <ActionIcon
                size="lg"
                aria-label={t('refresh')}
                loading={profiles.isFetching && !profiles.isPending}
                onClick={() => void profiles.refetch()}
              >
                <IconRefresh size={18} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => create.open('new')}>
              {t('create')}
            </Button>
          </>
        }
      />
      {profiles.isPending && <LoadingCards className={classes['grid']} />}
      {profiles.isError && <ErrorState error={profiles.error} onRetry={() => void profiles.refetch()} />}
      {profiles.data?.configProfiles.length === 0 && <EmptyState title={t('empty')} hint={t('emptyHint')} icon={IconFileCode} />}
      <ul className={classes['grid']} aria-label={t('title')}>
        {profiles.data?.configProfiles.map((profile) => (
          <ConfigProfileCard key={profile.uuid} profile={profile} />
        ))}
      </ul>
      <CreateConfigProfileModal isOpen={create.value !== undefined} onClose={create.close} />
      <ActiveNodesModal />
    </>
  )
}
