import { deleteInternalSquad, updateInternalSquad, type InternalSquad } from '@causeway/contract'
import { Button, Menu } from '@mantine/core'
import { IconArrowsExchange, IconPencil, IconUserMinus, IconUserPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { HistoryItem } from '../history/parts/history-item.tsx'
import { DeleteItem } from '../../ui/delete-item.tsx'
import { useConfirm, useConfirmDelete } from '../../ui/frames/confirm.tsx'
import { RowMenu } from '../../ui/rows/row-menu.tsx'
import { StatusDot } from '../../ui/status-badge.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { UsersLink } from '../users/parts/users-link.tsx'
import { Planned } from '../config-profiles/parts/planned.tsx'
import { useAddAllUsers, useDeleteInternalSquad, useRemoveAllUsers } from './internal-squads.queries.ts'
import classes from './internal-squads.module.css'

export function InternalSquadCard({ squad }: { squad: InternalSquad }) {
  const { t, i18n } = useTranslation('internal-squads')
  const edit = useDialog('edit')
  const count = numberFormat(i18n.language)
  const color = squad.info.membersCount > 0 ? 'teal' : 'gray'
  return (
    <li className={classes['card']}>
      <div className={classes['top']}>
        <h2 className={classes['name']} title={squad.name}>
          <StatusDot color={color} />
          <span dir="auto">{squad.name}</span>
        </h2>
        <SquadMenu squad={squad} />
      </div>
      <div className={classes['foot']}>
        <dl className={classes['figures']}>
          <div>
            <dt>{t('members', { count: squad.info.membersCount })}</dt>
            <dd data-color={color}>
              <UsersLink squad={squad.uuid} label={t('showMembers', { name: squad.name, count: squad.info.membersCount })}>
                {count.format(squad.info.membersCount)}
              </UsersLink>
            </dd>
          </div>
          <div>
            <dt>{t('inbounds', { count: squad.info.inboundsCount })}</dt>
            <dd>{count.format(squad.info.inboundsCount)}</dd>
          </div>
        </dl>
        <Button
          variant="default"
          size="compact-md"
          aria-label={t('editNamed', { name: squad.name })}
          onClick={() => edit.open(squad.uuid)}
        >
          {t('edit')}
        </Button>
      </div>
    </li>
  )
}

function SquadMenu({ squad }: { squad: InternalSquad }) {
  const { t } = useTranslation('internal-squads')
  const confirm = useConfirm()
  const confirmDelete = useConfirmDelete()
  const addAll = useAddAllUsers(squad)
  const removeAll = useRemoveAllUsers(squad)
  const remove = useDeleteInternalSquad()
  const rename = useDialog('rename')
  const move = useDialog('move')
  const { uuid, name } = squad
  const members = t('membersCounted', { count: squad.info.membersCount })

  async function askToAdd(): Promise<void> {
    const question = {
      title: t('addAll.title', { name }),
      body: <Planned change={{ fillSquad: { uuid } }}>{t('addAll.body')}</Planned>,
      action: t('addAll.action'),
    }
    if (await confirm(question)) addAll.mutate({ uuid })
  }
  async function askToRemove(): Promise<void> {
    const question = {
      title: t('removeAll.title', { name }),
      body: <Planned change={{ emptySquad: { uuid } }}>{t('removeAll.body', { members })}</Planned>,
      action: t('removeAll.action'),
    }
    if (await confirm({ ...question, isDangerous: true })) removeAll.mutate({ uuid })
  }
  async function askToDelete(): Promise<void> {
    const body = <Planned change={{ deleteSquad: { uuid } }}>{t('delete.body', { members })}</Planned>
    if (await confirmDelete(t('delete.title', { name }), body)) remove.mutate({ uuid })
  }
  return (
    <RowMenu label={t('more', { name })} isBusy={addAll.isPending || removeAll.isPending || remove.isPending}>
      <May call={updateInternalSquad}>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => rename.open(uuid)}>
          {t('rename.open')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowsExchange size={16} aria-hidden />}
          disabled={squad.info.membersCount === 0}
          onClick={() => move.open(uuid)}
        >
          {t('move.open')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => void askToAdd()}>
          {t('addAll.action')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconUserMinus size={16} aria-hidden />}
          disabled={squad.info.membersCount === 0}
          onClick={() => void askToRemove()}
        >
          {t('removeAll.action')}
        </Menu.Item>
        <Menu.Divider />
      </May>
      <HistoryItem target={squad.uuid} />
      <May call={deleteInternalSquad}>
        <DeleteItem onDelete={() => void askToDelete()} />
      </May>
    </RowMenu>
  )
}
