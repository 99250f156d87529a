import { deleteNode, updateNode, type Node } from '@causeway/contract'
import { Menu } from '@mantine/core'
import {
  IconArrowsDiff,
  IconChartBar,
  IconFileText,
  IconLayoutDashboard,
  IconPlayerPause,
  IconPlayerPlay,
  IconRotateClockwise,
  IconTerminal2,
} from '@tabler/icons-react'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { HistoryItem } from '../history/parts/history-item.tsx'
import { DeleteItem } from '../../ui/delete-item.tsx'
import { useConfirm, useConfirmDelete } from '../../ui/frames/confirm.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { CopyField } from '../../ui/inputs/copy-field.tsx'
import { Planned } from '../config-profiles/parts/planned.tsx'
import { useDeleteNode, useDisableNode, useEnableNode, useRestartNode } from './nodes.queries.ts'
import { MoreMenu } from '../../ui/more-menu.tsx'

/** Actions on a node besides editing. */
export function NodeActions({ node, onDeleted }: { node: Node; onDeleted: () => void }) {
  const { t } = useTranslation('nodes')
  const join = useDialog('join')
  const confirm = useConfirm()
  const confirmDelete = useConfirmDelete()
  const navigate = useNavigate()
  const enable = useEnableNode()
  const disable = useDisableNode()
  const restart = useRestartNode()
  const remove = useDeleteNode()
  const { uuid, name } = node
  const isOnItsPage = useRouterState({ select: ({ location }) => location.pathname.endsWith(`/nodes/${uuid}`) })
  const online = t('usersOnline', { count: node.usersOnline ?? 0 })

  async function askAndDisable(): Promise<void> {
    const body = <Planned change={{ saveNode: { uuid, isDisabled: true } }}>{t('disable.body')}</Planned>
    const question = { title: t('disable.title', { name }), body, action: t('disable.action') }
    if (await confirm(question)) disable.mutate({ uuid })
  }
  async function askAndRestart(): Promise<void> {
    const question = { title: t('restart.title', { name }), body: t('restart.body', { online }), action: t('restart.action') }
    if (await confirm(question)) restart.mutate({ uuid })
  }
  async function askAndDelete(): Promise<void> {
    const body = (
      <Planned change={{ deleteNode: { uuid } }}>
        {t('delete.body')}
        <CopyField label={t('delete.onMachine')} value="sudo causeway-node uninstall" isWhole />
      </Planned>
    )
    if (await confirmDelete(t('delete.title', { name }), body)) remove.mutate({ uuid }, { onSuccess: onDeleted })
  }
  return (
    <MoreMenu isBusy={enable.isPending || disable.isPending || restart.isPending || remove.isPending}>
      {!isOnItsPage && (
        <Menu.Item
          leftSection={<IconLayoutDashboard size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/dashboard/management/nodes/$uuid', params: { uuid } })}
        >
          {t('page.open')}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<IconFileText size={16} aria-hidden />}
        onClick={() => void navigate({ to: '/dashboard/management/nodes/$uuid', params: { uuid }, search: { log: 'core' } })}
      >
        {t('log.title')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconChartBar size={16} aria-hidden />}
        onClick={() => void navigate({ to: '/dashboard/management/stats/nodes', search: { node: uuid } })}
      >
        {t('whoseTraffic')}
      </Menu.Item>
      <May call={updateNode}>
        {node.isDisabled ? (
          <Menu.Item leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => enable.mutate({ uuid })}>
            {t('enable')}
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconPlayerPause size={16} aria-hidden />} onClick={() => void askAndDisable()}>
            {t('disable.action')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconTerminal2 size={16} aria-hidden />} onClick={() => join.open(uuid)}>
          {t('join')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconRotateClockwise size={16} aria-hidden />}
          disabled={node.isDisabled}
          onClick={() => void askAndRestart()}
        >
          {t('restart.action')}
        </Menu.Item>
      </May>
      <HistoryItem target={uuid} />
      <Menu.Item
        leftSection={<IconArrowsDiff size={16} aria-hidden />}
        onClick={() => void navigate({ to: '/dashboard/management/nodes/compare', search: { ids: uuid } })}
      >
        {t('compare.with')}
      </Menu.Item>
      <Menu.Divider />
      <May call={deleteNode}>
        <DeleteItem onDelete={() => void askAndDelete()} />
      </May>
    </MoreMenu>
  )
}
