import { deleteUser, updateUser, type User } from '@causeway/contract'
import { Button, Menu } from '@mantine/core'
import {
  IconArrowsDiff,
  IconChartBar,
  IconChevronDown,
  IconDevices,
  IconEye,
  IconFileSearch,
  IconHistory,
  IconInfoCircle,
  IconLink,
  IconPlayerPause,
  IconPlayerPlay,
  IconQrcode,
  IconRefresh,
  IconRotate,
  IconSend,
  IconServer2,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { HistoryItem } from '../history/parts/history-item.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useUserCommands } from './use-user-commands.tsx'
import { statusAction } from './users.rules.ts'
import { MenuButton } from '../../ui/menu-button.tsx'

const ICON = 16

/** Everything else there is to do with a user, in four groups. */
export function UserActionsMenu({ user, onDeleted }: { user: User; onDeleted: () => void }) {
  const { t } = useTranslation('users')
  const commands = useUserCommands(user, onDeleted)
  const navigate = useNavigate()
  const overview = useDialog('user')
  const details = useDialog('details')
  const usage = useDialog('usage')
  const devices = useDialog('devices')
  const nodes = useDialog('nodes')
  const qr = useDialog('qr')
  const inspect = useDialog('inspect')
  const requests = useDialog('requests')
  const links = useDialog('links')
  const handover = useDialog('handover')
  const action = statusAction(user.status)
  return (
    <MenuButton
      position="top-start"
      width={230}
      button={(props) => (
        <Button {...props} variant="default" loading={commands.isBusy} rightSection={<IconChevronDown size={ICON} />}>
          {t('menu.open')}
        </Button>
      )}
    >
      <Menu.Dropdown>
        <May call={updateUser}>
          <Menu.Label>{t('menu.management')}</Menu.Label>
          <Menu.Item
            leftSection={action === 'enable' ? <IconPlayerPlay size={ICON} /> : <IconPlayerPause size={ICON} />}
            onClick={() => void commands.toggle()}
          >
            {t(`menu.${action}`)}
          </Menu.Item>
          <Menu.Item leftSection={<IconRotate size={ICON} />} onClick={() => void commands.resetTraffic()}>
            {t('menu.resetTraffic')}
          </Menu.Item>
          <Menu.Item leftSection={<IconRefresh size={ICON} />} onClick={() => void commands.revoke()}>
            {t('menu.revoke')}
          </Menu.Item>
          <Menu.Divider />
        </May>
        <Menu.Label>{t('menu.information')}</Menu.Label>
        {overview.value === undefined && (
          <Menu.Item leftSection={<IconEye size={ICON} />} onClick={() => overview.open(user.uuid)}>
            {t('menu.overview')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconInfoCircle size={ICON} />} onClick={() => details.open(user.uuid)}>
          {t('menu.details')}
        </Menu.Item>
        <Menu.Item leftSection={<IconChartBar size={ICON} />} onClick={() => usage.open(user.uuid)}>
          {t('menu.usage')}
        </Menu.Item>
        <Menu.Item leftSection={<IconDevices size={ICON} />} onClick={() => devices.open(user.uuid)}>
          {t('menu.devices')}
        </Menu.Item>
        <Menu.Item leftSection={<IconServer2 size={ICON} />} onClick={() => nodes.open(user.uuid)}>
          {t('menu.nodes')}
        </Menu.Item>
        <HistoryItem target={user.uuid} />
        <Menu.Item
          leftSection={<IconArrowsDiff size={ICON} />}
          onClick={() => void navigate({ to: '/dashboard/management/users/compare', search: { ids: user.uuid } })}
        >
          {t('compare.with')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('menu.subscription')}</Menu.Label>
        <Menu.Item leftSection={<IconQrcode size={ICON} />} onClick={() => qr.open(user.uuid)}>
          {t('menu.qr')}
        </Menu.Item>
        <Menu.Item leftSection={<IconSend size={ICON} />} onClick={() => handover.open(user.uuid)}>
          {t('menu.handover')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLink size={ICON} />} onClick={() => links.open(user.uuid)}>
          {t('menu.links')}
        </Menu.Item>
        <Menu.Item leftSection={<IconFileSearch size={ICON} />} onClick={() => inspect.open(user.uuid)}>
          {t('menu.inspect')}
        </Menu.Item>
        <Menu.Item leftSection={<IconHistory size={ICON} />} onClick={() => requests.open(user.uuid)}>
          {t('menu.requests')}
        </Menu.Item>
        <May call={deleteUser}>
          <Menu.Divider />
          <Menu.Label>{t('menu.danger')}</Menu.Label>
          <Menu.Item color="red" leftSection={<IconTrash size={ICON} />} onClick={() => void commands.remove()}>
            {t('menu.delete')}
          </Menu.Item>
        </May>
      </Menu.Dropdown>
    </MenuButton>
  )
}
