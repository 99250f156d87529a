import type { NoticeMessage, NoticeMessageState } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../api/server-sentences.ts'
import { CountCell, TextCell, TimeCell } from '../../ui/rows/cells.tsx'
import { StatusBadge, type StatusColor } from '../../ui/status-badge.tsx'
import type { DataColumn } from '../../ui/table/data-table-columns.ts'
import { emptyView, type TableView } from '../../ui/table/data-table-view.ts'
import classes from './notices.module.css'

export const messagesColumns = [
  { id: 'title', size: 320, grow: 3, isFixed: true, cell: (message) => <TextCell text={wordsOf(message)} /> },
  { id: 'way', size: 170, grow: 1, filter: 'select', cell: ({ wayName }) => <TextCell text={wayName} /> },
  { id: 'state', size: 130, filter: 'select', isFixed: true, cell: ({ state }) => <StateBadge state={state} /> },
  { id: 'attempts', size: 110, align: 'end', cell: ({ attempts }) => <CountCell count={attempts} /> },
  { id: 'error', size: 260, grow: 2, cell: ({ error }) => <TextCell text={error === null ? null : inOurWords(error)} /> },
  { id: 'at', size: 130, cell: ({ at }) => <TimeCell at={at} /> },
  { id: 'next', size: 130, cell: ({ nextAttemptAt }) => <TimeCell at={nextAttemptAt} /> },
] as const satisfies readonly DataColumn<NoticeMessage>[]

export const messagesDefaultView: TableView = emptyView

/** One notice says what it is about by itself. */
function wordsOf({ title, lines }: NoticeMessage): string {
  const [first, ...more] = lines
  return more.length === 0 && first !== undefined ? first.text : title
}

const STATE_COLORS: Record<NoticeMessageState, StatusColor> = { waiting: 'blue', sent: 'teal', failed: 'red' }

export function StateBadge({ state }: { state: NoticeMessageState }) {
  const { t } = useTranslation('notices')
  return <StatusBadge color={STATE_COLORS[state]} label={t(`state.${state}`)} />
}

/** A message on a narrow screen. */
export function MessageCard({ message }: { message: NoticeMessage }) {
  return (
    <div className={classes['row']}>
      <div className={classes['rowLine']}>
        <bdi className={classes['rowWords']}>{wordsOf(message)}</bdi>
        <StateBadge state={message.state} />
      </div>
      <div className={classes['rowLine']}>
        <bdi className={classes['rowWay']}>{message.wayName}</bdi>
        <TimeCell at={message.at} />
      </div>
    </div>
  )
}
