import { deleteNodePlugin, type NodePlugin } from '@causeway/contract'
import { Button, Menu } from '@mantine/core'
import { IconCopy, IconPencil, IconRefresh, IconServer2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { inOurWords } from '../../api/server-sentences.ts'
import { CountryFlag } from '../../ui/country-flag.tsx'
import { DeleteItem } from '../../ui/delete-item.tsx'
import { useConfirmDelete } from '../../ui/frames/confirm.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { Chip } from '../../ui/rows/cells.tsx'
import { RowMenu } from '../../ui/rows/row-menu.tsx'
import { StatusDot } from '../../ui/status-badge.tsx'
import { HistoryItem } from '../history/parts/history-item.tsx'
import { usePluginActions } from './node-plugins.queries.ts'
import { partsOn } from './node-plugins.rules.ts'
import cards from '../../ui/rows/card-list.module.css'
import classes from './node-plugins.module.css'

/** A plugin: what it does, and on which nodes. */
export function PluginCard({ plugin }: { plugin: NodePlugin }) {
  const { t } = useTranslation('node-plugins')
  const { t: ui } = useTranslation('ui')
  const edit = useDialog('edit')
  const assign = useDialog('assign')
  const on = partsOn(plugin.pluginConfig)
  const nodes = plugin.nodes ?? []
  return (
    <li className={cards['card']}>
      <div className={cards['top']}>
        <h2 className={cards['name']} title={plugin.name} dir="auto">
          {plugin.name}
        </h2>
        <PluginMenu plugin={plugin} />
      </div>
      <div className={classes['chips']}>
        {on.length === 0 ? (
          <span className={classes['note']}>{t('nothingOn')}</span>
        ) : (
          on.map((part) => <Chip key={part} text={t(`part.${part}`)} />)
        )}
      </div>
      <ul className={classes['nodes']} aria-label={t('nodes')}>
        {nodes.map((node) => (
          <li key={node.uuid} className={classes['node']}>
            <StatusDot color={node.problem !== null ? 'red' : node.filtersAt === null ? 'gray' : 'teal'} />
            <CountryFlag code={node.countryCode} />
            <span className={classes['nodeName']} dir="auto">
              {node.name}
            </span>
            <span className={node.problem === null ? classes['note'] : classes['error']}>
              {node.problem !== null
                ? inOurWords(node.problem)
                : node.filtersAt === null
                  ? t('state.waiting')
                  : t('state.applied')}
            </span>
          </li>
        ))}
        {nodes.length === 0 && <li className={classes['note']}>{t('noNodes')}</li>}
      </ul>
      <div className={classes['actions']}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPencil size={14} aria-hidden />}
          onClick={() => edit.open(plugin.uuid)}
        >
          {ui('edit')}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconServer2 size={14} aria-hidden />}
          onClick={() => assign.open(plugin.uuid)}
        >
          {t('assign.open')}
        </Button>
      </div>
    </li>
  )
}

function PluginMenu({ plugin: { uuid, name, nodes = [] } }: { plugin: NodePlugin }) {
  const { t } = useTranslation('node-plugins')
  const confirmDelete = useConfirmDelete()
  const { remove, clone, sync } = usePluginActions()
  async function askToDelete(): Promise<void> {
    if (await confirmDelete(t('delete.title', { name }), t('delete.body', { count: nodes.length }))) remove.mutate({ uuid })
  }
  return (
    <RowMenu label={t('more', { name })} isBusy={remove.isPending || clone.isPending || sync.isPending}>
      <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => clone.mutate({ cloneFromUuid: uuid })}>
        {t('clone')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconRefresh size={16} aria-hidden />}
        disabled={nodes.length === 0}
        onClick={() => sync.mutate({ uuid })}
      >
        {t('sync')}
      </Menu.Item>
      <HistoryItem target={uuid} />
      <Menu.Divider />
      <May call={deleteNodePlugin}>
        <DeleteItem onDelete={() => void askToDelete()} />
      </May>
    </RowMenu>
  )
}
