import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconPlus, IconRefresh, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, ErrorState, LoadingCards } from '../../ui/states.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { CreateInternalSquadModal } from './create-internal-squad-modal.tsx'
import { EditInternalSquadDrawer } from './edit-internal-squad-drawer.tsx'
import { InternalSquadCard } from './internal-squad-card.tsx'
import { internalSquads } from './internal-squads.queries.ts'
import classes from './internal-squads.module.css'

export default function InternalSquadsPage() {
  const { t } = useTranslation('internal-squads')
  const { t: shell } = useTranslation('shell')
  const squads = useQuery(internalSquads())
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
              <ActionIcon size="lg" aria-label={t('refresh')} onClick={() => void squads.refetch()}>
                <IconRefresh size={18} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => create.open('new')}>
              {t('create')}
            </Button>
          </>
        }
      />
      {squads.isPending && <LoadingCards className={classes['grid']} />}
      {squads.isError && <ErrorState error={squads.error} onRetry={() => void squads.refetch()} />}
      {squads.data?.internalSquads.length === 0 && <EmptyState title={t('empty')} hint={t('emptyHint')} icon={IconUsersGroup} />}
      <ul className={classes['grid']} aria-label={t('title')}>
        {squads.data?.internalSquads.map((squad) => (
          <InternalSquadCard key={squad.uuid} squad={squad} />
        ))}
      </ul>
      <CreateInternalSquadModal />
      <EditInternalSquadDrawer />
    </>
  )
}
