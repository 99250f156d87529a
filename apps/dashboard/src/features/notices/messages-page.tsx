import { noticeMessageState, type NoticeMessage } from '@causeway/contract'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { EmptyState } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { useAddressView, type StoredView } from '../../ui/table/use-address-view.ts'
import { MessageDrawer } from './message-drawer.tsx'
import { MessageCard, messagesColumns, messagesDefaultView } from './messages-columns.tsx'
import { messagesViewKeys } from './messages.view.ts'
import { messagesQuery, waysQuery } from './notices.queries.ts'
import { labelOf } from './notices.rules.ts'
import classes from './notices.module.css'

const KEPT: StoredView = { key: 'notice-messages', version: 1, defaults: messagesDefaultView, keys: messagesViewKeys }

/** Sent and unsent messages, with the other side's words. */
export default function MessagesPage() {
  const { t } = useTranslation('notices')
  const { view, changeView, resetView } = useAddressView(KEPT)
  const list = useQuery(messagesQuery(view))
  const ways = useQuery(waysQuery()).data?.ways
  const drawer = useDialog('message')
  const labels = useMemo(() => Object.fromEntries(messagesColumns.map(({ id }) => [id, t(`column.${id}`)])), [t])
  const options = useMemo(
    () => ({
      state: noticeMessageState.options.map((state) => ({ value: state, label: t(`state.${state}`) })),
      way: (ways ?? []).map((way) => ({ value: way.uuid, label: labelOf(way, ways ?? []) })),
    }),
    [t, ways],
  )
  const held = list.data?.held ?? 0
  return (
    <>
      <PageHeader
        title={t('messages.title')}
        description={t('messages.description')}
        trail={[{ label: t('title'), to: '/dashboard/utils/notices' }]}
        actions={<RefreshButton label={t('messages.refresh')} onRefresh={() => void list.refetch()} />}
      />
      {held > 0 && (
        <p className={classes['held']} role="status">
          {t('messages.held', { count: held })}
        </p>
      )}
      <DataTable
        label={t('messages.title')}
        columns={messagesColumns}
        columnLabels={labels}
        rows={list.data?.messages}
        total={list.data?.total ?? 0}
        rowId={idOf}
        rowLabel={nameOf}
        view={view}
        onViewChange={changeView}
        onResetView={resetView}
        hasFailed={list.isError}
        updatedAt={list.dataUpdatedAt}
        onRetry={() => void list.refetch()}
        onOpen={(message) => drawer.open(message.uuid)}
        filterOptions={options}
        card={(message) => <MessageCard message={message} />}
        empty={<EmptyState icon={IconBell} title={t('messages.empty')} hint={t('messages.emptyHint')} />}
      />
      <MessageDrawer messages={list.data?.messages ?? []} />
    </>
  )
}

const idOf = (message: NoticeMessage) => message.uuid
const nameOf = (message: NoticeMessage) => `${message.title} ${message.wayName}`
