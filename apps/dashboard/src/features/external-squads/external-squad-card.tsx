import { deleteExternalSquad, updateExternalSquad, type ExternalSquad } from '@causeway/contract'
import { Badge, Button, Group, Menu, Text } from '@mantine/core'
import { IconEye, IconPencil, IconUserMinus, IconUserPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { DeleteItem } from '../../ui/delete-item.tsx'
import { useConfirm, useConfirmDelete } from '../../ui/frames/confirm.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { RowMenu } from '../../ui/rows/row-menu.tsx'
import { HistoryItem } from '../history/parts/history-item.tsx'
import { UsersLink } from '../users/parts/users-link.tsx'
import { useAddAllToExternalSquad, useDeleteExternalSquad, useRemoveAllFromExternalSquad } from './external-squads.queries.ts'
import { overriddenParts } from './external-squad-form.ts'
import { PlannedSquad } from './squad-plan.tsx'
import classes from './external-squads.module.css'

export function ExternalSquadCard({ squad }: { squad: ExternalSquad }) {
  const { t, i18n } = useTranslation('external-squads')
  const edit = useDialog('edit')
  const preview = useDialog('preview')
  const { uuid, name, info } = squad
  const parts = overriddenParts(squad)
  return (
    <li className={classes['card']}>
      <div className={classes['top']}>
        <h2 className={classes['name']} title={name} dir="auto">
          {name}
        </h2>
        <SquadMenu squad={squad} />
      </div>
      <Group gap={6}>
        {parts.map((part) => (
          <Badge key={part} variant="default" tt="none" fw={500}>
            {t(`part.${part}`)}
          </Badge>
        ))}
        {parts.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('nothingChanged')}
          </Text>
        )}
      </Group>
      <div className={classes['foot']}>
        <UsersLink externalSquad={uuid} label={t('showMembers', { name, count: info.membersCount })}>
          {t('membersCounted', { count: info.membersCount, shown: numberFormat(i18n.language).format(info.membersCount) })}
        </UsersLink>
        <Group gap="xs">
          <Button
            variant="subtle"
            size="compact-md"
            leftSection={<IconEye size={16} aria-hidden />}
            aria-label={t('previewNamed', { name })}
            onClick={() => preview.open(uuid)}
          >
            {t('preview')}
          </Button>
          <Button variant="default" size="compact-md" aria-label={t('editNamed', { name })} onClick={() => edit.open(uuid)}>
            {t('edit')}
          </Button>
        </Group>
      </div>
    </li>
  )
}

function SquadMenu({ squad }: { squad: ExternalSquad }) {
  const { t } = useTranslation('external-squads')
  const confirm = useConfirm()
  const confirmDelete = useConfirmDelete()
  const addAll = useAddAllToExternalSquad(squad)
  const removeAll = useRemoveAllFromExternalSquad(squad)
  const remove = useDeleteExternalSquad()
  const rename = useDialog('rename')
  const { uuid, name } = squad
  const count = squad.info.membersCount

  async function askToAdd(): Promise<void> {
    const body = <PlannedSquad asked={{ uuid, change: 'addAll' }}>{t('addAll.body')}</PlannedSquad>
    if (await confirm({ title: t('addAll.title', { name }), body, action: t('addAll.action') })) addAll.mutate({ uuid })
  }
  async function askToRemove(): Promise<void> {
    const question = {
      title: t('removeAll.title', { name }),
      body: <PlannedSquad asked={{ uuid, change: 'removeAll' }}>{t('removeAll.body', { count })}</PlannedSquad>,
      action: t('removeAll.action'),
    }
    if (await confirm({ ...question, isDangerous: true })) removeAll.mutate({ uuid })
  }
  async function askToDelete(): Promise<void> {
    const body = <PlannedSquad asked={{ uuid, change: 'delete' }}>{t('delete.body', { count })}</PlannedSquad>
    if (await confirmDelete(t('delete.title', { name }), body)) remove.mutate({ uuid })
  }
  return (
    <RowMenu label={t('more', { name })} isBusy={addAll.isPending || removeAll.isPending || remove.isPending}>
      <May call={updateExternalSquad}>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => rename.open(uuid)}>
          {t('rename')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => void askToAdd()}>
          {t('addAll.action')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconUserMinus size={16} aria-hidden />}
          disabled={count === 0}
          onClick={() => void askToRemove()}
        >
          {t('removeAll.action')}
        </Menu.Item>
        <Menu.Divider />
      </May>
      <HistoryItem target={uuid} />
      <May call={deleteExternalSquad}>
        <DeleteItem onDelete={() => void askToDelete()} />
      </May>
    </RowMenu>
  )
}
