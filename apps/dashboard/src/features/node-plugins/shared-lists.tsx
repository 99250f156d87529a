import { createSharedList, deleteSharedList } from '@causeway/contract'
import { Button, Menu } from '@mantine/core'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { DeleteItem } from '../../ui/delete-item.tsx'
import { useConfirmDelete } from '../../ui/frames/confirm.tsx'
import { PageSection } from '../../ui/frames/page-section.tsx'
import { ErrorState } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { RowMenu } from '../../ui/rows/row-menu.tsx'
import { sharedListsQuery, useDeleteList } from './node-plugins.queries.ts'
import { NEW_LIST } from './shared-list-modal.tsx'
import classes from './node-plugins.module.css'

/** Lists of networks that plugins use by name. */
export function SharedLists() {
  const { t } = useTranslation('node-plugins')
  const { t: ui } = useTranslation('ui')
  const lists = useQuery(sharedListsQuery())
  const dialog = useDialog('list')
  const confirmDelete = useConfirmDelete()
  const remove = useDeleteList()
  async function askToDelete(name: string): Promise<void> {
    if (await confirmDelete(t('list.deleteTitle', { name }), t('list.deleteBody'))) remove.mutate({ name })
  }
  return (
    <PageSection
      title={t('list.title')}
      aside={
        <May call={createSharedList}>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => dialog.open(NEW_LIST)}
          >
            {t('list.create')}
          </Button>
        </May>
      }
    >
      {lists.isError && <ErrorState error={lists.error} onRetry={() => void lists.refetch()} />}
      {lists.data?.sharedLists.length === 0 && <p className={classes['note']}>{t('list.empty')}</p>}
      <ul className={classes['lists']} aria-label={t('list.title')}>
        {lists.data?.sharedLists.map(({ name, itemsCount }) => (
          <li key={name} className={classes['list']}>
            <span className={classes['listName']} dir="ltr">
              ext:{name}
            </span>
            <span className={classes['note']}>{t('list.count', { count: itemsCount })}</span>
            <RowMenu label={t('more', { name })} isBusy={remove.isPending}>
              <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => dialog.open(name)}>
                {ui('edit')}
              </Menu.Item>
              <May call={deleteSharedList}>
                <DeleteItem onDelete={() => void askToDelete(name)} />
              </May>
            </RowMenu>
          </li>
        ))}
      </ul>
    </PageSection>
  )
}
