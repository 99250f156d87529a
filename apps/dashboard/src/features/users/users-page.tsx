import { getSystemStats, getUserCounts, listUsers, createUser, importUsers, bulkUpdateAllUsers } from '@causeway/contract'
import { ActionIcon, Button } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { RowSelectionState } from '@tanstack/react-table'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { lazyPart } from '../../lib/fetch-code.ts'
import { CreateButton } from '../../ui/frames/create-modal.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { Tooltip } from '../../ui/frames/tooltip.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { MobileNotice } from './mobile-notice.tsx'
import type { UsersTarget } from './bulk/users-target.ts'
import { UsersTable } from './table/users-table.tsx'
import classes from './users.module.css'

// Forms, date pickers and drawers come after the rows, which are what people wait for.
const JobProgress = lazyPart(async () => (await import('./bulk/job-progress.tsx')).JobProgress)
const UserDialogs = lazyPart(async () => (await import('./user-dialogs.tsx')).UserDialogs)

export default function UsersPage() {
  const { t } = useTranslation('users')
  const [selection, setSelection] = useState<RowSelectionState>({})
  const [target, setTarget] = useState<UsersTarget>()
  const bulk = useDialog('bulk')
  const help = useDialog('help')
  const importing = useDialog('import')
  const client = useQueryClient()

  function refresh(): void {
    for (const { name } of [listUsers, getSystemStats, getUserCounts]) void client.invalidateQueries({ queryKey: [name] })
  }
  return (
    <div className={classes['page']}>
      <PageHeader
        title={t('title')}
        actions={
          <>
            <Tooltip label={t('help.open')}>
              <ActionIcon size="lg" aria-label={t('help.open')} onClick={() => help.open('users')}>
                <IconHelp size={20} />
              </ActionIcon>
            </Tooltip>
            <RefreshButton label={t('refresh')} onRefresh={refresh} />
            <May call={importUsers}>
              <Button variant="default" onClick={() => importing.open('file')}>
                {t('import.open')}
              </Button>
            </May>
            <May call={bulkUpdateAllUsers}>
              <Button variant="default" onClick={() => bulk.open('all')}>
                {t('bulk.openAll')}
              </Button>
            </May>
            <May call={createUser}>
              <CreateButton label={t('create.open')} />
            </May>
          </>
        }
      />
      <MobileNotice />
      <Suspense fallback={null}>
        <JobProgress />
      </Suspense>
      <UsersTable
        selection={selection}
        onSelectionChange={setSelection}
        onBulk={(chosen) => {
          setTarget(chosen)
          bulk.open('selected')
        }}
      />
      <Suspense fallback={null}>
        <UserDialogs target={target} onBulkDone={() => setSelection({})} />
      </Suspense>
    </div>
  )
}
