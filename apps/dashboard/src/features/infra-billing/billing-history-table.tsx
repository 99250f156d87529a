import type { BillingRecord } from '@causeway/contract'
import { ActionIcon, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconReceipt, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveFile, saveTable, type TableFormat } from '../../lib/save-file.ts'
import { ExportMenu } from '../../ui/export-menu.tsx'
import { dayIn } from '../../lib/time/dates.ts'
import { dateFormat, ownZone } from '../../lib/numbers/formats.ts'
import { showFailure } from '../../api/toasts.ts'
import { useConfirm } from '../../ui/frames/confirm.tsx'
import { listInfraBillingHistory } from '@causeway/contract'
import { useTimeZone } from '../installation/parts/use-time-zone.ts'
import { HISTORY_PAGE, historyQuery, readAllRecords, useDeleteRecord } from './infra-billing.queries.ts'
import { recordsCsv } from './infra-billing.rules.ts'
import { formatInteger, formatUsd } from './money.ts'
import { Panel } from './panel.tsx'
import { ProviderName } from './provider-name.tsx'
import classes from './infra-billing.module.css'

const HEIGHT = 600

export function BillingHistoryTable() {
  const { t } = useTranslation('infra-billing')
  const [wanted, setPage] = useState(0)
  const first = useQuery(historyQuery(0))
  const pages = Math.max(1, Math.ceil((first.data?.total ?? 0) / HISTORY_PAGE))
  // The last page may have gone with its last payment.
  const page = Math.min(wanted, pages - 1)
  const history = useQuery(historyQuery(page))
  const total = history.data?.total ?? 0
  return (
    <Panel
      title={t('record.many')}
      height={HEIGHT}
      query={history}
      count={(data) => data.total}
      empty={{ title: t('record.empty'), hint: t('record.emptyHint'), icon: IconReceipt }}
      actions={<ExportButton isDisabled={total === 0} />}
      columns={[{ head: t('record.billedAt') }, { head: t('provider.one') }, { head: t('record.amount'), isNumber: true }]}
      foot={total > HISTORY_PAGE && <Pager page={page} pages={pages} total={total} onPage={setPage} />}
    >
      {({ records }) => records.map((record) => <RecordRow key={record.uuid} record={record} />)}
    </Panel>
  )
}

function RecordRow({ record }: { record: BillingRecord }) {
  const { t, i18n } = useTranslation('infra-billing')
  const { t: ui } = useTranslation('ui')
  const confirm = useConfirm()
  const remove = useDeleteRecord()
  const zone = useTimeZone() ?? ownZone()
  const date = dateFormat(i18n.language, { dateStyle: 'medium', timeZone: zone }).format(new Date(record.billedAt))
  const amount = formatUsd(record.amount, i18n.language)
  const names = { amount, date, provider: record.provider.name }

  async function askToDelete(): Promise<void> {
    const question = { title: t('record.delete.title', names), body: t('record.delete.body', names), action: ui('delete') }
    if (await confirm({ ...question, isDangerous: true })) remove.mutate({ uuid: record.uuid })
  }
  return (
    <tr>
      <td>
        <time dateTime={record.billedAt}>{date}</time>
      </td>
      <td>
        <ProviderName provider={record.provider} />
      </td>
      <td className={classes['end']}>
        <bdi>{amount}</bdi>
      </td>
      <td className={classes['end']}>
        <ActionIcon aria-label={t('record.deleteNamed', names)} loading={remove.isPending} onClick={() => void askToDelete()}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </td>
    </tr>
  )
}

interface PagerProps {
  page: number
  pages: number
  total: number
  onPage: (page: number) => void
}

function Pager({ page, pages, total, onPage }: PagerProps) {
  const { t, i18n } = useTranslation('infra-billing')
  const shown = {
    first: formatInteger(page * HISTORY_PAGE + 1, i18n.language),
    last: formatInteger(Math.min(total, (page + 1) * HISTORY_PAGE), i18n.language),
    total: formatInteger(total, i18n.language),
  }
  return (
    <Group component="nav" justify="flex-end" gap={4} mt="xs" aria-label={t('page.label')}>
      <Text size="sm" c="dimmed" aria-live="polite">
        {t('page.range', shown)}
      </Text>
      <ActionIcon aria-label={t('page.previous')} disabled={page === 0} onClick={() => onPage(page - 1)}>
        <IconChevronLeft size={18} className="flip-rtl" aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label={t('page.next')} disabled={page >= pages - 1} onClick={() => onPage(page + 1)}>
        <IconChevronRight size={18} className="flip-rtl" aria-hidden />
      </ActionIcon>
    </Group>
  )
}

function ExportButton({ isDisabled }: { isDisabled: boolean }) {
  const { t } = useTranslation('infra-billing')
  const zone = useTimeZone() ?? ownZone()
  const [isBusy, setBusy] = useState(false)

  async function exportAll(format: TableFormat): Promise<void> {
    setBusy(true)
    try {
      const records = await readAllRecords()
      if (format === 'json') {
        saveTable(
          'payments',
          format,
          records.map(({ uuid, billedAt, provider, amount }) => ({ billedAt, provider: provider.name, amount, uuid })),
        )
        return
      }
      const heads = { date: t('csv.date'), provider: t('csv.provider'), amount: t('csv.amount'), id: t('csv.id') }
      // The mark at the beginning tells spreadsheets that this is UTF-8.
      saveFile(`payments-${dayIn(zone, new Date())}.csv`, 'text/csv', `\u{FEFF}${recordsCsv(records, heads, zone)}`)
    } catch (error) {
      showFailure(listInfraBillingHistory, error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <ExportMenu
      isCompact
      label={t('csv.export')}
      isBusy={isBusy}
      {...(isDisabled ? { count: 0 } : {})}
      onExport={(format) => void exportAll(format)}
    />
  )
}
