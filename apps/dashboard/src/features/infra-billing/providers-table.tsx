import { deleteInfraProvider, type Provider } from '@causeway/contract'
import { Button, Menu } from '@mantine/core'
import { IconBuilding, IconEdit } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { DeleteItem } from '../../ui/delete-item.tsx'
import { useConfirm } from '../../ui/frames/confirm.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { HistoryItem } from '../history/parts/history-item.tsx'
import { providersQuery, useDeleteProvider } from './infra-billing.queries.ts'
import { formatInteger, formatPercent, formatUsd, sumAmounts } from './money.ts'
import { NewButton, Panel } from './panel.tsx'
import { ProviderName } from './provider-name.tsx'
import { RowMenu } from '../../ui/rows/row-menu.tsx'
import classes from './infra-billing.module.css'

const HEIGHT = 500

export function ProvidersTable() {
  const { t } = useTranslation('infra-billing')
  const create = useDialog('provider')
  const providers = useQuery(providersQuery())
  const total = sumAmounts((providers.data?.providers ?? []).map(({ billingHistory }) => billingHistory.totalAmount))
  return (
    <Panel
      title={t('provider.many')}
      height={HEIGHT}
      query={providers}
      count={(data) => data.total}
      empty={{ title: t('provider.empty'), hint: t('provider.emptyHint'), icon: IconBuilding }}
      actions={<NewButton onClick={() => create.open('new')}>{t('provider.create')}</NewButton>}
      columns={[
        { head: t('provider.one') },
        { head: t('provider.nodes'), isNumber: true },
        { head: t('provider.bills'), isNumber: true },
        { head: t('provider.spent'), isNumber: true },
        { head: t('provider.share'), isNumber: true },
      ]}
    >
      {(data) => data.providers.map((provider) => <ProviderRow key={provider.uuid} provider={provider} total={total} />)}
    </Panel>
  )
}

function ProviderRow({ provider, total }: { provider: Provider; total: number }) {
  const { t, i18n } = useTranslation('infra-billing')
  const { t: ui } = useTranslation('ui')
  const confirm = useConfirm()
  const edit = useDialog('provider')
  const nodes = useDialog('nodes')
  const remove = useDeleteProvider()
  const { uuid, name, billingHistory, billingNodes } = provider
  const locale = i18n.language

  async function askToDelete(): Promise<void> {
    const question = {
      title: t('provider.delete.title', { name }),
      body: t('provider.delete.body', {
        nodes: t('provider.nodesCounted', { count: billingNodes.length }),
        records: t('provider.recordsCounted', { count: billingHistory.totalBills }),
      }),
      action: ui('delete'),
    }
    if (await confirm({ ...question, isDangerous: true })) remove.mutate({ uuid })
  }
  return (
    <tr>
      <td>
        <ProviderName provider={provider} />
      </td>
      <td className={classes['end']} data-head={t('provider.nodes')}>
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={t('provider.showNodes', { name, count: billingNodes.length })}
          onClick={() => nodes.open(uuid)}
        >
          {formatInteger(billingNodes.length, locale)}
        </Button>
      </td>
      <td className={classes['end']} data-head={t('provider.bills')}>
        {formatInteger(billingHistory.totalBills, locale)}
      </td>
      <td className={classes['end']} data-head={t('provider.spent')}>
        <bdi>{formatUsd(billingHistory.totalAmount, locale)}</bdi>
      </td>
      <td className={classes['end']} data-head={t('provider.share')}>
        <bdi>{formatPercent(total === 0 ? 0 : (billingHistory.totalAmount / total) * 100, locale)}</bdi>
      </td>
      <td className={classes['end']}>
        <RowMenu label={t('provider.actions', { name })} isBusy={remove.isPending}>
          <Menu.Item leftSection={<IconEdit size={16} aria-hidden />} onClick={() => edit.open(uuid)}>
            {ui('edit')}
          </Menu.Item>
          <HistoryItem target={uuid} />
          <Menu.Divider />
          <May call={deleteInfraProvider}>
            <DeleteItem onDelete={() => void askToDelete()} />
          </May>
        </RowMenu>
      </td>
    </tr>
  )
}
