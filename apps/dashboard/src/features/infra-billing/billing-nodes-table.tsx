import { deleteInfraBillingNode, type BillingNode } from '@causeway/contract'
import { Button, Menu } from '@mantine/core'
import { IconCalendarEvent, IconReceipt, IconServer2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { ownZone } from '../../lib/numbers/formats.ts'
import { useNow } from '../../lib/time/now.ts'
import { DeleteItem } from '../../ui/delete-item.tsx'
import { useConfirm } from '../../ui/frames/confirm.tsx'
import { CountryFlag } from '../../ui/country-flag.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { HistoryItem } from '../history/parts/history-item.tsx'
import { useTimeZone } from '../installation/parts/use-time-zone.ts'
import { BillingDate } from './billing-date.tsx'
import { billingNodesQuery, useDeleteBillingNode } from './infra-billing.queries.ts'
import { billingDate } from './infra-billing.rules.ts'
import { NewButton, Panel } from './panel.tsx'
import { ProviderName } from './provider-name.tsx'
import { RowMenu } from '../../ui/rows/row-menu.tsx'
import classes from './infra-billing.module.css'

const HEIGHT = 500

export function BillingNodesTable() {
  const { t } = useTranslation('infra-billing')
  const create = useDialog('bill')
  const bills = useQuery(billingNodesQuery())
  return (
    <Panel
      title={t('bill.many')}
      height={HEIGHT}
      query={bills}
      count={({ billingNodes }) => billingNodes.length}
      empty={{ title: t('bill.empty'), hint: t('bill.emptyHint'), icon: IconServer2 }}
      actions={<NewButton onClick={() => create.open('new')}>{t('bill.create')}</NewButton>}
      columns={[{ head: t('bill.node') }, { head: t('provider.one') }, { head: t('bill.nextBillingAt') }]}
    >
      {({ billingNodes }) => billingNodes.map((bill) => <BillRow key={bill.uuid} bill={bill} />)}
    </Panel>
  )
}

function BillRow({ bill }: { bill: BillingNode }) {
  const { t } = useTranslation('infra-billing')
  const { t: ui } = useTranslation('ui')
  const confirm = useConfirm()
  const date = useDialog('date')
  const record = useDialog('record')
  const remove = useDeleteBillingNode()
  const now = useNow()
  const zone = useTimeZone() ?? ownZone()
  const isDue = billingDate(new Date(bill.nextBillingAt), new Date(now), zone).state !== 'later'
  const names = { node: bill.node.name, provider: bill.provider.name }

  async function askToDelete(): Promise<void> {
    const question = { title: t('bill.delete.title', names), body: t('bill.delete.body', names), action: ui('delete') }
    if (await confirm({ ...question, isDangerous: true })) remove.mutate({ uuid: bill.uuid })
  }
  return (
    <tr>
      <td>
        <span className={classes['who']}>
          <CountryFlag code={bill.node.countryCode} />
          <bdi className={classes['name']} title={bill.node.name}>
            {bill.node.name}
          </bdi>
        </span>
      </td>
      <td>
        <ProviderName provider={bill.provider} />
      </td>
      <td>
        <BillingDate at={bill.nextBillingAt} />
      </td>
      <td className={classes['end']}>
        <span className={classes['actions']}>
          <Button
            size="compact-sm"
            variant={isDue ? 'filled' : 'default'}
            leftSection={<IconReceipt size={14} aria-hidden />}
            aria-label={t('bill.pay', names)}
            onClick={() => record.open(bill.uuid)}
          >
            {t('bill.paid')}
          </Button>
          <RowMenu label={t('bill.actions', names)} isBusy={remove.isPending}>
            <Menu.Item leftSection={<IconCalendarEvent size={16} aria-hidden />} onClick={() => date.open(bill.uuid)}>
              {t('bill.changeDate')}
            </Menu.Item>
            <HistoryItem target={bill.uuid} />
            <Menu.Divider />
            <May call={deleteInfraBillingNode}>
              <DeleteItem onDelete={() => void askToDelete()} />
            </May>
          </RowMenu>
        </span>
      </td>
    </tr>
  )
}
