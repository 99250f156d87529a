import { Menu } from '@mantine/core'
import { IconTrash, IconTrashX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useConfirm } from '../../ui/frames/confirm.tsx'
import { RowMenu } from '../../ui/rows/row-menu.tsx'
import { type FoundDevice, useDeviceActions } from './hwid.queries.ts'

/** Actions on one device, and on all of its user. Both ask first. */
export function DeviceMenu({ device }: { device: FoundDevice }) {
  const { t } = useTranslation('hwid')
  const confirm = useConfirm()
  const { remove, removeAll } = useDeviceActions()
  const { hwid, userUuid, username } = device

  async function onDelete(): Promise<void> {
    const question = { title: t('delete.title'), body: t('delete.body', { hwid, name: username }), action: t('delete.action') }
    if (await confirm({ ...question, isDangerous: true })) remove.mutate({ userUuid, hwid })
  }
  async function onDeleteAll(): Promise<void> {
    const question = { title: t('deleteAll.title', { name: username }), body: t('deleteAll.body'), action: t('deleteAll.action') }
    if (await confirm({ ...question, isDangerous: true })) removeAll.mutate({ userUuid })
  }
  return (
    <RowMenu label={t('actionsOf', { hwid })} isBusy={remove.isPending || removeAll.isPending}>
      <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => void onDelete()}>
        {t('delete.open')}
      </Menu.Item>
      <Menu.Item color="red" leftSection={<IconTrashX size={16} aria-hidden />} onClick={() => void onDeleteAll()}>
        {t('deleteAll.open', { name: username })}
      </Menu.Item>
    </RowMenu>
  )
}
