import {
  createPageConfig,
  DEFAULT_PAGE_CONFIG,
  deletePageConfig,
  reorderPageConfigs,
  updatePageConfig,
  type PageConfigEntry,
} from '@causeway/contract'
import { Button, Group, Menu, Stack, Text } from '@mantine/core'
import { IconCopy, IconPencil, IconRestore } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { NewNameForm, RenameModal } from '../../api/naming.tsx'
import { May } from '../../api/rights/may.tsx'
import { DeleteItem } from '../../ui/delete-item.tsx'
import { useConfirm, useConfirmDelete } from '../../ui/frames/confirm.tsx'
import { CreateButton, CreateModal } from '../../ui/frames/create-modal.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { ErrorState, LoadingRows } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { OrderButton, OrderModal } from '../../ui/rows/order-modal.tsx'
import { RowMenu } from '../../ui/rows/row-menu.tsx'
import { externalSquadsQuery } from '../external-squads/external-squads.queries.ts'
import { HistoryItem } from '../history/parts/history-item.tsx'
import {
  pageConfigsQuery,
  useClonePageConfig,
  useCreatePageConfig,
  useDeletePageConfig,
  useRenamePageConfig,
  useReorderPageConfigs,
  useSavePageConfig,
} from './configs.queries.ts'
import { EditPageConfigDrawer } from './edit-page-config-drawer.tsx'
import classes from './page-configs.module.css'

/** The pages of subscribers in the form of later generations: the default, and those of external squads. */
export default function PageConfigsPage() {
  const { t } = useTranslation('page-configs')
  const query = useQuery(pageConfigsQuery())
  const configs = query.data?.configs ?? []
  // The default stands first, whatever the order of the others.
  const named = configs.filter(({ uuid }) => uuid !== DEFAULT_PAGE_CONFIG)
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <May call={reorderPageConfigs}>
              <OrderButton count={named.length} />
            </May>
            <May call={createPageConfig}>
              <CreateButton label={t('create')} />
            </May>
          </>
        }
      />
      {query.isPending && <LoadingRows />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      <ul className={classes['list']} aria-label={t('title')}>
        {configs.map((config) => (
          <ConfigRow key={config.uuid} config={config} />
        ))}
      </ul>
      <CreateModal title={t('create')} width={440}>
        {(onCreated) => (
          <NewNameForm
            schema={createPageConfig.body.shape.name}
            words={{ label: t('name'), hint: t('createHint') }}
            useCreate={useCreatePageConfig}
            bodyOf={(name) => ({ name })}
            onCreated={onCreated}
          />
        )}
      </CreateModal>
      <RenameModal
        things={configs}
        title={(name) => t('renameTitle', { name })}
        words={{ label: t('name'), hint: t('nameHint'), action: t('rename') }}
        schema={updatePageConfig.body.shape.name.unwrap()}
        useRename={useRenamePageConfig}
      />
      <OrderModal things={named} useReorder={useReorderPageConfigs} />
      <EditPageConfigDrawer />
    </>
  )
}

function ConfigRow({ config }: { config: PageConfigEntry }) {
  const { t } = useTranslation('page-configs')
  const edit = useDialog('edit')
  const squads = useQuery(externalSquadsQuery()).data?.externalSquads ?? []
  const { uuid, name } = config
  const isDefault = uuid === DEFAULT_PAGE_CONFIG
  const users = squads.filter(({ subpageConfigUuid }) => subpageConfigUuid === uuid).map((squad) => squad.name)
  return (
    <li className={classes['row']}>
      <Stack gap={2}>
        <Group gap="xs">
          <Text fw={600} component="h2" dir="auto">
            {name}
          </Text>
        </Group>
        <Text size="sm" c="dimmed">
          {isDefault ? t('ofAll') : users.length === 0 ? t('unused') : t('usedBy', { names: users.join(', ') })}
        </Text>
      </Stack>
      <Group gap="xs" wrap="nowrap">
        <Button variant="default" size="compact-md" aria-label={t('editNamed', { name })} onClick={() => edit.open(uuid)}>
          {t('edit')}
        </Button>
        <ConfigMenu config={config} users={users} />
      </Group>
    </li>
  )
}

function ConfigMenu({ config: { uuid, name }, users }: { config: PageConfigEntry; users: readonly string[] }) {
  const { t } = useTranslation('page-configs')
  const confirm = useConfirm()
  const confirmDelete = useConfirmDelete()
  const clone = useClonePageConfig()
  const reset = useSavePageConfig()
  const remove = useDeletePageConfig()
  const rename = useDialog('rename')
  const isDefault = uuid === DEFAULT_PAGE_CONFIG

  async function askReset(): Promise<void> {
    if (await confirm({ title: t('resetTitle'), body: t('resetText'), action: t('reset') })) reset.mutate({ uuid, config: null })
  }
  async function askDelete(): Promise<void> {
    const body = users.length === 0 ? t('deleteUnused') : t('deleteUsed', { names: users.join(', ') })
    if (await confirmDelete(t('deleteTitle', { name }), body)) remove.mutate({ uuid })
  }
  return (
    <RowMenu label={t('more', { name })} isBusy={clone.isPending || remove.isPending || reset.isPending}>
      <May call={updatePageConfig}>
        <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => clone.mutate({ cloneFromUuid: uuid })}>
          {t('duplicate')}
        </Menu.Item>
        {isDefault ? (
          <Menu.Item leftSection={<IconRestore size={16} aria-hidden />} onClick={() => void askReset()}>
            {t('reset')}
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => rename.open(uuid)}>
            {t('rename')}
          </Menu.Item>
        )}
      </May>
      <HistoryItem target={uuid} />
      {!isDefault && (
        <May call={deletePageConfig}>
          <DeleteItem onDelete={() => void askDelete()} />
        </May>
      )}
    </RowMenu>
  )
}
